import { readdir } from 'node:fs/promises';
import { svcError } from '../../src/base/error.ts';
import type { PackageFinding } from '../../src/fileset/package-check/model.ts';
import { packageNames } from '../../src/fileset/package-check/package-files.ts';
import type { IndexKind } from './index-kinds.ts';
import { prepareIndex } from './prepare-index.ts';

interface IndexInput {
  readonly directory: string;
  /** Kinds of packages that get an index. */
  readonly kinds: readonly IndexKind[];
  readonly key: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onFault: (finding: PackageFinding) => void;
}

const indexNames: Readonly<Record<IndexKind, RegExp>> = {
  apt: /(?:^|\/)(?:In)?Release$/,
  rpm: /(?:^|\/)repodata\/repomd\.xml$/,
};

/**
 * Makes the index of a folder of packages, and signs it, where its packages are of a wanted kind, as `prepareIndex` does. No
 * other command makes the index meanwhile.
 *
 * @returns the kind of packages that the folder has without an index; undefined when it needs none
 * @throws SVC-FIL-001 for a folder with packages of both kinds; SVC-FIL-008, SVC-FIL-009, SVC-STO-007
 */
export async function indexFolder(input: IndexInput): Promise<IndexKind | undefined> {
  const { directory, kinds } = input;
  const paths = await readdir(directory, { recursive: true });
  const found = (['apt', 'rpm'] as const).filter((kind) =>
    paths.some((path) => packageNames[kind].test(path)),
  );
  const wanted = found.filter((kind) => kinds.includes(kind));
  if (wanted.length > 1)
    throw svcError('SVC-FIL-001', {
      path: directory,
      rule: 'it contains packages for apt and for rpm: an index of each kind needs a folder of its own',
    });
  const [kind] = wanted;
  if (kind === undefined) return found.find((each) => !paths.some((path) => indexNames[each].test(path)));
  await using cleanup = new AsyncDisposableStack();
  await prepareIndex({ ...input, kind, cleanup });
  return undefined;
}
