import type { Digest } from '../base/digest.ts';
import type { Content } from '../catalog/content.ts';
import type { Store } from './model.ts';
import type { StoreCore } from './store-core.ts';

/** Most digests in one record, so that the size of a ledger batch is bounded. */
const recordSize = 1000;

/**
 * Vouches in the ledger for blobs that the caller has hashed completely, so that blobs of an adopted store
 * are not hashed again. The blobs are made durable first.
 *
 * @returns the number of blobs that were not vouched for before
 * @throws SVC-STO-002
 */
export async function vouch({ core }: Pick<Store, 'core'>, digests: Iterable<Digest>): Promise<number> {
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

/** Vouches for content that this process has hashed, after it is durable. @throws SVC-STO-002 */
export async function vouchHashed(store: Pick<Store, 'core'>): Promise<void> {
  const { hashed } = store.core.state;
  if (hashed.size === 0) return;
  const digests = [...hashed].map(({ digest }) => digest);
  await vouch(store, digests);
}

/** Starts `vouchHashed` in the background: a pull does not wait for it. */
export function vouchSoon(store: Pick<Store, 'core'>): void {
  const { report, state } = store.core;
  if (state.hashed.size === 0 || !state.isWriter) return;
  state.vouching ??= vouchHashed(store)
    .catch((error: unknown) => {
      report.log('warn', 'Hashed content could not be recorded as verified', { error });
    })
    .finally(() => {
      state.vouching = undefined;
    });
}

/** Takes the hashed content that is durable, for the record that vouches for it. */
export function takeDurable({ files, state }: Pick<StoreCore, 'files' | 'state'>): readonly Digest[] {
  const digests: Digest[] = [];
  for (const content of state.hashed) {
    if (content.sound && !files.isDurable(content)) continue;
    state.hashed.delete(content);
    if (content.sound) digests.push(content.digest);
  }
  return digests;
}
