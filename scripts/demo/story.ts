// Output of the demo: chapters, explanations, the commands as typed, and the closing table.
import { styleText } from 'node:util';
import { exitCodes } from '../../src/base/error.ts';
import { formatByteSize } from '../../src/base/size.ts';

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
  const head = ['step', 'command', 'exit code', 'bytes moved', 'time'];
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[], exitCode?: number): string =>
    cells
      .map((cell, i) => {
        const padded = i < 3 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!);
        return i === 2 && exitCode !== undefined ? paint(styleOf(exitCode), padded) : padded;
      })
      .join('  ');
  out.write(`\n${paint('bold', line(head))}\n`);
  out.write(`${paint('dim', widths.map((width) => '─'.repeat(width)).join('  '))}\n`);
  for (const [i, row] of rows.entries()) out.write(`${line(row, steps[i]!.exitCode)}\n`);
}
