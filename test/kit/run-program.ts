import { spawn } from 'node:child_process';

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
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // a program that does not read its input closes the pipe; its exit code tells whether that was right
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 128));
  });
  return { exitCode, stdout, stderr };
}
