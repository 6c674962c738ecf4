import type { PackageFinding, PackageTree } from './model.ts';

/** Names of the packages that the programs of the platform list in an index of a kind. */
export const packageNames: Readonly<Record<'apt' | 'rpm', RegExp>> = {
  apt: /\.[ud]?deb$/,
  rpm: /\.rpm$/,
};

type Kind = keyof typeof packageNames;

const listPackages = (tree: PackageTree, kind: Kind): readonly string[] =>
  tree.paths.filter((path) => packageNames[kind].test(path));

/** Finds the packages of a kind that were cut off or continue behind their end, by their headers alone. */
export async function findBroken(tree: PackageTree, kind: Kind): Promise<readonly PackageFinding[]> {
  const findings: PackageFinding[] = [];
  for (const path of listPackages(tree, kind))
    if ((await tree.sizeOf(path)) !== undefined && !(await tree.isWhole(path)))
      findings.push({ path, fault: 'broken' });
  return findings;
}

/**
 * Finds the packages of a kind that no index names. A link is another name of a file, and needs no entry.
 *
 * @param named paths that the indexes name
 */
export function findUnlisted(
  tree: PackageTree,
  kind: Kind,
  named: ReadonlySet<string>,
): readonly PackageFinding[] {
  return listPackages(tree, kind)
    .filter((path) => !named.has(path) && !tree.links.has(path))
    .map((path) => ({ path, fault: 'unlisted' }));
}
