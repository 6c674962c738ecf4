import { realpath } from 'node:fs/promises';
import { countUnsigned, type UnsignedPackages } from '../../src/fileset/package-check/count-unsigned.ts';
import type { PackageFinding } from '../../src/fileset/package-check/model.ts';
import { packageNames } from '../../src/fileset/package-check/package-files.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { openTree } from './check-tree.ts';
import { type IndexKind, indexKinds } from './index-kinds.ts';
import { type IndexLack, lookAtIndex } from './look-at-index.ts';
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

/**
 * Makes the index of a folder of packages, and signs it, where its packages are of a wanted kind, as `prepareIndex` does. No
 * other command makes the index meanwhile.
 *
 * @returns the fault of the index where none was asked for; the unsigned packages of rpm
 * @throws SVC-FIL-001 for a folder with packages of both kinds; SVC-FIL-008, SVC-FIL-009, SVC-STO-007
 */
export async function indexFolder(
  input: IndexInput,
): Promise<{ readonly lack?: IndexLack | undefined; readonly rpms?: UnsignedPackages | undefined }> {
  const { directory, kinds, env, signal } = input;
  const tree = await openTree({ env, signal, folder: await realpath(directory) });
  const wanted = indexKinds.filter(
    (kind) => kinds.includes(kind) && tree.paths.some((path) => packageNames[kind].test(path)),
  );
  if (wanted.length > 1)
    throw svcError('SVC-FIL-001', {
      path: directory,
      rule: rule([
        'it contains packages for apt and for rpm: an index of each kind needs a folder of its own',
        fr`il contient des paquets pour apt et pour rpm : un index de chaque type exige son propre dossier`,
      ]),
    });
  const [kind] = wanted;
  if (kind === undefined) return { lack: await lookAtIndex(tree), rpms: await countUnsigned(tree) };
  await using cleanup = new AsyncDisposableStack();
  const { rpms } = await prepareIndex({ ...input, kind, cleanup });
  return { rpms };
}
