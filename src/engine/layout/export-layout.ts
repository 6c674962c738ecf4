import type { LayoutWriter } from '../../archive/layout-writer.ts';
import { Semaphore } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { FileStream } from '../../disk/file-stream.ts';
import { openCopyPool } from '../../disk/threads/copy-pool.ts';
import { blobPath } from '../../oci/layout.ts';
import type { CallOptions, Prober, Source } from '../../oci/ports.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { readStoredManifest } from '../../store/read-stored-manifest.ts';
import { svcError } from '../../text/error.ts';
import { copyGraph } from '../copy/copy-graph.ts';
import type { ExportPlan } from './plan-export.ts';
import { toEntryReference } from './select-entries.ts';

/** Bytes. For smaller blobs a stream in this thread costs less than another thread. */
const smallBytes = 64 << 10;

interface ExportLayoutOptions extends CallOptions {
  readonly store: Store;
  readonly plan: ExportPlan;
  readonly writer: LayoutWriter;
  /** Called with the total number of bytes read so far. */
  readonly onBytes?: (total: number) => void;
  readonly onEntry?: (reference: string, digest: Digest) => void;
}

/**
 * Writes a planned layout from the store. Every byte is hashed in the same read that copies it; content that
 * does not have its digest ends the export.
 *
 * @returns bytes of the layout
 * @throws SVC-SIG-002, SVC-STO-001 for content that is damaged or missing, SVC-STO-00x and SVC-LAY-003 from
 *   the target, the signal's reason
 */
export async function exportLayout(options: ExportLayoutOptions): Promise<number> {
  const { store, plan, writer, signal } = options;
  const source = openPlanned(store, plan);
  const limiter = new Semaphore(writer.concurrency);
  await using pool = openCopyPool({
    ...(writer.concurrency === 1 ? { threads: 1 } : {}),
    onBytes: options.onBytes,
    signal,
  });
  try {
    for (const { descriptor, ...entry } of plan.entries) {
      signal?.throwIfAborted();
      const reference = toEntryReference(entry);
      await copyGraph(source, writer.target, descriptor, {
        reference,
        limiter,
        children: 'where-present',
        foreignLayers: 'where-present',
        moveBlob: async (blob, { onBytes }) => {
          if (blob.size < smallBytes) return false;
          await writer.takeFile(blob, { root: store.root, path: blobPath(blob.digest) }, pool);
          onBytes(blob.size);
          return true;
        },
        signal,
      });
      options.onEntry?.(reference, descriptor.digest);
    }
    signal?.throwIfAborted();
    return await writer.finish();
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** A source limited to the contents of a plan; everything else is reported as absent. */
function openPlanned(store: ExportLayoutOptions['store'], plan: ExportPlan): Source & Prober {
  const planned = new Set(plan.contents.map(({ digest }) => digest));
  const fetchManifest: Source['fetchManifest'] = async (reference) =>
    planned.has(reference as Digest)
      ? readStoredManifest(store, reference as Digest, plan.descriptors.get(reference as Digest))
      : undefined;
  return {
    resolve: async (reference) => (await fetchManifest(reference))?.descriptor,
    fetchManifest,
    fetchBlob: async ({ digest }) => {
      if (!planned.has(digest)) throw svcError('SVC-REG-005', { reference: digest });
      const { file, size } = await openBlob(store, digest);
      return new FileStream(file, size);
    },
    hasBlob: async ({ digest }) => planned.has(digest),
    hasManifest: async (digest) => planned.has(digest),
  };
}
