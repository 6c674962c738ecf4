import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { toToolEnvironment } from './environment.ts';

interface ToolOptions {
  readonly cwd?: string;
  /** For its standard input; default: nothing. */
  readonly input?: Buffer | string;
  /** Variables beside those that every program gets. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A program failed. */
export class ToolError extends Error {
  override name = 'ToolError';
  /** Its output on stderr. */
  readonly stderr: string;

  constructor(program: string, { status, signal, stderr }: SpawnSyncReturns<Buffer>) {
    const said = stderr.toString().trim();
    super(`${program} failed (${signal ?? `exit code ${status}`})${said && `: ${said}`}`);
    this.stderr = said;
  }
}

/**
 * Runs a program of the machine in an environment that the release makes.
 *
 * @returns its standard output
 * @throws ToolError with its output on stderr when it fails; Error when it cannot be started
 */
export function runTool(
  program: string,
  args: readonly string[],
  { cwd, input = '', env = {} }: ToolOptions = {},
): Buffer {
  const ended = spawnSync(program, args, {
    ...{ input, env: toToolEnvironment(process.env, env), maxBuffer: 64 * 1024 * 1024 },
    ...(cwd === undefined ? {} : { cwd }),
  });
  // a program that failed may have left its input unread
  if (ended.status === null && ended.signal === null && ended.error !== undefined) throw ended.error;
  if (ended.status !== 0) throw new ToolError(program, ended);
  return ended.stdout;
}

/** Whether a program is there. */
export function hasTool(program: string): boolean {
  return (
    spawnSync(program, ['--version'], { stdio: 'ignore', env: toToolEnvironment(process.env) }).error ===
    undefined
  );
}
