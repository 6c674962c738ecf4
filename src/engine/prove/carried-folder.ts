import type { Readable } from 'node:stream';
import type { Digest } from '../../base/digest.ts';
import { FileStream } from '../../disk/file-stream.ts';
import { openGuardedFile } from '../../disk/guarded-open.ts';
import type { FileIdentity } from '../../disk/threads/hash-file.ts';
import { isUnchanged } from '../../disk/threads/hash-file.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { blobPath } from '../../oci/layout.ts';
import type { Prober, SignedSource } from '../../oci/ports.ts';
import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { svcError } from '../../text/error.ts';
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

/** The files of a delivery as its verification hashed them. */
export interface HashedFiles {
  /** Adds the files that verified recipes of a folder reach. */
  add(folder: CarriedFolder): void;
  /**
   * Whether a file that a verified recipe reaches is still the file that was hashed: the same device, size and time of the
   * last change.
   */
  isUnchanged(blob: Descriptor): Promise<boolean>;
  /** Whether a folder has the content whole. The zone may have it, or the parts of a delivery may have segments of it. */
  has(digest: Digest): boolean;
  /** Opens a file; the caller closes it. @throws SVC-REG-005 for content that no folder has whole */
  openFile(digest: Digest): ReturnType<typeof openGuardedFile>;
  /** Opens a file as a stream. @throws as `openFile` */
  open(blob: Descriptor): Promise<Readable>;
}

/** Opens the files of a delivery, whose folders are added as they are verified. */
export function openHashedFiles(): HashedFiles {
  const files = new Map<Digest, { readonly root: string; readonly file: FileIdentity }>();
  const openFile = async (digest: Digest) => {
    const known = files.get(digest);
    if (known === undefined) throw svcError('SVC-REG-005', { reference: digest });
    return openGuardedFile(known.root, blobPath(digest));
  };
  return {
    add: ({ store, verification }) => {
      for (const recipe of verification.cleared)
        for (const [digest, file] of recipe.files) files.set(digest, { root: store.root, file });
    },
    has: (digest) => files.has(digest),
    openFile,
    isUnchanged: async ({ digest, size }) => {
      const known = files.get(digest);
      if (known === undefined || known.file.size !== size) return false;
      const info = statFile(known.root, blobPath(digest));
      return info !== undefined && isUnchanged(info, known.file);
    },
    open: async ({ digest }) => {
      const { file, size } = await openFile(digest);
      return new FileStream(file, size);
    },
  };
}
