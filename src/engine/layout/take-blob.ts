import { lstat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Layout, Place } from '../../archive/model.ts';
import { requireCopied } from '../../archive/require-copied.ts';
import { digestAlgorithm } from '../../base/digest.ts';
import { SharedWork } from '../../base/shared-work.ts';
import type { CopyPool } from '../../disk/threads/copy-pool.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { newTemporary, takeFile } from '../../store/write-blob.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { BlobMover } from '../copy/copy-graph.ts';

/** Bytes. For smaller blobs a stream in this thread costs less than another thread. */
const smallBytes = 64 << 10;

/**
 * Creates the import of blobs of a layout into the store by copying files, in threads. Each is hashed in the
 * same read that copies it, and is put only when it has the digest. Each is copied once, however many entries
 * need it.
 */
export function createLayoutTransfer(
  layout: Pick<Layout, 'locate'>,
  store: Store,
  pool: Pick<CopyPool, 'copy'>,
): BlobMover {
  // entries that declare different sizes of a blob fail separately
  const arriving = new SharedWork<string>();
  // blobs are shared by all repositories of the store, so the name is not used
  const anywhere = openRepository(store, '_', { owner: { provenance: 'import' } });
  const bring = async (blob: Descriptor): Promise<void> => {
    const { digest, size } = blob;
    const place = layout.locate(digest);
    if (place === undefined) throw svcError('SVC-REG-005', { reference: digest });
    const actualSize = place.size ?? (await measure(place));
    if (actualSize !== size) {
      const actual = rule(
        ['{actualSize} bytes instead of {size}', fr`{actualSize} octets au lieu de {size}`],
        { actualSize, size },
      );
      throw svcError('SVC-SIG-002', { reference: digest, expected: digest, actual });
    }
    const path = await newTemporary(store, size);
    try {
      const outcome = await pool.copy({
        source: place,
        size,
        algorithm: digestAlgorithm(digest),
        target: { path, durable: false },
      });
      requireCopied(outcome, blob, { source: place, target: path, unreadable: 'SVC-LAY-001' });
      await takeFile(store, path, digest, size);
    } finally {
      // fails when the file has become the blob
      await unlink(path).catch(() => {});
    }
  };
  return async (blob, { onBytes }) => {
    if (blob.size < smallBytes) return false;
    await arriving.run(blob.digest, `${blob.size}`, async () => {
      if (await anywhere.hasBlob(blob)) return;
      await bring(blob);
      onBytes(blob.size);
    });
    return true;
  };
}

/** Size of a file in bytes, compared before space is reserved. A link is not followed. */
async function measure({ root, path }: Place): Promise<number> {
  try {
    return (await lstat(join(root, path))).size;
  } catch (error) {
    throw svcError('SVC-LAY-001', { path: join(root, path) }, { cause: error });
  }
}
