import { opendir } from 'node:fs/promises';
import { checkPackages } from '../../src/fileset/package-check/check-packages.ts';
import type { PackageFinding, PackageTree } from '../../src/fileset/package-check/model.ts';
import { packageNames } from '../../src/fileset/package-check/package-files.ts';
import { type IndexKind, indexKinds } from './index-kinds.ts';

const indexNames: Readonly<Record<IndexKind, RegExp>> = {
  apt: /(?:^|\/)(?:In)?Release$/,
  rpm: /(?:^|\/)repodata\/repomd\.xml$/,
};

/** Entries of a folder that are looked at for a package, so that a pack of many other files costs no second scan. */
const mostEntries = 20_000;

/** Whether a folder has a package among its first entries. @throws the errors of the disk */
export async function hasPackages(folder: string): Promise<boolean> {
  let entries = 0;
  for await (const { name } of await opendir(folder, { recursive: true })) {
    entries += 1;
    if (entries > mostEntries) return false;
    if (indexKinds.some((kind) => packageNames[kind].test(name))) return true;
  }
  return false;
}

/** The deficiency of a folder of packages, as clients see it. */
export interface IndexLack {
  readonly kind: IndexKind;
  /** Where the index and the packages differ; absent: there is no index. */
  readonly finding?: PackageFinding;
}

/**
 * Compares the packages of a folder with its index by their names and sizes; packages written after the index also by
 * their hashes.
 *
 * @returns undefined for a folder without packages, or with an index that describes them
 */
export async function lookAtIndex(tree: PackageTree): Promise<IndexLack | undefined> {
  for (const kind of indexKinds) {
    if (!tree.paths.some((path) => packageNames[kind].test(path))) continue;
    const indexes = tree.paths.filter((path) => indexNames[kind].test(path));
    if (indexes.length === 0) return { kind };
    const times = await Promise.all(indexes.map((path) => tree.modifiedAt(path)));
    const { findings } = await checkPackages(tree, { since: Math.min(...times) });
    const finding = findings.find(({ path }) => packageNames[kind].test(path));
    if (finding !== undefined) return { kind, finding };
  }
  return undefined;
}
