import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { collectOutput } from './collect-output.ts';

const main = join(import.meta.dirname, '..', '..', '..', 'commands', 'main.ts');

const children = new Set<ChildProcess>();
let isOver = false;

// an ended process of the test runner ends its children; other programs have handlers of their own
if (process.env.NODE_TEST_CONTEXT !== undefined)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => void killChildren().then(() => process.kill(process.pid, signal)));

/** Notes a child, so that an interrupted process can end all its children. */
export function trackChild<Child extends ChildProcess>(child: Child): Child {
  children.add(child);
  child.once('close', () => children.delete(child));
  if (isOver) child.kill('SIGKILL');
  return child;
}

/** Kills every child that still runs, and any that is started later; resolves when those that ran are gone. */
export async function killChildren(): Promise<void> {
  isOver = true;
  await Promise.all(
    [...children].map(async (child) => {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await closed;
    }),
  );
}

export interface SvcResult {
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

export interface SvcOptions {
  /** Added to an environment that holds nothing of the caller's but PATH and TMPDIR. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
  /** Milliseconds after which the process is killed: a test that hangs fails instead. */
  readonly timeout?: number;
  /** Kills it (SIGKILL) when aborted. */
  readonly signal?: AbortSignal;
}

/** How the tests start the program: the sources by default, another build where `SVC_BIN` names one. */
export function svcCommand(): readonly [string, ...string[]] {
  const built = process.env.SVC_BIN;
  return built ? [built] : [process.execPath, '--disable-warning=ExperimentalWarning', main];
}

/** The environment for a child: no setting of the machine leaks into a test. */
export function svcEnvironment(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept: Record<string, string> = { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' };
  for (const name of ['TMPDIR', 'HOME', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE']) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return { ...kept, ...env };
}

/** Runs the program as a child process to its end. */
export async function runSvc(args: readonly string[], options: SvcOptions = {}): Promise<SvcResult> {
  const [command, ...first] = svcCommand();
  const start = performance.now();
  const child = trackChild(
    spawn(command, [...first, ...args], {
      env: svcEnvironment(options.env),
      cwd: options.cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: options.timeout ?? 120_000,
      killSignal: 'SIGKILL',
    }),
  );
  options.signal?.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  const output = await collectOutput(child, options.input);
  return { ...output, exitCode: output.exitCode ?? 128, milliseconds: performance.now() - start };
}
