import { spawn } from 'node:child_process';
import type { Environment } from './find-program.ts';

export interface OutsideResult {
  /** 128 when a signal ended it. */
  readonly exitCode: number;
  /** The first bytes of its output. */
  readonly stdout: string;
  readonly stderr: string;
}

export interface OutsideOptions {
  /** The whole environment. */
  readonly env: Environment;
  readonly cwd?: string;
  readonly input?: string;
  readonly signal: AbortSignal;
  /** Milliseconds after which it is ended. */
  readonly timeout: number;
  /** Takes its output in place of the result. */
  readonly onOutput?: (chunk: Buffer) => void;
}

/** Maximum bytes of each output that are kept: a manifest has at most half as many. */
const kept = 8 << 20;

/** Runs an outside program to its end, without a shell and without a terminal. @throws when the command is interrupted */
export async function runOutside(
  path: string,
  args: readonly string[],
  { env, cwd, input, signal, timeout, onOutput }: OutsideOptions,
): Promise<OutsideResult> {
  signal.throwIfAborted();
  const child = spawn(path, args, {
    env: env as NodeJS.ProcessEnv,
    cwd,
    timeout,
    killSignal: 'SIGTERM',
    signal,
  });
  const keep = (chunks: Buffer[]) => {
    let length = 0;
    return (chunk: Buffer): void => {
      if (length < kept) chunks.push(chunk.subarray(0, kept - length));
      length += chunk.length;
    };
  };
  const [out, error]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', onOutput ?? keep(out));
  child.stderr.on('data', keep(error));
  // a program that does not read its input may close it first
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 128));
  });
  signal.throwIfAborted();
  return { exitCode, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(error).toString() };
}

/** The last line that a program wrote, for an error. */
export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim().slice(0, 300) ?? '';
}
