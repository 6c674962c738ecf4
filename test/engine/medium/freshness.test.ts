import assert from 'node:assert/strict';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  advance,
  type FreshnessRecord,
  findImport,
  isFromTheFuture,
  isStale,
  openFreshness,
  selectFreshest,
  selectNewer,
  selectNewest,
} from '../../../src/engine/medium/freshness.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const record: FreshnessRecord = {
  mediaId: 'first',
  resolvedAt: '2026-03-01T00:00:00.000Z',
  importedAt: '2026-03-02T00:00:00.000Z',
  runId: 'run-1',
  recipes: { shop: '1.10.0', depot: '2.0.0' },
};
const landed = (change: Partial<FreshnessRecord>): FreshnessRecord => ({
  ...record,
  mediaId: 'second',
  runId: 'run-2',
  ...change,
});

test('only what is older than the mark is stale, and nothing is without one', () => {
  assert.equal(isStale('2026-02-28T23:59:59.999Z', record), true);
  assert.equal(isStale('2026-03-01T00:00:00Z', record), false);
  assert.equal(isStale('2026-03-01T01:00:00+01:00', record), false);
  assert.equal(isStale('2026-03-01T00:00:00.001Z', record), false);
  assert.equal(isStale('1970-01-01T00:00:00Z', undefined), false);
});

test('a time is from the future when it is more than a day ahead of the clock', () => {
  const now = Date.parse('2026-03-01T00:00:00Z');
  assert.equal(isFromTheFuture('2026-03-02T00:00:00Z', now), false);
  assert.equal(isFromTheFuture('2026-03-02T00:00:00.001Z', now), true);
});

test('an import moves the mark to the time of its medium', () => {
  const next = advance(
    record,
    landed({ resolvedAt: '2026-03-05T00:00:00Z', importedAt: '2026-03-06T00:00:00Z' }),
  );
  assert.equal(next.resolvedAt, '2026-03-05T00:00:00.000Z');
  assert.equal(next.mediaId, 'second');
  assert.equal(next.runId, 'run-2');
});

test('the mark never moves back, and neither does a version, also when an older delivery was let through', () => {
  const next = advance(
    record,
    landed({ resolvedAt: '2026-01-01T00:00:00Z', recipes: { shop: '1.9.0', fresh: '0.1.0' } }),
  );
  assert.deepEqual([next.mediaId, next.resolvedAt], [record.mediaId, record.resolvedAt]);
  assert.deepEqual(next.recipes, { shop: '1.10.0', depot: '2.0.0', fresh: '0.1.0' });
});

test('the times of a record are those of its medium, and an older medium that was let through is the last import', () => {
  const resolvedAt = '2026-01-01T00:00:00.000Z';
  const older = advance(record, landed({ resolvedAt, importedAt: '2026-03-03T00:00:00.000Z' }));
  const { recipes: _, ...freshest } = record;
  const { last, recipes, vouched: _v, ...kept } = older;
  assert.deepEqual([kept, recipes], [freshest, record.recipes]);
  assert.deepEqual([last?.mediaId, last?.resolvedAt], ['second', resolvedAt]);
  assert.equal(findImport(older, { mediaId: 'second', resolvedAt })?.runId, 'run-2');
  assert.equal(findImport(older, record)?.runId, 'run-1');
  assert.equal(findImport(older, { mediaId: 'third', resolvedAt }), undefined);
  const again = advance(older, landed({ mediaId: 'third' }));
  for (const [mediaId, runId] of [
    ['first', 'run-1'],
    ['second', 'run-2'],
  ] as const)
    assert.equal(findImport(again, { mediaId })?.runId, runId, 'imports of other media are remembered');
  assert.deepEqual([again.mediaId, again.resolvedAt, again.last], ['third', record.resolvedAt, undefined]);
});

test('the date of a medium with a passport counts beside media of the same peer', () => {
  const importedAt = '2026-03-09T00:00:00.000Z';
  const take = (before: FreshnessRecord | undefined, mediaId: string, day: number, peer?: string) =>
    advance(
      before,
      landed({ mediaId, importedAt, resolvedAt: `2026-03-0${day}T00:00:00Z`, ...(peer ? { peer } : {}) }),
    );
  const ofPeer = (known: FreshnessRecord, peer?: string) => selectFreshest(known, peer)?.mediaId;
  const fresh = ['a', 'b', undefined].reduce<FreshnessRecord | undefined>(
    (known, peer, i) => take(known, `of ${peer}`, 2 + i, peer),
    undefined,
  )!;
  assert.deepEqual([ofPeer(fresh, 'a'), ofPeer(fresh, 'b'), ofPeer(fresh)], ['of a', 'of b', 'of undefined']);
  assert.equal(ofPeer(fresh, 'c'), undefined);
  assert.equal(ofPeer(take(fresh, 'older', 1, 'a'), 'a'), 'of a');
  assert.equal(ofPeer(take(fresh, 'newer', 9, 'a'), 'a'), 'newer');
  // a record of an earlier version does not say who vouched
  const known = { ...record, resolvedAt: '2026-03-02T00:00:00.000Z' };
  const after = take(take(known, 'late', 3), 'early', 1, 'b');
  assert.deepEqual(
    [ofPeer(record, 'a'), ofPeer(after, 'a'), ofPeer(after, 'b')],
    ['first', 'first', 'first'],
  );
  assert.equal(ofPeer(take(after, 'newer', 3, 'a'), 'a'), 'newer');
});

test('the deliveries of one store are told apart, also one whose date was limited', () => {
  const now = '2026-03-06T00:00:00.000Z';
  const future = { mediaId: 'first', resolvedAt: '2099-01-01T00:00:00Z', importedAt: now };
  const after = advance(record, landed(future));
  assert.equal(after.resolvedAt, now);
  assert.equal(findImport(after, future)?.importedAt, now);
  assert.equal(findImport(after, record)?.importedAt, record.importedAt);
  assert.equal(findImport(after, { ...record, resolvedAt: '2026-02-01T00:00:00Z' }), undefined);
});

test('of two peers, the newest import is the one that came last, whatever its date', () => {
  const toImport = (peer: string, day: number, imported: number) => ({
    ...{ peer, resolvedAt: `2026-03-0${day}T00:00:00Z`, importedAt: `2026-03-0${imported}T00:00:00Z` },
  });
  const [late, evil, source] = [toImport('source', 1, 9), toImport('evil', 7, 5), toImport('source', 3, 6)];
  assert.equal(selectNewest([evil, source]), source);
  assert.equal(selectNewest([toImport('source', 3, 4), evil]), evil);
  assert.equal(selectNewest([late, source]), source);
  assert.equal(selectNewest([]), undefined);
});

test('one bad clock at the source does not shut out every later medium', () => {
  const importedAt = '2026-03-06T00:00:00Z';
  const next = advance(undefined, landed({ resolvedAt: '2099-01-01T00:00:00Z', importedAt }));
  assert.equal(next.resolvedAt, '2026-03-06T00:00:00.000Z');
  assert.equal(isStale('2026-03-07T00:00:00Z', next), false);
});

test('a version below the imported one is named, by SemVer and by own names only', () => {
  assert.equal(selectNewer('shop', '1.9.0', record), '1.10.0');
  assert.equal(selectNewer('shop', '1.10.0-rc.1', record), '1.10.0');
  assert.equal(selectNewer('shop', '1.10.0', record), undefined);
  assert.equal(selectNewer('shop', '2.0.0', record), undefined);
  assert.equal(selectNewer('unknown', '0.0.1', record), undefined);
  assert.equal(selectNewer('shop', '0.0.1', undefined), undefined);
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
    assert.equal(selectNewer(name, '0.0.1', record), undefined);
});

test('records are kept by zone, whatever it is called, and the file is for its owner only', async () => {
  await using folder = await openTempFolder();
  const records = openFreshness(folder.path);
  assert.equal(await records.get('zone-b'), undefined);
  for (const zone of ['zone-b', '__proto__', 'constructor'])
    await records.update(zone, (known) => {
      assert.equal(known, undefined);
      return { ...record, mediaId: zone };
    });
  const again = openFreshness(folder.path);
  for (const zone of ['zone-b', '__proto__', 'constructor'])
    assert.equal((await again.get(zone))?.mediaId, zone);
  assert.equal(await again.get('zone-c'), undefined);
  const path = join(folder.path, 'media', 'freshness.json');
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('changes that meet are all kept', async () => {
  await using folder = await openTempFolder();
  const versions = Array.from({ length: 8 }, (_, i) => `1.${i}.0`);
  await Promise.all(
    versions.map((version, i) =>
      openFreshness(folder.path).update('zone-b', (known) =>
        advance(known, landed({ recipes: { [`recipe-${i}`]: version } })),
      ),
    ),
  );
  const kept = await openFreshness(folder.path).get('zone-b');
  assert.equal(Object.keys(kept!.recipes).length, 8);
});

for (const [name, text] of [
  ['cut off', '{"zone-b":'],
  ['not an object', '[]x'],
  ['a record without a time', JSON.stringify({ 'zone-b': { ...record, resolvedAt: 'yesterday' } })],
  ['a version that is no text', JSON.stringify({ 'zone-b': { ...record, recipes: { shop: 1 } } })],
] as const) {
  test(`a record that cannot be read is an error, not the absence of a mark: ${name}`, async () => {
    await using folder = await openTempFolder();
    await mkdir(join(folder.path, 'media'));
    const path = join(folder.path, 'media', 'freshness.json');
    await writeFile(path, text);
    const records = openFreshness(folder.path);
    await assert.rejects(records.get('zone-b'), (error) => isSvcError(error, 'SVC-STO-001'));
    await assert.rejects(
      records.update('zone-b', () => record),
      (error) => isSvcError(error, 'SVC-STO-001'),
    );
    assert.equal(await readFile(path, 'utf8'), text);
  });
}
