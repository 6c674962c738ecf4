import { readFileSync, writeFileSync } from 'node:fs';

/** Clock ticks a second in /proc: 100 on every Linux that people run. */
const ticks = 100;

/** User and system time of a living process and of the children that it has waited for, in seconds. */
export function cpuSeconds(pid: number | 'self'): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0) / ticks;
}

/** User and system time of a living process and of its living children, in seconds: of a server that has workers. */
export function familyCpuSeconds(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + cpuSeconds(Number(child)), cpuSeconds(pid));
}

/** Time of the children that this process has waited for, in seconds. */
export function childrenCpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticks;
}

/** Highest resident size of a living process since its start or since it was reset, in MiB. */
export function peakMebibytes(pid: number): number {
  const match = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? Number.NaN) / 1024;
}

/** Begins the peak of a process anew. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Processor time of the whole machine since its start, and the part in use, in seconds. */
export function machineSeconds(): { readonly busy: number; readonly all: number } {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!;
  const fields = line.trim().split(/\s+/).slice(1).map(Number);
  const all = fields.slice(0, 8).reduce((sum, one) => sum + one, 0);
  return { busy: (all - fields[3]! - fields[4]!) / ticks, all: all / ticks };
}

/** Share of the machine's processor time that is in use over a moment, 0 to 1: that of other programs while we rest. */
export async function busyShare(milliseconds: number): Promise<number> {
  const before = machineSeconds();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const after = machineSeconds();
  return (after.busy - before.busy) / Math.max(1 / ticks, after.all - before.all);
}
