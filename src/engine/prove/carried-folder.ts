import type { Digest } from '../../base/digest.ts';
import type { FileIdentity } from '../../disk/threads/hash-file.ts';
import { isUnchanged } from '../../disk/threads/hash-file.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { blobPath } from '../../oci/layout.ts';
import type { Prober, SignedSource } from '../../oci/ports.ts';
import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { openClearedSource } from '../medium/cleared-source.ts';
import { statFile } from '../medium/hash-medium.ts';
import type { AwayContent } from '../medium/parts/away-content.ts';
import type { MediumVerification } from '../medium/verify-medium.ts';

/** A medium of the delivery, after its verification. */
export interface CarriedFolder {
  readonly folder: string;
  readonly store: Store;
  readonly verification: MediumVerification;
}

/** Opens a repository of a folder: content that verified recipes reach. */
export function openCarried(
  { store, verification }: CarriedFolder,
  repository: string,
  away?: Pick<AwayContent, 'has' | 'open'>,
): SignedSource & Prober {
  const names = openRepository(store, repository, { owner: { provenance: 'recipe' } });
  return openClearedSource(store.root, verification.cleared, names, away);
}

/**
 * Creates the test whether a file that a verified recipe reaches is still the file that the verification hashed: the same
 * device, size and time of the last change.
 */
export function toHashedTest(folders: readonly CarriedFolder[]): (blob: Descriptor) => Promise<boolean> {
  const files = new Map<Digest, { readonly root: string; readonly file: FileIdentity }>();
  for (const { store, verification } of folders)
    for (const recipe of verification.cleared)
      for (const [digest, file] of recipe.files) files.set(digest, { root: store.root, file });
  return async ({ digest, size }) => {
    const known = files.get(digest);
    if (known === undefined || known.file.size !== size) return false;
    const info = statFile(known.root, blobPath(digest));
    return info !== undefined && isUnchanged(info, known.file);
  };
}
