import assert from 'node:assert/strict';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Owner } from '../../src/contract/content.ts';
import { deleteTag } from '../../src/store/delete-content.ts';
import { emptyStore } from '../../src/store/empty-store.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { recordSync } from '../../src/store/record-sync.ts';
import { isSvcError } from '../../src/text/error.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { openTempStore, type TempStore } from '../kit/instance/temp-store.ts';

const owner: Owner = { provenance: 'recipe', recipe: 'app@1.0.0', cookbook: 'x.io/c' };
const sync = { zone: 'ship', runId: 'run_1', resolvedAt: '2026-01-02T03:04:05Z' };
const isCode = (code: 'SVC-STO-002' | 'SVC-STO-007' | 'SVC-STO-018' | 'SVC-STO-019') => (error: unknown) =>
  isSvcError(error, code);

const push = ({ store }: Pick<TempStore, 'store'>, name: string) =>
  pushArtifact(openRepository(store, 'docker.io/app', { owner }), buildImage(name), name);

/** Puts a folder where the next generation of a ledger would be, so that it cannot be written. */
async function obstruct({ root, store }: TempStore, ledger: 'content' | 'recipes'): Promise<string> {
  const next = store.ledgers[ledger].replace(/\d+(?=\.jsonl$)/, (n) =>
    String(Number(n) + 1).padStart(n.length, '0'),
  );
  const path = join(root, next);
  await mkdir(path);
  return path;
}

test('a reset whose second ledger fails has emptied the store, says so, and is completed when it is opened again', async () => {
  await using temp = await openTempStore({ mode: 'mirror' });
  await push(temp, 'one');
  await recordSync(temp.store, sync, []);
  const before = temp.store.mediaId;
  const obstacle = await obstruct(temp, 'recipes');
  await assert.rejects(emptyStore(temp.store), isCode('SVC-STO-018'));
  assert.deepEqual(temp.store.index.repositories(), [], 'what is served is what the next opening finds');
  assert.notEqual(temp.store.mediaId, before);
  assert.match(String(temp.store.readOnly), /opening the store again completes it/);
  const { mediaId } = temp.store;
  // nothing is acknowledged that the next opening would lose
  await assert.rejects(push(temp, 'two'), isCode('SVC-STO-002'));
  await assert.rejects(recordSync(temp.store, sync, []), isCode('SVC-STO-002'));
  await rm(obstacle, { recursive: true });
  const again = await temp.reopen();
  assert.deepEqual([again.mediaId, again.standing, again.readOnly], [mediaId, 'ours', undefined]);
  assert.deepEqual([again.index.repositories(), again.lastSync], [[], undefined]);
  await push({ store: again }, 'three');
  const last = await temp.reopen();
  assert.deepEqual(last.index.repositories(), ['docker.io/app']);
});

test('a reset whose first ledger fails has changed nothing', async () => {
  await using temp = await openTempStore({ mode: 'mirror' });
  await push(temp, 'one');
  const { mediaId } = temp.store;
  const obstacle = await obstruct(temp, 'content');
  await assert.rejects(emptyStore(temp.store), isCode('SVC-STO-002'));
  assert.deepEqual([temp.store.mediaId, temp.store.index.repositories()], [mediaId, ['docker.io/app']]);
  await rm(obstacle, { recursive: true });
  const again = await temp.reopen();
  assert.deepEqual([again.mediaId, again.index.repositories()], [mediaId, ['docker.io/app']]);
});

test('a ledger that cannot be opened for writing is found before a reset begins', async () => {
  await using temp = await openTempStore({ mode: 'mirror' });
  await push(temp, 'one');
  const store = await temp.reopen();
  await push({ store }, 'two');
  const obstacle = await obstruct(temp, 'recipes');
  await assert.rejects(emptyStore(store), isCode('SVC-STO-007'));
  await push({ store }, 'three');
  await rm(obstacle, { recursive: true });
  const again = await temp.reopen();
  assert.deepEqual(again.index.tags('docker.io/app').length, 3);
});

test('while the folder of a store is away or another one is in its place, nothing is acknowledged', async () => {
  await using temp = await openTempStore({ mode: 'mirror' });
  await push(temp, 'one');
  const away = `${temp.root}.away`;
  await rename(temp.root, away);
  const refuseAll = async (): Promise<void> => {
    for (const change of [
      () => push(temp, 'two'),
      () => deleteTag(temp.store, 'docker.io/app', 'one'),
      () => recordSync(temp.store, sync, []),
      () => emptyStore(temp.store),
    ])
      await assert.rejects(change(), isCode('SVC-STO-019'));
  };
  await refuseAll();
  await cp(away, temp.root, { recursive: true });
  await refuseAll();
  await rm(temp.root, { recursive: true });
  await rename(away, temp.root);
  await push(temp, 'three');
  const again = await temp.reopen();
  assert.equal(again.index.tags('docker.io/app').length, 2);
});
