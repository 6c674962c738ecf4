import { findRpmRepositories } from '../../client/package-repositories.ts';
import type { PackageTree } from './model.ts';
import { isRpmName } from './rpm-signature.ts';

/** The packages of the repositories for rpm in a tree, and those of them without a signature of their own. */
export interface UnsignedPackages {
  readonly packages: number;
  readonly unsigned: number;
}

/** Counts the packages without a signature of their own. @returns undefined when the tree has no repository for rpm */
export async function countUnsigned(tree: PackageTree): Promise<UnsignedPackages | undefined> {
  if (findRpmRepositories(tree.paths).length === 0) return undefined;
  let packages = 0;
  let unsigned = 0;
  for (const path of tree.paths) {
    if (!isRpmName(path) || (await tree.sizeOf(path)) === undefined) continue;
    packages += 1;
    if (await tree.isUnsigned(path)) unsigned += 1;
  }
  return { packages, unsigned };
}
