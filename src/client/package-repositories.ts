/** A repository for apt in a FileSet (sources.list(5)). */
export interface AptRepository {
  /** Folder of the repository in the FileSet; '' is its root. */
  readonly folder: string;
  /** Sorted suites, each with its sorted components; a flat repository has one suite `./` and no components. */
  readonly suites: readonly { readonly suite: string; readonly components: readonly string[] }[];
  /** Whether every suite has a signature. */
  readonly isSigned: boolean;
}

/** A repository for dnf in a FileSet. */
export interface RpmRepository {
  readonly folder: string;
  /** Whether `repomd.xml` has a signature beside it. */
  readonly isSigned: boolean;
  /** Whether a package has no signature of its own. */
  readonly hasUnsigned: boolean;
}

const sorted = (names: Iterable<string>): string[] => [...names].sort();
const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0));

/**
 * Finds the repositories for apt by the paths of their indexes: `dists/<suite>/Release` with
 * `dists/<suite>/<component>/binary-<architecture>/Packages`, and flat ones with `Packages` in the folder itself.
 *
 * @param paths as `FilesetTree.indexes` lists them
 */
export function findAptRepositories(paths: readonly string[]): readonly AptRepository[] {
  const suites = new Map<string, Map<string, { components: Set<string>; isSigned: boolean }>>();
  const at = (folder: string, suite: string) => {
    const known = suites.get(folder) ?? new Map<string, { components: Set<string>; isSigned: boolean }>();
    suites.set(folder, known);
    const entry = known.get(suite) ?? { components: new Set<string>(), isSigned: false };
    known.set(suite, entry);
    return entry;
  };
  for (const path of paths) {
    const release = /^(?:(.*?)\/)?dists\/(.+)\/(?:InRelease|Release|Release\.gpg)$/s.exec(path);
    if (release === null || release[2]!.includes('/binary-')) continue;
    const entry = at(release[1] ?? '', release[2]!);
    if (!path.endsWith('/Release')) entry.isSigned = true;
  }
  const flat = new Map<string, boolean>();
  const known = new Set(paths);
  for (const path of paths) {
    if (!/(?:^|\/)Packages(?:\.[a-z0-9]+)?$/.test(path)) continue;
    const folder = folderOf(path);
    const [, root = '', below] = /^(?:(.*?)\/)?dists\/(.+)$/s.exec(folder) ?? [];
    if (below === undefined) {
      const beside = (name: string): boolean => known.has(folder === '' ? name : `${folder}/${name}`);
      flat.set(folder, beside('InRelease') || beside('Release.gpg'));
      continue;
    }
    const own = suites.get(root);
    const [, above, last] = /^(.+)\/(binary-[^/]+)$/s.exec(below) ?? [];
    if (own === undefined || above === undefined || last === undefined) continue;
    // a suite may have slashes, and so may a component
    for (let at = above.indexOf('/'); at >= 0; at = above.indexOf('/', at + 1))
      own.get(above.slice(0, at))?.components.add(above.slice(at + 1));
  }
  const layered = [...suites].map(([folder, entries]) => ({
    folder,
    suites: sorted(entries.keys()).map((suite) => ({
      suite,
      components: sorted(entries.get(suite)!.components),
    })),
    isSigned: [...entries.values()].every(({ isSigned }) => isSigned),
  }));
  const plain = [...flat].map(([folder, isSigned]) => ({
    folder,
    suites: [{ suite: './', components: [] }],
    isSigned,
  }));
  return [...layered, ...plain].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/**
 * Finds the repositories for dnf by the paths of their `repomd.xml`.
 *
 * @param unsigned those in whose repository a package has no signature of its own
 */
export function findRpmRepositories(
  paths: readonly string[],
  unsigned: readonly string[] = [],
): readonly RpmRepository[] {
  const known = new Set(paths);
  const bare = new Set(unsigned);
  return sorted(paths).flatMap((path) => {
    const match = /^(?:(.*)\/)?repodata\/repomd\.xml$/s.exec(path);
    return match === null
      ? []
      : [{ folder: match[1] ?? '', isSigned: known.has(`${path}.asc`), hasUnsigned: bare.has(path) }];
  });
}
