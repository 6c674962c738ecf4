import { lstatSync, mkdirSync, realpathSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../src/disk/make-folder.ts';
import type { ReleaseArguments } from './arguments.ts';
import { buildInTree } from './build-in-tree.ts';
import { RefusedError, type Source } from './source.ts';
import { runStoppable, toOwnFolder } from './stoppable.ts';
import { toBuildEnvironment } from './tools/environment.ts';
import type { OpenTree } from './tree.ts';

/** How a release is built. A rehearsal builds around small programs, and from the tree that is there. */
export interface ReleaseBuild {
  /** Path of the script that builds, below the root of the sources. */
  readonly builder: string;
  readonly openTree: OpenTree;
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

/**
 * Makes a release from a tree in the folder for temporary files. Its hidden folder gets the name of the release when
 * everything is complete. The next run removes the remains of a killed run.
 *
 * @param say prints a line for the releaser
 * @throws RefusedError
 */
export async function runRelease(
  args: ReleaseArguments,
  source: Source,
  { builder, openTree }: ReleaseBuild,
  say: (line: string) => void,
): Promise<void> {
  const { out, ...asked } = args;
  // also a link that leads nowhere
  if (lstatSync(out, { throwIfNoEntry: false }) !== undefined)
    throw new RefusedError(`${out} exists: a release is never replaced; move it away first`);
  await makeFolder(dirname(out)).catch((cause: Error) => {
    throw new RefusedError(`the folder of the release cannot be made: ${cause.message}`, { cause });
  });
  const places = [join(dirname(out), `.${basename(out)}`), join(realpathSync(tmpdir()), 'svc-release-tree')];
  const [hidden, tree] = places.map(toOwnFolder) as [string, string];
  await runStoppable(places, say, async (stop) => {
    makeEmpty(hidden);
    const [files, work] = [join(hidden, 'files'), join(hidden, 'work')];
    say('sources and packages');
    await openTree(source, args.platforms, args.inputs, tree, stop);
    const order = { ...asked, commit: source.commit, files, work };
    const env = toBuildEnvironment(process.env);
    await buildInTree({ tree, builder, order, env, stop, onStep: say });
    renameSync(files, out);
  });
  say(`${out} is complete: svc ${source.version} of commit ${source.commit.slice(0, 12)}`);
  if (args.mode !== 'signed') say('it is not signed');
  else say('verify it with the public key from elsewhere, as docs/releasing.md says of a whole release');
}
