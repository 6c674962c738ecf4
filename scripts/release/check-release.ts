import { cpSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReleaseArguments } from './arguments.ts';
import { buildInTree } from './build-in-tree.ts';
import { hashAll } from './hash-all.ts';
import { debFileName, listDebianPackages } from './inputs.ts';
import type { ReleaseBuild } from './run-release.ts';
import type { Source } from './source.ts';
import { runStoppable, toOwnFolder } from './stoppable.ts';
import { toSearchPath } from './tools/environment.ts';
import { hasTool, runTool } from './tools/run-tool.ts';

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
 * Builds the release twice, each time from a fresh tree of the commit at another path, and compares every byte. The
 * second build has another user (as root), umask, locale, time zone and clock (with faketime). Signatures are not
 * compared, since those of ECDSA differ each time; all signed bytes are compared.
 *
 * @returns whether both are the same
 */
export async function checkRelease(
  { out: _, ...asked }: ReleaseArguments,
  source: Source,
  { builder, openTree }: ReleaseBuild,
  say: (line: string) => void,
): Promise<boolean> {
  const place = join(realpathSync(tmpdir()), 'svc-release-check');
  const folder = toOwnFolder(place);
  return runStoppable([place], say, async (stop) => {
    mkdirSync(folder);
    const hashes: Map<string, string>[] = [];
    for (const { name, umask, env, days, user } of circumstances) {
      const base = join(folder, name);
      const [tree, home, inputs, files, work] = ['sources', 'home', 'inputs', 'out', 'work'].map((part) =>
        join(base, part),
      ) as [string, string, string, string, string];
      for (const path of [base, home, inputs, files, work]) mkdirSync(path);
      await openTree(source, asked.platforms, asked.inputs, tree, stop);
      for (const one of new Set(asked.platforms.flatMap((platform) => listDebianPackages(platform))))
        cpSync(join(asked.inputs, debFileName(one)), join(inputs, debFileName(one)));
      const identity = user !== undefined && process.getuid?.() === 0 ? { uid: user, gid: user } : undefined;
      if (identity) runTool('chown', ['-R', `${user}:${user}`, base]);
      const hasClock = days === 0 || hasTool('faketime');
      const clock = days === 0 || !hasClock ? [] : ['faketime', '-f', `+${days}d`];
      say(
        `building in ${tree}, umask ${umask}, ${Object.entries(env)
          .map((pair) => pair.join('='))
          .join(' ')}` +
          `${identity ? `, user ${user}` : ''}${clock.length > 0 ? `, clock +${days} days` : ''}`,
      );
      if (!hasClock) say('faketime is not installed: the clock is the same');
      await buildInTree({
        ...{ tree, builder, stop },
        order: { ...asked, mode: 'unsigned', commit: source.commit, inputs, files, work },
        env: {
          PATH: toSearchPath(process.env),
          HOME: home,
          TMPDIR: home,
          // the runtime waits by this clock
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          // the clock is wrong, and not the times that were given to files
          NO_FAKE_STAT: '1',
          ...env,
        },
        wrapper: ['sh', '-c', `umask ${umask}; exec "$@"`, 'sh', ...clock],
        ...(identity ? { identity } : {}),
        onStep: () => {},
      });
      hashes.push(new Map(hashAll(files)));
    }
    return compareReleases(hashes[0]!, hashes[1]!, say);
  });
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
