import assert from 'node:assert/strict';
import { cp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import type { Store } from '../../../src/store/model.ts';
import { openServedStore } from '../../../src/store/opening/served-store.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';

let medium: BuiltMedium;
before(async () => {
  medium = await buildMedium({ inMemory: true });
});
after(() => medium[Symbol.asyncDispose]());

const open = (root: string, stateRoot?: string) =>
  openServedStore({
    root,
    stateRoot,
    zone: stateRoot === undefined ? 'zone-b' : undefined,
    access: 'serve',
    producer: { version: '0.0.0-test' },
    report: silentReport,
  });

test('each step of a copy onto a medium shows, and so does another folder in its place', async () => {
  const steps: Readonly<Record<string, (root: string, store: Store) => Promise<void>>> = {
    'a blob is added': (root) => writeFile(join(root, 'blobs/sha256', 'f'.repeat(64)), 'x'),
    'a blob is removed': async (root) => {
      const [, line] = (await readFile(join(root, 'media.jsonl'), 'utf8')).split('\n');
      await rm(join(root, (JSON.parse(line!) as { path: string }).path));
    },
    'the manifest is written in place': async (root) =>
      writeFile(join(root, 'media.jsonl'), await readFile(join(root, 'media.jsonl'))),
    'a ledger is touched': (root, { ledgers }) => utimes(join(root, ledgers.recipes), 0, 0),
    'the folder is another one': async (root) => {
      await rename(root, `${root}-before`);
      await cp(`${root}-before`, root, { recursive: true });
    },
    'the folder is gone': (root) => rename(root, `${root}-gone`),
  };
  for (const [name, change] of Object.entries(steps)) {
    const root = await medium.carry();
    await using store = await open(root);
    assert.deepEqual([store.isChanged(), store.isOutdated()], [false, false], name);
    await change(root, store);
    assert.deepEqual([store.isChanged(), store.isOutdated()], [true, true], name);
  }
});

test('whoever holds the store sees the medium that was opened again, and a file that was distrusted counts as changed', async () => {
  await using other = await buildMedium({ inMemory: true });
  const root = await medium.carry();
  await using store = await open(root);
  const former = store.mediaId;
  await rm(root, { recursive: true });
  await cp(other.root, root, { recursive: true });
  assert.equal(store.mediaId, former);
  await store.reopen();
  assert.notEqual(store.mediaId, former);
  assert.deepEqual(
    store.index.recipes().map(({ digest }) => digest),
    other.records.map(({ digest }) => digest),
  );
  assert.equal(store.isOutdated(), false);
  store.distrust();
  assert.equal(store.isChanged(), true);
  await store.reopen();
  assert.equal(store.isChanged(), false);
});

test('a medium that cannot be opened leaves the former one closed, until its files change again', async () => {
  const root = await medium.carry();
  await using store = await open(root);
  await rename(join(root, 'ledger'), `${root}-ledger`);
  await assert.rejects(store.reopen(), (error) => isSvcError(error, 'SVC-STO-020'));
  assert.deepEqual([store.isChanged(), store.isOutdated()], [false, true]);
  assert.equal(store.index.recipes().length, medium.records.length);
  await assert.rejects(store.core.requireWritable());
  await rename(`${root}-ledger`, join(root, 'ledger'));
  assert.equal(store.isChanged(), true);
  await store.reopen();
  assert.equal(store.isOutdated(), false);
});

test('a store of this instance is never looked at: its own writes are no change', async () => {
  const root = join(medium.folder, 'own');
  await using store = await open(root, join(medium.folder, 'own-state'));
  assert.equal(store.standing, 'ours');
  await writeFile(join(root, 'media.jsonl'), 'x');
  assert.equal(store.isChanged(), false);
});
