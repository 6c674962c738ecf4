import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Digest, digestAlgorithm, hashBytes, isDigest } from '../../base/digest.ts';
import { FileStream } from '../../disk/file-stream.ts';
import { openGuardedFile } from '../../disk/guarded-open.ts';
import type { FileIdentity, HashOutcome } from '../../disk/threads/hash-file.ts';
import { isUnchanged } from '../../disk/threads/hash-file.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { blobPath } from '../../oci/layout.ts';
import type {
  ManifestContent,
  ManifestFetcher,
  Prober,
  Resolver,
  SignedSource,
  Source,
} from '../../oci/ports.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { openRepository } from '../../store/open-repository.ts';
import { svcError } from '../../text/error.ts';
import { openClearedSource } from '../medium/cleared-source.ts';
import { selectUnchanged, statFile } from '../medium/hash-medium.ts';
import type { AwayContent } from '../medium/parts/away-content.ts';
import type { MediumVerification } from '../medium/verify-medium.ts';

/** A medium of the delivery, after its verification. */
export interface CarriedFolder {
  readonly folder: string;
  readonly store: Store;
  readonly verification: MediumVerification;
  /** Its files as they were hashed, with bytes of small ones. */
  readonly outcomes: ReadonlyMap<string, HashOutcome>;
}

/**
 * Opens a repository of a folder: content that verified recipes reach. A small file that is still the one that was hashed is
 * not read again.
 *
 * @param away finds blobs that are not whole in the folder
 */
export function openCarried(
  { store, verification, outcomes }: CarriedFolder,
  repository: string,
  away: Pick<AwayContent, 'has' | 'open'>,
): SignedSource & Prober {
  const names = openRepository(store, repository, { owner: { provenance: 'recipe' } });
  const unchanged = selectUnchanged(store.root, outcomes);
  return openClearedSource(store.root, verification.cleared, names, away, unchanged);
}

/** Bytes of documents that are kept at most: of a blob, and in all. */
const keptBytes = { blob: 64 << 10, all: 16 << 20 } as const;

/**
 * Keeps manifests that were fetched by their digest, and small blobs. Each folder of a delivery has all of them, and its
 * verification hashed them there: a proof reads them from one folder, once.
 */
export function keepDocuments(): <S extends SignedSource & Prober>(source: S) => S {
  const kept = new Map<string, ManifestContent>();
  const keptBlobs = new Map<Digest, Buffer>();
  let left: number = keptBytes.all;
  return (source) => {
    const fetchManifest: ManifestFetcher['fetchManifest'] = async (reference, options) => {
      const known = kept.get(reference);
      // a recipe that another folder has whole may be damaged in this one
      if (known !== undefined) return (await source.hasManifest(known.descriptor.digest)) ? known : undefined;
      const found = await source.fetchManifest(reference, options);
      if (found === undefined || found.descriptor.digest !== reference || found.bytes.length > left)
        return found;
      left -= found.bytes.length;
      kept.set(reference, found);
      return found;
    };
    const resolve: Resolver['resolve'] = async (reference, options) =>
      isDigest(reference)
        ? (await fetchManifest(reference, options))?.descriptor
        : source.resolve(reference, options);
    const fetchBlob: Source['fetchBlob'] = async (blob, options) => {
      const { digest, size } = blob;
      const known = keptBlobs.get(digest);
      if (known?.length === size && (await source.hasBlob(blob))) return Readable.from([known]);
      const stream = await source.fetchBlob(blob, options);
      if (known !== undefined || size > Math.min(keptBytes.blob, left)) return stream;
      const bytes = await buffer(stream);
      if (bytes.length === size && hashBytes(bytes, digestAlgorithm(digest)) === digest) {
        left -= size;
        keptBlobs.set(digest, bytes);
      }
      return Readable.from([bytes]);
    };
    return { ...source, fetchManifest, resolve, fetchBlob };
  };
}

/** The files of a delivery as its verification hashed them, and content of the zone that the sender has too. */
export interface HashedFiles {
  /** Adds the files that verified recipes of a folder reach. */
  add(folder: CarriedFolder): void;
  /**
   * Whether a file that a verified recipe reaches is still the file that was hashed: the same device, size and time of the
   * last change.
   */
  isUnchanged(blob: Descriptor): Promise<boolean>;
  /** Whether a folder or the store has the content whole. The parts of a delivery may have segments of it. */
  has(digest: Digest): boolean;
  /** Opens a file; the caller closes it. @throws SVC-REG-005 for content that nothing has whole, SVC-STO-001, SVC-STO-014 */
  openFile(digest: Digest): ReturnType<typeof openGuardedFile>;
  /** Opens a file as a stream. @throws as `openFile` */
  open(blob: Descriptor): Promise<Readable>;
}

/**
 * Opens the files of a delivery, whose folders are added as they are verified.
 *
 * @param store of the sender: it has content that the zone has, and that a delivery leaves out
 */
export function openHashedFiles(store?: Store): HashedFiles {
  const files = new Map<Digest, { readonly root: string; readonly file: FileIdentity }>();
  const openFile = async (digest: Digest) => {
    const known = files.get(digest);
    if (known !== undefined) return openGuardedFile(known.root, blobPath(digest));
    if (store?.index.sizeOf(digest) === undefined) throw svcError('SVC-REG-005', { reference: digest });
    return openBlob(store, digest);
  };
  return {
    add: ({ store, verification }) => {
      for (const recipe of verification.cleared)
        for (const [digest, file] of recipe.files) files.set(digest, { root: store.root, file });
    },
    has: (digest) => files.has(digest) || store?.index.sizeOf(digest) !== undefined,
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
