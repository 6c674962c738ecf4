#!/usr/bin/env node
import { statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import type { CommandContext } from './cli/command-context.ts';
import { endProcess } from './cli/end-process.ts';

// an event loop that runs empty before the command has ended is a failure
process.exitCode = 1;

/**
 * Enables the cache of compiled code, only in the user's own cache folder: another user could put code into a
 * shared one.
 */
function openCompileCache(): void {
  const base = process.env.XDG_CACHE_HOME || (process.env.HOME && join(process.env.HOME, '.cache'));
  if (!base?.startsWith('/')) return;
  try {
    if (statSync(base).uid === process.geteuid?.()) enableCompileCache(join(base, 'svc', 'compile-cache'));
  } catch {
    // start without a cache
  }
}

/** Exit code for lost output on stdout. Lost output on stderr does not change the exit code. */
let lostOutput = 0;

/** Ignores closed pipes: when the reader of stdout exits, the command continues without output. */
function ignoreClosedPipes(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return;
    lostOutput = 1;
    process.exitCode ||= lostOutput;
    process.stderr.write(`svc: the output cannot be written: ${code}\n`);
  });
}

async function main(): Promise<void> {
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
    stdin: process.stdin,
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
  const exitCode = await dispatch(process.argv.slice(2), context);
  if (received !== undefined) die(received);
  else endProcess(exitCode || lostOutput);
}

openCompileCache();
ignoreClosedPipes();
// not awaited: the single-file build is a script, which has no top-level await
void main();
