import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { access, cp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deleteTag } from '../../../src/store/delete-content.ts';
import { emptyStore } from '../../../src/store/empty-store.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { savedIndexPath } from '../../../src/store/opening/saved-index.ts';
import { readStoreKey } from '../../../src/store/opening/store-key.ts';
import { checkContent } from '../../../src/store/repair/check-content.ts';
import { writeRest } from '../../../src/store/rest/write-rest.ts';
import { buildImage, pushArtifact } from '../../kit/content/content.ts';
import { growLedger } from '../../kit/instance/grow-ledger.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { openTempStore, type TempStore } from '../../kit/instance/temp-store.ts';
import { openBoth, type Place } from '../../kit/result/open-both.ts';

const owner = { provenance: 'recipe', recipe: 'app@1.0.0' } as const;
const images = ['one', 'two', 'three'].map((seed) => buildImage(seed, { layerSize: 300 }));
const digests = images.map(({ manifest }) => manifest.descriptor.digest);
const tags = ['v0', 'v1', 'v2'];
const shown = { digests, tags };

const indexOf = ({ root }: Place): string => join(root, savedIndexPath);

async function push({ store }: Pick<TempStore, 'store'>, image: number): Promise<void> {
  await pushArtifact(openRepository(store, `app-${image % 2}`, { owner }), images[image]!, tags[image]!);
}

/** A closed store of two images with a saved index. */
async function openSaved(t: TestContext): Promise<TempStore> {
  const temp = await openTempStore();
  t.after(() => temp[Symbol.asyncDispose]());
  await growLedger(temp.store, 'first', 120);
  await push(temp, 0);
  await push(temp, 1);
  await temp.close();
  return temp;
}

/** Copies the files of a place: a kill leaves the same ones. */
async function copy({ root, stateRoot }: Place, to: string): Promise<Place> {
  const place = { root: join(to, 'store'), stateRoot: join(to, 'state') };
  await cp(root, place.root, { recursive: true });
  await cp(stateRoot, place.stateRoot, { recursive: true });
  return place;
}

const ledgerOf = async ({ root }: Place): Promise<string> => {
  const names = await readdir(join(root, 'ledger'));
  return join(root, 'ledger', names.find((name) => name.startsWith('content'))!);
};

test('the index of a large ledger is saved when the store is closed, for its owner alone, and used by the next opening', async (t) => {
  const temp = await openSaved(t);
  const { mode } = await stat(indexOf(temp));
  assert.equal(mode & 0o777, 0o600);
  assert.deepEqual(await readdir(join(temp.root, '_svc', 'tmp')), []);
  assert.equal(await openBoth(temp, shown), 'used');
  assert.equal(await openBoth(temp, shown, { access: 'read' }), 'used');
  await using store = await openStoreAt(temp);
  for await (const { name, problems, notes } of checkContent(store))
    assert.deepEqual([...problems, ...notes], [], name);
});

test('a small ledger has no saved index', async () => {
  await using temp = await openTempStore();
  await push(temp, 0);
  await temp.close();
  await assert.rejects(access(indexOf(temp)), { code: 'ENOENT' });
});

test('changes after the index was saved are read from the ledger, and few of them do not save it again', async (t) => {
  const temp = await openSaved(t);
  const before = await readFile(indexOf(temp));
  await temp.reopen();
  await push(temp, 2);
  await deleteTag(temp.store, 'app-0', 'v0');
  const killed = await copy(temp, join(temp.folder, 'killed'));
  assert.equal(await openBoth(killed, shown), 'used');
  await temp.close();
  assert.ok(before.equals(await readFile(indexOf(temp))));
  assert.equal(await openBoth(temp, shown), 'used');
  await temp.reopen();
  await growLedger(temp.store, 'second', 60);
  await writeRest(temp.store);
  assert.ok(!before.equals(await readFile(indexOf(temp))));
  await push(temp, 0);
  await temp.close();
  assert.equal(await openBoth(temp, shown), 'used');
});

test('a torn write after the saved index does not count, and damage after it makes the store read-only', async (t) => {
  const temp = await openSaved(t);
  await temp.reopen();
  await push(temp, 2);
  await temp.store.core.contentLedger.sync();
  await deleteTag(temp.store, 'app-0', 'v0');
  const killed = await copy(temp, join(temp.folder, 'killed'));
  const damaged = await copy(temp, join(temp.folder, 'damaged'));
  await temp.close();
  const { length } = JSON.parse(await readFile(indexOf(temp), 'latin1').then(headerOf)).place;
  await truncate(await ledgerOf(killed), (await stat(await ledgerOf(killed))).size - 9);
  assert.equal(await openBoth(killed, shown), 'used');
  const file = await open(await ledgerOf(damaged), 'r+');
  await file.write('x', length + 700);
  await file.close();
  assert.equal(await openBoth(damaged, shown), 'used');
  await using store = await openStoreAt(damaged);
  assert.equal(store.damage.length, 1);
  assert.notEqual(store.readOnly, undefined);
});

const headerBytes = 4096;
const headerOf = (text: string): string => text.slice(65, headerBytes).trimEnd();

test('an index with a byte changed anywhere, cut short or longer is not used', async (t) => {
  const temp = await openSaved(t);
  const whole = await readFile(indexOf(temp));
  const positions = [0, 64, 65, 200, headerBytes - 2, headerBytes - 1, headerBytes, whole.length - 1];
  for (let i = 1; i < 5; i += 1) positions.push(Math.floor((whole.length * i) / 5));
  for (const at of positions) {
    const bytes = Buffer.from(whole);
    bytes[at]! ^= 4;
    await writeFile(indexOf(temp), bytes);
    const found = await openBoth(temp, shown);
    assert.ok(found === 'not whole' || found === 'not of this instance and version', `${at}: ${found}`);
  }
  for (const length of [0, headerBytes - 1, headerBytes, whole.length - 1]) {
    await writeFile(indexOf(temp), whole.subarray(0, length));
    assert.match((await openBoth(temp, shown))!, /^not /, `${length}`);
  }
  await writeFile(indexOf(temp), Buffer.concat([whole, Buffer.from('x')]));
  assert.equal(await openBoth(temp, shown), 'not whole');
  await writeFile(indexOf(temp), whole);
  assert.equal(await openBoth(temp, shown), 'used');
});

test('an index of a later version, under another key or of another store is not used', async (t) => {
  const [temp, other] = [await openSaved(t), await openSaved(t)];
  const whole = await readFile(indexOf(temp));
  const key = (await readStoreKey(temp.stateRoot))!;
  const seal = async (change: (header: Record<string, unknown>) => void, by: Buffer): Promise<void> => {
    const header = JSON.parse(headerOf(whole.toString('latin1')));
    change(header);
    const text = JSON.stringify(header);
    const mac = createHmac('sha256', by).update('svc saved index ').update(text).digest('hex');
    const line = `${`${mac} ${text}`.padEnd(headerBytes - 1)}\n`;
    await writeFile(indexOf(temp), Buffer.concat([Buffer.from(line), whole.subarray(headerBytes)]));
  };
  await seal(() => {}, key);
  assert.equal(await openBoth(temp, shown), 'used', 'the seal of this test is that of the program');
  await seal((header) => {
    header.format = 2;
  }, key);
  assert.equal(await openBoth(temp, shown), 'not of this instance and version');
  await seal((header) => {
    header.endianness = 'BE';
  }, key);
  assert.equal(await openBoth(temp, shown), 'not of this instance and version');
  await seal(() => {}, Buffer.alloc(32, 1));
  assert.equal(await openBoth(temp, shown), 'not of this instance and version');
  await cp(indexOf(other), indexOf(temp));
  assert.equal(await openBoth(temp, shown), 'not of this instance and version');
  // another store of this instance, whose key is the same
  const second = { root: join(temp.folder, 'second'), stateRoot: temp.stateRoot };
  {
    await using store = await openStoreAt(second);
    await growLedger(store, 'other', 130);
  }
  await cp(indexOf(second), indexOf(temp));
  assert.equal(await openBoth(temp, shown), 'of another ledger');
  await assert.doesNotReject(writeFile(indexOf(temp), whole));
});

test('an index is not used once its ledger is shorter, other or of another generation', async (t) => {
  const temp = await openSaved(t);
  const [short, rewritten] = [
    await copy(temp, join(temp.folder, 'short')),
    await copy(temp, join(temp.folder, 'rewritten')),
  ];
  await truncate(await ledgerOf(short), (await stat(await ledgerOf(short))).size - 100);
  assert.equal(await openBoth(short, shown), 'of another ledger');
  const file = await open(await ledgerOf(rewritten), 'r+');
  await file.write('9', 3_000_000);
  await file.close();
  assert.equal(await openBoth(rewritten, shown), 'of another ledger');
  const store = await temp.reopen();
  const { graph, contentLedger } = store.core;
  const medium = { op: 'medium', id: store.mediaId, format: 1 } as const;
  const old = await readFile(indexOf(temp));
  await contentLedger.compact(() => [medium, ...graph.snapshot()]);
  await temp.close();
  assert.equal(await openBoth(temp, shown), 'used', 'saved again, of the new generation');
  await writeFile(indexOf(temp), old);
  assert.equal(await openBoth(temp, shown), 'of another ledger');
});

test('of a restored backup, an older index is read on from and a newer one is not used', async (t) => {
  const temp = await openSaved(t);
  const backup = await copy(temp, join(temp.folder, 'backup'));
  await temp.reopen();
  await growLedger(temp.store, 'second', 60);
  await push(temp, 2);
  await temp.close();
  assert.equal(await openBoth(temp, shown), 'used');
  const newer = await copy(temp, join(temp.folder, 'newer'));
  await cp(indexOf(backup), indexOf(temp));
  assert.equal(await openBoth(temp, shown), 'used');
  await cp(indexOf(newer), indexOf(backup));
  assert.equal(await openBoth(backup, shown), 'of another ledger');
  // only the state is older
  await rm(newer.stateRoot, { recursive: true });
  await cp(backup.stateRoot, newer.stateRoot, { recursive: true });
  assert.equal(await openBoth(newer, shown), 'of another ledger');
});

test('a store that was emptied, or lost its state folder, is not opened by an index', async (t) => {
  const temp = await openSaved(t);
  const foreign = await copy(temp, join(temp.folder, 'foreign'));
  await rm(foreign.stateRoot, { recursive: true });
  assert.equal(await openBoth(foreign, shown), undefined);
  await temp.reopen();
  await emptyStore(temp.store);
  await assert.rejects(access(indexOf(temp)), { code: 'ENOENT' });
  await temp.close();
  assert.equal(await openBoth(temp, shown), undefined);
});

test('an index that cannot be saved fails no closing, and leaves the one before', async (t) => {
  const temp = await openSaved(t);
  const before = await readFile(indexOf(temp));
  const report = createRecordingReport();
  const store = await temp.reopen({ report });
  await growLedger(store, 'second', 60);
  // a folder in its way
  await rm(indexOf(temp));
  await cp(join(temp.root, 'ledger'), indexOf(temp), { recursive: true });
  await temp.close();
  const warnings = report.records.filter(({ level }) => level === 'warn').map(({ message }) => message);
  assert.deepEqual(warnings, ['The index of the store could not be saved; its next opening takes longer']);
  assert.deepEqual(await readdir(join(temp.root, '_svc', 'tmp')), []);
  assert.equal(await openBoth(temp, shown), 'unreadable');
  await rm(indexOf(temp), { recursive: true });
  await writeFile(indexOf(temp), before);
  assert.equal(await openBoth(temp, shown), 'used');
});

test('a change that starts while the index is saved does not wait for it, and nothing is saved', async (t) => {
  const temp = await openSaved(t);
  const store = await temp.reopen();
  await growLedger(store, 'second', 60);
  const before = await readFile(indexOf(temp));
  const { keeper } = store.core;
  let pushed: Promise<void> | undefined;
  await keeper.atRest(async (signal) => {
    const done = store.core.parts.saveIndex(store.mediaId, signal);
    pushed = push(temp, 2);
    await assert.rejects(done, { name: 'RestAbandoned' });
  });
  await pushed;
  assert.ok(before.equals(await readFile(indexOf(temp))));
  assert.deepEqual(
    (await readdir(join(temp.root, '_svc', 'tmp'))).filter((name) => name === 'index'),
    [],
  );
  await temp.close();
  assert.equal(await openBoth(temp, shown), 'used');
});
