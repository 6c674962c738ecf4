import { spawn } from 'node:child_process';
import { childrenCpuSeconds, peakMebibytes } from './process-usage.ts';

export interface Measured {
  readonly exitCode: number;
  /** From before the start to after the end. */
  readonly seconds: number;
  /** User and system, its own children included. */
  readonly cpu: number;
  /** Highest resident size of the process itself, in MiB, looked at every few milliseconds. */
  readonly peak: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface MeasuredOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are no failure. Default 0. */
  readonly expected?: readonly number[];
  /** Milliseconds after which it is killed. */
  readonly timeout?: number;
}

/**
 * Runs a program to its end, alone: its processor time is separable from that of other children only while none of them
 * ends.
 */
export async function runMeasured(
  command: string,
  args: readonly string[],
  options: MeasuredOptions = {},
): Promise<Measured> {
  const cpuBefore = childrenCpuSeconds();
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeout ?? 600_000,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  let peak = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-20_000);
  });
  const watch = setInterval(() => {
    try {
      peak = Math.max(peak, peakMebibytes(child.pid!) || 0);
    } catch {
      // it has ended
    }
  }, 20);
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve(code ?? 128));
    });
    const seconds = (performance.now() - began) / 1000;
    if (!(options.expected ?? [0]).includes(exitCode)) {
      throw new Error(`${command} ${args.join(' ')}: exit ${exitCode}\n${stdout.slice(-2000)}\n${stderr}`);
    }
    return { exitCode, seconds, cpu: childrenCpuSeconds() - cpuBefore, peak, stdout, stderr };
  } finally {
    clearInterval(watch);
  }
}
