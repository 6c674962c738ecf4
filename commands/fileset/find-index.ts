import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { PackageTree } from '../../src/fileset/package-check/model.ts';
import { packageNames } from '../../src/fileset/package-check/package-files.ts';
import { judgeTree, openTree, type TreeCheck } from './check-tree.ts';
import type { IndexKind } from './index-kinds.ts';
import type { Tools } from './index-tools.ts';
import type { MadeIndex } from './make-index.ts';

/** Lists of the packages in an index at the top of a folder, as the check reads them. */
const listNames: Readonly<Record<IndexKind, RegExp>> = {
  apt: /^Packages(?:\.[a-z0-9]+)?$/,
  rpm: /^repodata\/[^/]+$/,
};
/** Files of an index, in the order in which it is made. */
const indexFiles: Readonly<Record<IndexKind, readonly string[]>> = {
  apt: ['Packages', 'Packages.gz', 'Release', 'InRelease', 'Release.gpg'],
  rpm: ['repodata/repomd.xml', 'repodata/repomd.xml.asc'],
};

/**
 * Finds the index of a folder that can stay unchanged. It names exactly the packages that are there, with their sizes and
 * hashes, and every repository is signed by a key. A new one would differ in its date and signature, and so would the
 * digest of the FileSet.
 *
 * @param key fingerprint of the wanted key
 * @throws SVC-FIL-009
 */
export async function findIndex(
  kind: IndexKind,
  tools: Tools,
  key: string,
): Promise<{ readonly index: MadeIndex; readonly check: TreeCheck } | undefined> {
  const tree = await openTree(tools);
  const files = indexFiles[kind].filter((path) => tree.paths.includes(path));
  if (!files.includes(kind === 'apt' ? 'InRelease' : 'repodata/repomd.xml.asc')) return undefined;
  const { findings, named, ...check } = await judgeTree(tools, tree, key);
  if (findings.length > 0 || !(await isWhole(kind, tree, named))) return undefined;
  if (await isExpired(tools, files)) return undefined;
  return { index: { kind, files, signedBy: key, kept: true }, check };
}

/** Whether an index names every package of a folder, and no other. */
async function isWhole(
  kind: IndexKind,
  tree: PackageTree,
  named: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<boolean> {
  const listed = [...named].filter(([path]) => listNames[kind].test(path)).map(([, paths]) => paths);
  const own = new Set(listed.flatMap((paths) => [...paths]));
  const present = tree.paths.filter((path) => packageNames[kind].test(path));
  return own.size === present.length && present.every((path) => own.has(path));
}

/** Whether the time has passed for which apt accepts a Release file. */
async function isExpired({ folder }: Tools, files: readonly string[]): Promise<boolean> {
  for (const name of files.filter((path) => path.endsWith('Release'))) {
    const [, until] = /^Valid-Until: (.+)$/m.exec(await readFile(join(folder, name), 'utf8')) ?? [];
    if (until !== undefined && !(Date.parse(until) > systemClock.wall())) return true;
  }
  return false;
}
