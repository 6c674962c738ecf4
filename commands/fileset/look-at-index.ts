import { checkPackages } from '../../src/fileset/package-check/check-packages.ts';
import type { PackageFinding, PackageTree } from '../../src/fileset/package-check/model.ts';
import { packageNames } from '../../src/fileset/package-check/package-files.ts';
import { type IndexKind, indexKinds } from './index-kinds.ts';

const indexNames: Readonly<Record<IndexKind, RegExp>> = {
  apt: /(?:^|\/)(?:In)?Release$/,
  rpm: /(?:^|\/)repodata\/repomd\.xml$/,
};

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
