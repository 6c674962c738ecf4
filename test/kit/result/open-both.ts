import assert from 'node:assert/strict';
import type { Digest } from '../../../src/base/digest.ts';
import type { OpenStoreOptions, Store } from '../../../src/store/model.ts';
import { openStoreAt } from '../instance/open-store-at.ts';
import { createRecordingReport } from '../instance/recording-report.ts';
import { describeGraph } from './describe-graph.ts';

export interface Place {
  readonly root: string;
  readonly stateRoot: string;
}

/**
 * Opens a store with its saved index and without, and requires that both are the same.
 *
 * @param shown digests and tags that are compared in every respect
 * @returns what was logged about the index: `used`, or why it is not
 */
export async function openBoth(
  place: Place,
  {
    digests = [],
    tags = [],
  }: { readonly digests?: readonly Digest[]; readonly tags?: readonly string[] } = {},
  options: Partial<OpenStoreOptions> = {},
): Promise<string | undefined> {
  const report = createRecordingReport();
  await using store = await openStoreAt(place, { access: 'peek', ...options, report });
  await using thorough = await openStoreAt(place, { access: 'peek', isThorough: true });
  assert.deepEqual(
    describeGraph(store.core.graph, digests, tags),
    describeGraph(thorough.core.graph, digests, tags),
  );
  const describe = ({ head, standing, reason, mediaId, damage, notices, core }: Store) => ({
    ...{ head, standing, reason, mediaId, damage, notices, bytes: core.state.bytes },
    authors: core.contentLedger.authors,
    records: core.contentLedger.records,
    place: core.contentLedger.place(),
  });
  assert.deepEqual(describe(store), describe(thorough));
  const said = report.records.filter(({ message }) => message.includes('saved index'));
  assert.ok(said.length <= 1);
  const [line] = said;
  return line && (line.message.endsWith('is used') ? 'used' : `${line.fields.reason}`);
}
