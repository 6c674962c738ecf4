import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export interface Output {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Gives a child its input and waits for its end. @throws the error that keeps it from starting */
export async function collectOutput(
  child: ChildProcess & { readonly stdin: Writable; readonly stdout: Readable; readonly stderr: Readable },
  input = '',
): Promise<Output> {
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
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => resolve({ exitCode, signal, stdout, stderr }));
  });
}
