import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeFolder } from '../../src/disk/make-folder.ts';
import type { ReleaseArguments } from './arguments.ts';
import { makeRelease } from './make-release.ts';
import type { MakePrograms } from './program.ts';
import { openReleaseKey } from './sign.ts';
import { RefusedError, type Source } from './source.ts';

/** Removes folders of runs that were killed, and names them. */
function removeLeftovers(out: string, say: (line: string) => void): void {
  const prefix = `.${basename(out)}-`;
  for (const name of readdirSync(dirname(out)).filter((one) => one.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length));
    if (!Number.isInteger(pid) || (pid !== process.pid && existsSync(`/proc/${pid}`))) continue;
    const path = join(dirname(out), name);
    rmSync(path, { recursive: true, force: true });
    say(`removed ${path}, which a killed run had left`);
  }
}

/** @throws RefusedError */
function makeEmpty(hidden: string): void {
  try {
    for (const path of [hidden, join(hidden, 'files'), join(hidden, 'work')]) mkdirSync(path, 0o755);
  } catch (cause) {
    throw new RefusedError(`the files of the release cannot be written: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function readPassword(path: string | undefined): string | undefined {
  if (path === undefined) return process.env.SVC_SIGNING_PASSWORD;
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw new RefusedError(`the password cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Makes a release in a hidden folder, which gets the name of the release when everything is complete. What a killed run
 * left is removed by the next one.
 *
 * @param say prints a line for the person who makes it
 * @throws RefusedError
 */
export async function runRelease(
  args: ReleaseArguments,
  source: Source,
  makePrograms: MakePrograms,
  say: (line: string) => void,
): Promise<void> {
  const { out, key, mode } = args;
  if (existsSync(out))
    throw new RefusedError(`${out} exists: a release is never replaced; move it away first`);
  const signer = mode === 'signed' ? await openReleaseKey(key!, readPassword(args.passwordFile)) : undefined;
  await makeFolder(dirname(out)).catch((cause: Error) => {
    throw new RefusedError(`the folder of the release cannot be made: ${cause.message}`, { cause });
  });
  removeLeftovers(out, say);
  const hidden = join(dirname(out), `.${basename(out)}-${process.pid}`);
  const remove = (): void => rmSync(hidden, { recursive: true, force: true });
  const interrupted = (signal: NodeJS.Signals): void => {
    remove();
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupted);
  try {
    makeEmpty(hidden);
    const made = join(hidden, 'files');
    await makeRelease({ ...args, source, signer, makePrograms, onStep: say }, made, join(hidden, 'work'));
    // a signal that came during the last step is handled first: between two turns the event loop looks for it
    await nextTurn();
    await nextTurn();
    renameSync(made, out);
  } finally {
    remove();
  }
  say(`${out} is complete: svc ${source.version} of commit ${source.commit.slice(0, 12)}`);
  if (signer === undefined) say('it is not signed');
  else {
    say('verify it, with the public key from elsewhere:');
    say(
      '  openssl dgst -sha256 -verify ../svc.pub -signature SHA256SUMS.sig SHA256SUMS && sha256sum -c SHA256SUMS',
    );
  }
}
