// Output of the demo: chapters, explanations, the commands as typed, and the closing table.
import { styleText } from 'node:util';
import { exitCodes } from '../../src/text/error.ts';
import { formatByteSize } from '../../src/text/size.ts';

export interface Step {
  readonly step: string;
  readonly command: string;
  readonly exitCode: number;
  /** Bytes transferred in this step; absent when it transfers none. */
  readonly bytes?: number;
  readonly milliseconds: number;
}

const out = process.stdout;
const names = new Map<number, string>(Object.entries(exitCodes).map(([name, code]) => [code, name]));

type Style = Parameters<typeof styleText>[0];
const paint = (style: Style, text: string): string => styleText(style, text, { stream: out });
/** An exit code other than 0 is expected here, so it is shown in another colour and not as a failure. */
const styleOf = (exitCode: number): Style => (exitCode === 0 ? 'green' : 'yellow');
const nameOf = (exitCode: number): string => names.get(exitCode) ?? 'unknown';

export function printTitle(text: string): void {
  out.write(`\n${paint(['bold', 'cyan'], text)}\n`);
}

let chapter = 0;
export function printChapter(text: string): void {
  chapter += 1;
  out.write(`\n${paint('bold', `${chapter}. ${text}`)}\n`);
}

export function printLine(text: string): void {
  out.write(text === '' ? '\n' : `   ${text}\n`);
}

/** Prints output of a command, indented. */
export function printDetail(text: string): void {
  out.write(`       ${paint('dim', text)}\n`);
}

export function printCommand(command: string, exitCode: number, milliseconds: number): void {
  const code = paint(styleOf(exitCode), `exit ${exitCode}, ${nameOf(exitCode)}`);
  out.write(`   ${paint('cyan', '$')} ${command}  ${code}  ${paint('dim', formatTime(milliseconds))}\n`);
}

function formatTime(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Prints the closing table: step, command, exit code, bytes moved, time. */
export function printTable(steps: readonly Step[]): void {
  const rows = steps.map((step) => [
    step.step,
    step.command,
    `${step.exitCode} ${nameOf(step.exitCode)}`,
    step.bytes === undefined ? '–' : formatByteSize(step.bytes),
    formatTime(step.milliseconds),
  ]);
  printGrid(['step', 'command', 'exit code', 'bytes moved', 'time'], rows, {
    right: 3,
    paintCell: (text, row, column) => (column === 2 ? paint(styleOf(steps[row]!.exitCode), text) : text),
  });
}

/**
 * Prints rows in columns.
 *
 * @param options.right the first column that is aligned to the right, like all after it
 */
export function printGrid(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  options: {
    readonly right?: number;
    readonly paintCell?: (text: string, row: number, column: number) => string;
  } = {},
): void {
  const { right = head.length, paintCell = (text) => text } = options;
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const pad = (cell: string, i: number): string =>
    i < right ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!);
  out.write(`\n${paint('bold', head.map(pad).join('  '))}\n`);
  out.write(`${paint('dim', widths.map((width) => '─'.repeat(width)).join('  '))}\n`);
  for (const [row, cells] of rows.entries())
    out.write(`${cells.map((cell, i) => paintCell(pad(cell, i), row, i)).join('  ')}\n`);
}
