import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReleaseArguments } from './arguments.ts';
import { hashAll } from './make-release.ts';
import { RefusedError, type Source } from './source.ts';

/** One way to build: everything that a machine can have otherwise. */
interface Circumstances {
  readonly name: string;
  readonly umask: string;
  readonly env: Readonly<Record<string, string>>;
  /** Days by which the clock is wrong; needs faketime. */
  readonly days: number;
  /** User and group; needs root. */
  readonly user?: number;
}

const circumstances: readonly Circumstances[] = [
  { name: 'first', umask: '022', env: { LC_ALL: 'C.UTF-8', TZ: 'UTC' }, days: 0 },
  {
    name: 'a-second-one-elsewhere',
    umask: '077',
    env: { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati' },
    days: 400,
    user: 65_534,
  },
];

/**
 * Builds the release twice, each time from a fresh clone of the commit at another path, and compares every byte. The
 * second build has another user (as root), umask, locale, time zone and clock (with faketime). Signatures are not
 * compared, since those of ECDSA are different each time: what is compared is everything that they are over.
 *
 * @param script path of the script that builds, below the root of the sources
 * @returns whether both are the same
 */
export async function checkRelease(
  { version, inputs, platforms, registry }: ReleaseArguments,
  { root }: Source,
  script: string,
  say: (line: string) => void,
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-release-check-'));
  chmodSync(folder, 0o755);
  try {
    const hashes = circumstances.map((one) => {
      const { name, umask, env, days, user } = one;
      const base = join(folder, name);
      const [sources, home, copied] = ['sources', 'home', 'inputs'].map((part) => join(base, part));
      mkdirSync(home!, { recursive: true });
      execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, sources!]);
      copyPackages(join(root, 'node_modules'), join(sources!, 'node_modules'), user === undefined);
      execFileSync('cp', ['-a', inputs, copied!]);
      const identity = user !== undefined && process.getuid?.() === 0 ? { uid: user, gid: user } : {};
      if ('uid' in identity) execFileSync('chown', ['-R', `${user}:${user}`, base]);
      const hasClock = days === 0 || spawnSync('faketime', ['--version'], { stdio: 'ignore' }).status === 0;
      const clock = days === 0 || !hasClock ? [] : ['faketime', '-f', `+${days}d`];
      say(
        `building in ${sources}, umask ${umask}, ${Object.entries(env)
          .map((pair) => pair.join('='))
          .join(' ')}` +
          `${'uid' in identity ? `, user ${user}` : ''}${clock.length > 0 ? `, clock +${days} days` : ''}`,
      );
      if (!hasClock) say('faketime is not installed: the clock is the same');
      const node = join(sources!, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
      const flags = platforms.flatMap((platform) => ['--platform', platform]);
      const command = [
        ...[...clock, node, script, version, '--unsigned', ...flags],
        ...['--registry', registry, '--inputs', copied!, '--out', join(base, 'out')],
      ];
      const built = spawnSync('sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', ...command], {
        cwd: sources,
        env: {
          PATH: process.env.PATH,
          HOME: home,
          TMPDIR: home,
          // the runtime waits by this clock
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          // the clock is wrong, and not the times that were given to files
          NO_FAKE_STAT: '1',
          ...env,
        },
        encoding: 'utf8',
        ...identity,
      });
      if (built.status !== 0) throw new RefusedError(`the build in ${sources} failed:\n${built.stderr}`);
      return new Map(hashAll(join(base, 'out')));
    });
    return compareReleases(hashes[0]!, hashes[1]!, say);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Copies the installed packages; what other programs keep beside them has no part in a build.
 *
 * @param mayLink whether hard links will do, on the same volume: the copy keeps its owner
 */
function copyPackages(from: string, into: string, mayLink: boolean): void {
  mkdirSync(into);
  const names = readdirSync(from).filter((name) => name !== '.cache');
  const copy = (flags: string): unknown =>
    execFileSync('cp', [flags, '--target-directory', into, ...names.map((name) => join(from, name))], {
      stdio: 'ignore',
    });
  try {
    copy(mayLink ? '-al' : '-a');
  } catch {
    // another volume
    copy('-af');
  }
}

/** Compares the hashes of two builds, and says which files differ. */
export function compareReleases(
  first: ReadonlyMap<string, string>,
  second: ReadonlyMap<string, string>,
  say: (line: string) => void,
): boolean {
  const paths = [...new Set([...first.keys(), ...second.keys()])].sort();
  const different = paths.filter((path) => first.get(path) !== second.get(path));
  for (const path of different) {
    say(`${path} differs: ${first.get(path) ?? 'absent'} and ${second.get(path) ?? 'absent'}`);
  }
  say(
    different.length === 0
      ? `${paths.length} files, each the same in both builds`
      : `${different.length} of ${paths.length} files differ`,
  );
  return different.length === 0;
}
