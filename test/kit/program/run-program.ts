import { spawn } from 'node:child_process';
import { collectOutput } from './collect-output.ts';

export interface ProgramResult {
  /** 128 when a signal ended it. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  /** The whole environment: nothing of the caller's leaks in. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  /** Milliseconds after which it is killed. */
  readonly timeout?: number;
}

/** Runs an outside program to its end. */
export async function runProgram(
  path: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  const child = spawn(path, args, {
    env: options.env,
    cwd: options.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: options.timeout ?? 60_000,
    killSignal: 'SIGKILL',
  });
  const { exitCode, stdout, stderr } = await collectOutput(child, options.input);
  return { exitCode: exitCode ?? 128, stdout, stderr };
}
