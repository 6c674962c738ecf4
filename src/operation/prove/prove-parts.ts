import type { MediumProof } from '../../contract/proof.ts';
import type { HashedFile } from '../../disk/threads/hash-file.ts';
import type { Contents } from '../../engine/copy/sum-contents.ts';
import { checkCapacity, hasRoom } from '../../engine/prove/capacity-step.ts';
import { openHashedFiles } from '../../engine/prove/carried-folder.ts';
import { Landing } from '../../engine/prove/import-step.ts';
import { ProofBook } from '../../engine/prove/proof-book.ts';
import { isSvcError } from '../../text/error.ts';
import { destination, openZoneRegistry, toAgainst } from './seed-base.ts';
import { type VerifyFolderOptions, verifyFolder } from './verify-folder.ts';

/** The proof of a delivery that grows part by part: the steps `media`, `trust`, `import` and `capacity`. */
export interface PartsProof {
  /**
   * Verifies a complete part and imports it. Its disk is needed until this returns. An error of reading it is a finding.
   *
   * @param folder real path
   * @param readBack files that the writing read from its disk: those whose files did not change are not hashed again
   * @returns whether this part and all before are proved, as far as they need no later part, and the zone has room for all
   */
  add(folder: string, readBack?: ReadonlyMap<string, HashedFile>): Promise<boolean>;
  /** The proof of all parts: no recipe may wait any more, and the zone must have room. */
  conclude(): Promise<MediumProof>;
}

/**
 * Begins the proof of a delivery that is being written. Opens no connection, and writes nothing to the parts.
 *
 * @param options.base the assumed registry of the zone. Default: an empty one
 * @param options.content sizes in bytes of all contents that the parts bring
 * @param options.held sizes in bytes of blobs that the zone has besides
 * @throws errors of reading the store
 */
export async function openPartsProof(
  options: VerifyFolderOptions & { readonly content: Contents; readonly held?: Contents | undefined },
): Promise<PartsProof> {
  const { base, held, signal } = options;
  // a relaxed scope of this configuration says nothing about the zone
  const policy = { ...options.policy, scopes: [] };
  const book = new ProofBook(destination.registry);
  const files = openHashedFiles(base?.store);
  const { registry, homes } = await openZoneRegistry(base, files, { signal }, held);
  // the first disk leaves before the last one is written, and all disks need the room
  const isRoomy = hasRoom(base?.receipt, registry.missingBytes(options.content));
  const landing = new Landing(book, { registry, destination, policy, homes, signal });
  const measure = (work: () => Promise<void>): Promise<void> =>
    book.measure('import', async () => {
      const before = landing.count;
      await work();
      const { checked, bytes } = landing.count;
      return { checked: checked - before.checked, bytes: bytes - before.bytes };
    });
  return {
    add: async (folder, readBack) => {
      // the disk can leave after this: nothing of it stays open
      await using opened = new AsyncDisposableStack();
      try {
        const { carried } = await verifyFolder(book, folder, { ...options, policy, readBack }, opened);
        if (carried !== undefined) {
          files.add(carried);
          await measure(async () => {
            await landing.add(carried);
            await landing.repeat(carried);
          });
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (!isSvcError(error)) throw error;
        book.find('media', 'error', folder, error);
      }
      return isRoomy && !book.isRefused;
    },
    conclude: async () => {
      await measure(() => landing.conclude());
      if (!book.isRefused)
        await book.measure('capacity', async () => checkCapacity(book, registry, base?.receipt));
      return book.conclude(toAgainst(base), [], { strict: false });
    },
  };
}
