// How the rehearsal looks: chapters, narration, the commands as typed, and the closing table.
import { styleText } from 'node:util';
import { formatByteSize } from '../../src/base/size.ts';

export interface Step {
  readonly step: string;
  readonly command: string;
  readonly exitCode: number;
  /** Bytes that crossed a boundary in this step, where any did. */
  readonly bytes?: number;
  readonly milliseconds: number;
}

const out = process.stdout;
const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
  out.isTTY ? styleText(style, text) : text;

export function tellTitle(text: string): void {
  out.write(`\n${paint(['bold', 'cyan'], text)}\n`);
}

let chapter = 0;
export function tellChapter(text: string): void {
  chapter += 1;
  out.write(`\n${paint('bold', `${chapter}. ${text}`)}\n`);
}

export function tell(text: string): void {
  out.write(`   ${text}\n`);
}

export function tellCommand(command: string, exitCode: number, milliseconds: number): void {
  const mark = paint('dim', `exit ${exitCode} · ${formatTime(milliseconds)}`);
  out.write(`   ${paint('green', '$')} ${command}  ${mark}\n`);
}

function formatTime(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** The table at the end: step, command, exit code, bytes moved, time. */
export function tellTable(steps: readonly Step[]): void {
  const rows = steps.map((step) => [
    step.step,
    step.command,
    String(step.exitCode),
    step.bytes === undefined ? '–' : formatByteSize(step.bytes),
    formatTime(step.milliseconds),
  ]);
  const head = ['step', 'command', 'exit', 'bytes moved', 'time'];
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  out.write(`\n${paint('bold', line(head))}\n${widths.map((width) => '─'.repeat(width)).join('  ')}\n`);
  for (const row of rows) out.write(`${line(row)}\n`);
}
