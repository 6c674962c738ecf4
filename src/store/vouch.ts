import type { Digest } from '../base/digest.ts';
import type { Content } from '../catalog/content.ts';
import type { Store } from './model.ts';
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

/** Records what this process has hashed, once it is durable. @throws SVC-STO-002 */
export async function vouchHashed(store: Pick<Store, 'core'>): Promise<void> {
  const { hashed } = store.core.state;
  if (hashed.size === 0) return;
  const digests = [...hashed].map(({ digest }) => digest);
  await vouch(store, digests);
}

/** Does so beside what goes on: a pull does not wait for it. */
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

/** Takes what this process has hashed and would survive a power cut, for the record that says so. */
export function takeDurable({ files, state }: Pick<StoreCore, 'files' | 'state'>): readonly Digest[] {
  const digests: Digest[] = [];
  for (const content of state.hashed) {
    if (content.sound && !files.isDurable(content)) continue;
    state.hashed.delete(content);
    if (content.sound) digests.push(content.digest);
  }
  return digests;
}
