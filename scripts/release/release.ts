// release VERSION: makes all files of a release of this commit; see `usage`. The files are made in a hidden folder,
// which gets the name of the release when everything is complete.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../bundle-options.ts';
import { parseReleaseArguments, type ReleaseArguments, UsageError, usage } from './arguments.ts';
import { checkRelease } from './check-release.ts';
import { requireInputs } from './inputs.ts';
import { makeRelease, requireOwnRuntime } from './make-release.ts';
import { requireGpgKey } from './repositories.ts';
import { openReleaseKey } from './sign.ts';
import { openSource, RefusedError, type Source } from './source.ts';

const say = (line: string): void => void process.stderr.write(`release: ${line}\n`);

/** Programs that a release needs beside the packages of npm. */
const programs: Readonly<Record<string, string>> = {
  git: 'git',
  tar: 'tar',
  xz: 'xz-utils',
  rpmbuild: 'rpm',
  createrepo_c: 'createrepo-c',
};

function requirePrograms(gpgKey: string | undefined): void {
  const needed = Object.entries({ ...programs, ...(gpgKey === undefined ? {} : { gpg: 'gnupg' }) });
  const missing = needed.filter(
    ([name]) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error !== undefined,
  );
  if (missing.length === 0) return;
  const list = missing.map(([name, debian]) => `${name} (Debian: ${debian})`).join(', ');
  throw new RefusedError(`not installed: ${list}`);
}

/** Removes folders of runs that were killed. */
function removeLeftovers(out: string): void {
  const prefix = `.${basename(out)}-`;
  for (const name of readdirSync(dirname(out)).filter((one) => one.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length));
    if (Number.isInteger(pid) && !existsSync(`/proc/${pid}`)) {
      rmSync(join(dirname(out), name), { recursive: true, force: true });
    }
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

async function release(args: ReleaseArguments, source: Source): Promise<void> {
  const { out, key, mode } = args;
  if (existsSync(out))
    throw new RefusedError(`${out} exists: a release is never replaced; move it away first`);
  const signer = mode === 'signed' ? await openReleaseKey(key!, readPassword(args.passwordFile)) : undefined;
  mkdirSync(dirname(out), { recursive: true });
  removeLeftovers(out);
  const hidden = join(dirname(out), `.${basename(out)}-${process.pid}`);
  const remove = (): void => rmSync(hidden, { recursive: true, force: true });
  const interrupted = (signal: NodeJS.Signals): void => {
    remove();
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupted);
  try {
    for (const name of ['files', 'work']) mkdirSync(join(hidden, name), { recursive: true, mode: 0o755 });
    const made = join(hidden, 'files');
    await makeRelease({ ...args, source, signer, onStep: say }, made, join(hidden, 'work'));
    renameSync(made, out);
  } finally {
    remove();
  }
  say(`${out} is complete: svc ${source.version} of commit ${source.commit.slice(0, 12)}`);
  if (signer === undefined) say('it is not signed');
  else {
    say('verify it, with the public key from elsewhere:');
    say(
      '  openssl dgst -sha256 -verify svc.pub -signature SHA256SUMS.sig SHA256SUMS && sha256sum -c SHA256SUMS',
    );
  }
}

// modes of files do not depend on the user's umask
process.umask(0o022);
try {
  const args = parseReleaseArguments(process.argv.slice(2), process.env, root);
  requireOwnRuntime(root);
  requirePrograms(args.gpgKey);
  const source = openSource(root, args.version);
  requireInputs(root, args.platforms, args.inputs);
  if (args.gpgKey !== undefined) requireGpgKey(args.gpgKey, source);
  if (args.mode === 'check') process.exitCode = (await checkRelease(args, source, say)) ? 0 : 1;
  else await release(args, source);
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`release: ${error.message}\n\n${usage}`);
    process.exitCode = 2;
  } else if (error instanceof RefusedError) {
    say(error.message);
    process.exitCode = 1;
  } else if (error instanceof Error && 'stderr' in error) {
    // a program that failed: its message has what it said
    say(error.message);
    process.exitCode = 1;
  } else throw error;
}
