// How the rehearsal looks: chapters, narration, the commands as typed, and the closing table.
import { styleText } from 'node:util';
import { exitCodes } from '../../src/base/error.ts';
import { formatByteSize } from '../../src/base/size.ts';

export interface Step {
  readonly step: string;
  readonly command: string;
  readonly exitCode: number;
  /** Bytes that crossed a boundary in this step, where any could. */
  readonly bytes?: number;
  readonly milliseconds: number;
}

const out = process.stdout;
const names = new Map<number, string>(Object.entries(exitCodes).map(([name, code]) => [code, name]));

type Style = Parameters<typeof styleText>[0];
const paint = (style: Style, text: string): string => styleText(style, text, { stream: out });
/** An outcome that stops content is as welcome as one that lets it pass: it is only shown apart. */
const styleOf = (exitCode: number): Style => (exitCode === 0 ? 'green' : 'yellow');
const nameOf = (exitCode: number): string => names.get(exitCode) ?? 'unknown';

export function tellTitle(text: string): void {
  out.write(`\n${paint(['bold', 'cyan'], text)}\n`);
}

let chapter = 0;
export function tellChapter(text: string): void {
  chapter += 1;
  out.write(`\n${paint('bold', `${chapter}. ${text}`)}\n`);
}

export function tell(text: string): void {
  out.write(text === '' ? '\n' : `   ${text}\n`);
}

/** What a command said, under it. */
export function tellDetail(text: string): void {
  out.write(`       ${paint('dim', text)}\n`);
}

export function tellCommand(command: string, exitCode: number, milliseconds: number): void {
  const code = paint(styleOf(exitCode), `exit ${exitCode}, ${nameOf(exitCode)}`);
  out.write(`   ${paint('cyan', '$')} ${command}  ${code}  ${paint('dim', formatTime(milliseconds))}\n`);
}

function formatTime(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** The table at the end: step, command, exit code, bytes moved, time. */
export function tellTable(steps: readonly Step[]): void {
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
