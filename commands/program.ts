import { statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import type { CommandContext } from './cli/command-context.ts';
import { ignoreClosedPipes } from './cli/process/closed-pipes.ts';
import { endProcess } from './cli/process/end-process.ts';
import { watchUnfinished } from './cli/process/watch-unfinished.ts';

/**
 * Enables the cache of compiled code for the sources, only in the user's own cache folder: another user could put code
 * into a shared one. The built program has one of its own.
 */
function openCompileCache(): void {
  if (!import.meta.url.endsWith('.ts')) return;
  const base = process.env.XDG_CACHE_HOME || (process.env.HOME && join(process.env.HOME, '.cache'));
  if (!base?.startsWith('/')) return;
  try {
    if (statSync(base).uid === process.geteuid?.()) enableCompileCache(join(base, 'svc', 'compile-cache'));
  } catch {
    // start without a cache
  }
}

/** Runs the command that the arguments of the process name, until the process may end. */
export async function runProgram(): Promise<void> {
  openCompileCache();
  const pipes = ignoreClosedPipes();
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const die = (signal: NodeJS.Signals): void => {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  };
  const interrupt = (signal: NodeJS.Signals): void => {
    // a second signal terminates at once, without clean-up
    if (received !== undefined) die(signal);
    received = signal;
    controller.abort(new Error(`interrupted by ${signal}`));
    setTimeout(() => die(signal), 10_000).unref();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);

  const { dispatch } = await import('./cli/dispatch.ts');
  const context: CommandContext = {
    env: process.env,
    // made when a command reads it: most do not, and it takes 3 ms
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    colorDepth: 1,
    signal: controller.signal,
    ownSignals: () => {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    },
    interrupt,
    run: (args) => dispatch(args, context),
  };
  const args = process.argv.slice(2);
  const endWatch = watchUnfinished(args, context);
  const exitCode = await dispatch(args, context);
  endWatch();
  if (received !== undefined) die(received);
  else endProcess(pipes.toExitCode(exitCode));
}
