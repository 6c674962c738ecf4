import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

const commands = {
  formatting: ['biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched'],
  types: ['tsc', '-p', '.'],
} as const;

export interface CheckResult {
  readonly name: keyof typeof commands;
  readonly passed: boolean;
  /** All that the program printed, and why it did not start. */
  readonly output: string;
}

/**
 * Checks the sources in a process of its own.
 *
 * @param paths files and folders to check, by default the project; types are always checked in the whole project
 * @param signal ends the check when aborted
 */
export function runCheck(
  name: CheckResult['name'],
  paths: readonly string[] = [],
  signal?: AbortSignal,
): Promise<CheckResult> {
  const [program, ...args] = commands[name];
  const child = spawn(join(root, 'node_modules', '.bin', program), [...args, ...paths], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return new Promise((done) => {
    child.on('error', (error) => done({ name, passed: false, output: `${output}${error.message}\n` }));
    child.on('close', (status) => done({ name, passed: status === 0, output }));
  });
}
