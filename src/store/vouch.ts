import type { Digest } from '../base/digest.ts';
import type { Content } from './content.ts';
import type { StoreCore } from './store-core.ts';

/** Digests in one record: a batch of the ledger must not grow with the store. */
const recordSize = 1000;

/**
 * Records that blobs are whole whose every byte the caller has hashed: of an adopted store, so that nobody hashes them
 * again. They are durable before it is said.
 *
 * @returns how many nobody had vouched for before
 * @throws SVC-STO-002
 */
export async function vouch(core: StoreCore, digests: Iterable<Digest>): Promise<number> {
  let count = 0;
  let batch: Content[] = [];
  const flush = async (): Promise<void> => {
    await core.files.makeDurable(batch);
    await core.keeper.change('ledger', () => core.gate.shared(() => core.record([])));
    count += batch.length;
    batch = [];
  };
  for (const digest of digests) {
    const id = core.graph.contents.find(digest);
    if (id === undefined || !core.graph.isUnvouched({ id })) continue;
    const content = core.graph.contents.at(id);
    if (!content.present) continue;
    await core.files.vouch(content);
    batch.push(content);
    if (batch.length === recordSize) await flush();
  }
  if (batch.length > 0) await flush();
  return count;
}
