import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { manifest, root } from '../../scripts/bundle-options.ts';
import { architectures } from '../../scripts/release/arch.ts';
import { defaultInputs } from '../../scripts/release/arguments.ts';
import { listDebianPackages, listNpmPackages, readInput } from '../../scripts/release/inputs.ts';
import { onPath } from '../kit/peers.ts';
import { copyProject, noCopyReason } from '../kit/project-copy.ts';
import { trackChild } from '../kit/svc.ts';
import { openTempFolder } from '../kit/temp-folder.ts';

export const present: string = manifest.version;
/** The version that comes next. */
export const next: string = present.replace(
  /^(\d+)\.(\d+).*$/,
  (_, major, minor) => `${major}.${Number(minor) + 1}.0`,
);
export const inputs: string = defaultInputs(process.env);

/** Why a release cannot be made here; undefined when it can. */
export function noReleaseReason(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'not run: needs Linux on x64';
  for (const program of ['git', 'tar', 'xz', 'rpmbuild', 'createrepo_c', 'gpg']) {
    if (onPath(program) === undefined) return `not run: needs ${program}`;
  }
  try {
    for (const platform of ['x64', 'arm64'] as const) {
      for (const one of listDebianPackages(platform)) readInput(inputs, one);
    }
    for (const one of Object.values(listNpmPackages(root, 'arm64'))) readInput(inputs, one);
  } catch {
    return 'not run: needs npm run release:inputs';
  }
  return noCopyReason();
}

/** Two versions of the sources with a key each can be released with. Both releases are made by the tests. */
export interface ReleaseScene extends AsyncDisposable {
  readonly folder: string;
  readonly copies: Readonly<Record<'present' | 'next', string>>;
  readonly key: string;
  readonly publicKey: string;
  path(...parts: string[]): string;
  /** Runs the release in a copy to its end. */
  run(copy: string, args: readonly string[]): { status: number | null; stderr: string };
  /** Runs it until it says a step, sends a signal, and waits for its end. */
  interrupt(
    copy: string,
    args: readonly string[],
    step: string,
    signal: NodeJS.Signals,
  ): Promise<NodeJS.Signals | null>;
}

const program = ['scripts/release/release.ts'] as const;

export async function openReleaseScene(): Promise<ReleaseScene> {
  const temporary = await openTempFolder('svc-release-');
  const folder = temporary.path;
  const path = (...parts: string[]): string => join(folder, ...parts);
  const copies = { present: path('present-sources'), next: path('next-sources') };
  await mkdir(copies.present);
  await mkdir(copies.next);
  await copyProject(copies.present, present);
  await copyProject(copies.next, next);
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [key, publicKey] = [path('release.key'), path('release.pub')];
  await writeFile(key, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(publicKey, pair.publicKey.export({ type: 'spki', format: 'pem' }));
  // short, as the socket of the agent lies below it
  const keys = await openTempFolder('k-');
  const env = { PATH: process.env.PATH, HOME: homedir(), LC_ALL: 'C.UTF-8', GNUPGHOME: keys.path };
  const runtime = (copy: string): string =>
    join(copy, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  return {
    folder,
    copies,
    key,
    publicKey,
    path,
    run: (copy, args) => {
      const { status, stderr } = spawnSync(runtime(copy), [...program, ...args], {
        cwd: copy,
        encoding: 'utf8',
        env,
      });
      return { status, stderr };
    },
    interrupt: (copy, args, step, signal) =>
      new Promise((resolve, reject) => {
        const child = trackChild(
          spawn(runtime(copy), [...program, ...args], {
            cwd: copy,
            env,
            stdio: ['ignore', 'ignore', 'pipe'],
          }),
        );
        let said = '';
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          if (said.includes(`release: ${step}\n`)) child.kill(signal);
        });
        child.on('error', reject);
        child.on('close', (code, by) => {
          if (code === 0) reject(new Error(`it ended before the signal:\n${said}`));
          else resolve(by);
        });
      }),
    [Symbol.asyncDispose]: async () => {
      spawnSync('gpgconf', ['--kill', 'all'], { env });
      await keys[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

/** Asserts that a folder has nothing of a release, not even a hidden part. */
export function requireNothing(folder: string, name: string): void {
  const left = readdirSync(folder).filter((one) => one === name || one.startsWith(`.${name}-`));
  assert.deepEqual(left, []);
}

/** Runs a program of others that must be content. @returns what it says */
export function judge(
  t: Pick<TestContext, 'diagnostic'>,
  command: readonly [string, ...string[]],
  cwd: string,
): string {
  const { status, stdout, stderr } = spawnSync(command[0], command.slice(1), {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: cwd, LC_ALL: 'C.UTF-8' },
  });
  assert.equal(status, 0, `${command.join(' ')}\n${stdout}${stderr}`);
  t.diagnostic(`${command[0]}: content`);
  return stdout + stderr;
}

/** The name of a package of this machine's processor. */
export const debName = (version: string): string => `svc_${version}_${architectures.x64.deb}.deb`;
export const rpmName = (version: string): string => `svc-${version}-1.${architectures.x64.rpm}.rpm`;
