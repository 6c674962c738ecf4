import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { manifest, root } from '../../scripts/bundle-options.ts';
import { architectures } from '../../scripts/release/arch.ts';
import { defaultInputs } from '../../scripts/release/arguments.ts';
import { readInput, requireDebianPackages } from '../../scripts/release/inputs.ts';
import { listBuildPackages } from '../../scripts/release/npm-packages.ts';
import { openSource, type Source } from '../../scripts/release/source.ts';
import { toEncryptedPem } from '../../src/signing/encrypted-pkcs8.ts';
import { commitAll, copyProject, noCopyReason } from '../kit/instance/project-copy.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { onPath } from '../kit/program/peers.ts';

export const present: string = manifest.version;
/** The version that comes next. */
export const next: string = present.replace(
  /^(\d+)\.(\d+).*$/,
  (_, major, minor) => `${major}.${Number(minor) + 1}.0`,
);
export const inputs: string = defaultInputs(process.env);

/**
 * The long form, SVC_RELEASE=full: the releases have real programs, and everything is done with these. Otherwise they
 * are made around scripts that run the sources.
 */
export const isFull: boolean = process.env.SVC_RELEASE === 'full';
/** Why a test is not run in the short form. */
export const onlyFull: string | false = !isFull && 'not run: needs SVC_RELEASE=full';

/** Why a release cannot be made here; undefined when it can. */
export function noReleaseReason(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'not run: needs Linux on x64';
  for (const program of ['git', 'tar', 'xz', 'rpmbuild', 'createrepo_c', 'gpg', 'npm']) {
    if (onPath(program) === undefined) return `not run: needs ${program}`;
  }
  try {
    requireDebianPackages(['x64', 'arm64'], inputs);
    for (const one of listBuildPackages(root, ['x64', 'arm64'], ['x64'])) readInput(inputs, one);
  } catch {
    return 'not run: needs npm run release:inputs';
  }
  return noCopyReason();
}

interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A copy of the sources with the keys of a release, and the releases of two versions of it. */
export interface ReleaseScene extends AsyncDisposable {
  readonly folder: string;
  /** A repository whose last commit is the present version, until `commitNext`. */
  readonly sources: string;
  /** Not encrypted; `release.key` beside it is the same key as \`svc key new\` writes it, with \`release.password\`. */
  readonly key: string;
  readonly publicKey: string;
  /** Fingerprint of the key of gpg, which is older than the commits. */
  readonly gpgKey: string;
  /** The public part of that key, as apt and gpgv read it. */
  readonly keyring: string;
  /** Folder of the finished releases, `present` and `next`, beside the public key. */
  readonly releases: string;
  path(...parts: string[]): string;
  /** The sources as they are, to be released. */
  source(): Source;
  /** Commits a change of the sources. @returns a function that takes it back */
  commit(change: () => Promise<void>): Promise<() => void>;
  /** Runs a release around stand-ins. */
  rehearse(args: readonly string[], env?: Readonly<Record<string, string>>): Ended;
  /** Runs a release around stand-ins whose output, all of it, is the input of a command of the shell. */
  pipe(args: readonly string[], into: string): Ended;
  /** Runs a command of a page in the sources, as it stands there but for the version. */
  follow(line: string, more?: readonly string[]): Ended;
  /** Makes the finished release of the sources one of those that the tests share. */
  keep(name: 'present' | 'next', from?: string): Promise<void>;
}

export async function openReleaseScene(): Promise<ReleaseScene> {
  const temporary = await openTempFolder('svc-release-');
  const folder = temporary.path;
  const path = (...parts: string[]): string => join(folder, ...parts);
  const [sources, releases] = [path('sources'), path('releases')];
  await mkdir(releases);
  await copyProject(sources, present);
  // another user reads it, in a check and in an installed package
  await chmod(folder, 0o755);
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [key, publicKey, keyring] = [path('plain.key'), join(releases, 'svc-release.pub'), path('svc.gpg')];
  await writeFile(key, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(path('release.key'), await toEncryptedPem(pair.privateKey, 'a good password'), {
    mode: 0o600,
  });
  await writeFile(path('release.password'), 'a good password\n', { mode: 0o600 });
  await writeFile(publicKey, pair.publicKey.export({ type: 'spki', format: 'pem' }));
  // short, as the socket of the agent lies below it
  const keys = await openTempFolder('k-');
  const env = { PATH: process.env.PATH, HOME: homedir(), LC_ALL: 'C.UTF-8', GNUPGHOME: keys.path };
  // settings of a user, which have no part in a signature
  await writeFile(join(keys.path, 'gpg.conf'), 'comment of a user\nemit-version\n');
  // the types of the sources are erased once for all runs
  const cache = path('cache');
  // trees are made there
  const temporaryFolder = path('temporary');
  await mkdir(temporaryFolder, { mode: 0o755 });
  const gpg = (...args: readonly string[]): Buffer => {
    const { status, stdout, stderr } = spawnSync('gpg', ['--batch', ...args], { env });
    assert.equal(status, 0, stderr.toString());
    return stdout;
  };
  const made = [
    '--passphrase',
    '',
    '--quick-generate-key',
    'svc <svc@localhost>',
    'ed25519',
    'sign',
    'never',
  ];
  gpg('--faked-system-time', '20251201T000000!', ...made);
  const [, gpgKey] = /^fpr:+([0-9A-F]+):$/m.exec(gpg('--with-colons', '--list-keys').toString())!;
  await writeFile(keyring, gpg('--export'));
  const node = join(sources, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  const run = (
    program: string,
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): Ended => {
    const { status, signal, stdout, stderr } = spawnSync(program, args, {
      cwd: sources,
      encoding: 'utf8',
      env: {
        ...env,
        PATH: `${dirname(node)}:${env.PATH}`,
        NODE_COMPILE_CACHE: cache,
        TMPDIR: temporaryFolder,
        npm_config_update_notifier: 'false',
        ...more,
      },
    });
    return { status, signal, stdout, stderr };
  };
  const rehearsal = 'test/release/rehearse-release.ts';
  const rehearsed = { SVC_REHEARSAL_SOURCES: sources };
  return {
    ...{ folder, sources, key, publicKey, gpgKey: gpgKey!, keyring, releases, path },
    source: () => {
      const { version } = JSON.parse(readFileSync(join(sources, 'package.json'), 'utf8')) as {
        version: string;
      };
      return openSource(sources, version);
    },
    commit: async (change) => {
      await change();
      commitAll(sources, 'A change');
      return () => spawnSync('git', ['reset', '--quiet', '--hard', 'HEAD~1'], { cwd: sources });
    },
    rehearse: (args, more) => run(node, [rehearsal, ...args], { ...rehearsed, ...more }),
    pipe: (args, into) => run('sh', ['-c', `"$@" 2>&1 | ${into}`, 'sh', node, rehearsal, ...args], rehearsed),
    follow: (line, more = []) => run('sh', ['-c', [line.replace(/ +#.*$/, ''), ...more].join(' ')]),
    keep: (name, from = join(sources, 'release')) => rename(from, join(releases, name)),
    [Symbol.asyncDispose]: async () => {
      spawnSync('gpgconf', ['--kill', 'all'], { env });
      await keys[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

/** The blocks of commands below a heading of a page, with the version in its place, as they are typed. */
export function readBlocks(page: string, heading: string, version: string): readonly string[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^```shell\n(.*?)^```$/gms)].map(([, block]) =>
    block!.replaceAll('<version>', version).trim(),
  );
}

/** The lines of these blocks. */
export function readCommands(page: string, heading: string, version: string): readonly string[] {
  return readBlocks(page, heading, version).flatMap((block) => block.replaceAll('\\\n', '').split('\n'));
}

/** Asserts that a folder has nothing of a release, not even a hidden part. */
export function requireNothing(folder: string, name: string): void {
  const left = readdirSync(folder).filter((one) => one === name || one.startsWith(`.${name}-`));
  assert.deepEqual(left, []);
}

/** Runs a foreign program that must be content. @returns its output */
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

/** Unpacks a FileSet of a layout with tar. */
export function unpackFileset(
  t: Parameters<typeof judge>[0],
  layout: string,
  name: string,
  into: string,
): void {
  const blob = (digest: string): string => join(layout, 'blobs', ...digest.split(':'));
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  const isWanted = ({ annotations }: { annotations: Record<string, string> }): boolean =>
    annotations['org.opencontainers.image.ref.name']!.includes(`/${name}:`);
  const { digest } = read(join(layout, 'index.json')).manifests.find(isWanted);
  const [layer] = read(blob(digest)).layers;
  judge(t, ['sh', '-ec', 'mkdir "$2" && tar -xf "$1" -C "$2"', 'sh', blob(layer.digest), into], '/');
}
