import assert from 'node:assert/strict';
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { LedgerState } from '../../../src/ledger/ledger.ts';
import {
  emptyLedgerState,
  maxRememberedMedia,
  readRememberedLedgers,
  rememberLedgers,
} from '../../../src/store/opening/remembered-ledgers.ts';
import { judgeStanding, type LedgerFacts, toLedgerFacts } from '../../../src/store/opening/standing.ts';
import { openStoreKey, readStoreKey } from '../../../src/store/opening/store-key.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openTempLedger } from '../../kit/instance/temp-ledger.ts';

const state: LedgerState = { generation: 1, length: 500, sequence: 4, sha256: 'a'.repeat(64) };
const ours: LedgerFacts = {
  state,
  keyed: true,
  authors: { verified: 4, unkeyed: 0, foreign: 0 },
  prefix: 'matches',
  remembered: state,
};
const unkeyed: LedgerFacts = {
  ...ours,
  keyed: false,
  authors: { verified: 0, unkeyed: 4, foreign: 0 },
  prefix: 'unknown',
  remembered: undefined,
};
const empty: LedgerFacts = {
  state: emptyLedgerState,
  keyed: false,
  authors: { verified: 0, unkeyed: 0, foreign: 0 },
  prefix: 'unknown',
  remembered: emptyLedgerState,
};
const judge = (ledgers: readonly LedgerFacts[], hasStateRoot = true, zone?: string): string => {
  const { standing, reason, needsStateRoot } = judgeStanding({ hasStateRoot, zone, ledgers });
  return [standing, reason, needsStateRoot ? 'needs state' : undefined].filter(Boolean).join(' ');
};

test('a store belongs to this instance when every ledger is under its key and extends its remembered state', () => {
  assert.equal(judge([ours, ours]), 'ours');
  assert.equal(judge([ours, ours], true, 'zone'), 'ours');
  assert.equal(judge([ours, empty]), 'ours');
  assert.equal(judge([{ ...ours, prefix: 'superseded' }, ours]), 'ours');
});

test('every other store is foreign, with a reason', () => {
  const variants: [Partial<LedgerFacts>, string][] = [
    [{ authors: { verified: 3, unkeyed: 0, foreign: 1 } }, 'other-key'],
    [{ authors: { verified: 3, unkeyed: 1, foreign: 0 } }, 'unkeyed'],
    [{ prefix: 'differs' }, 'altered'],
    [{ prefix: 'unknown' }, 'altered'],
    [{ remembered: undefined, prefix: 'unknown' }, 'not-remembered'],
    [{ remembered: { ...state, sequence: 5 } }, 'older'],
  ];
  for (const [change, reason] of variants) {
    assert.equal(judge([{ ...ours, ...change }, ours]), `foreign ${reason}`);
    assert.equal(judge([ours, { ...ours, ...change }]), `foreign ${reason}`);
  }
});

test('a ledger that was removed makes the store foreign', () => {
  assert.equal(judge([ours, { ...empty, remembered: state }]), 'foreign older');
  assert.equal(judge([ours, { ...empty, remembered: undefined }]), 'foreign not-remembered');
});

test('without a state root, an unkeyed store is ours unless there is a zone; a keyed one cannot be changed', () => {
  assert.equal(judge([unkeyed, unkeyed], false), 'ours');
  assert.equal(judge([unkeyed, unkeyed], false, 'zone'), 'foreign unkeyed');
  assert.equal(judge([ours, ours], false), 'foreign keyed needs state');
  assert.equal(judge([unkeyed, ours], false, 'zone'), 'foreign keyed needs state');
  assert.equal(judge([unkeyed, unkeyed], true), 'foreign unkeyed');
});

test('a ledger on disk is ours from before its first byte to its next generation, and foreign once rolled back', async () => {
  await using folder = await openTempFolder();
  await using home = await openTempFolder();
  const key = await openStoreKey(home.path);
  const recipe = emptyLedgerState;
  await rememberLedgers(home.path, 'medium-1', { content: emptyLedgerState, recipe });
  const look = async (withKey = key): Promise<string> => {
    const remembered = (await readRememberedLedgers(home.path)).get('medium-1')?.content;
    const { ledger } = await openTempLedger(folder.path, { key: withKey, remembered: () => remembered });
    await ledger.close();
    return judge([toLedgerFacts(ledger, remembered)]);
  };
  const { ledger } = await openTempLedger(folder.path, { key });
  await ledger.append([{ op: 'a' }]);
  assert.equal(await look(), 'ours');
  const early = ledger.state().length;
  await ledger.append([{ op: 'b' }]);
  await rememberLedgers(home.path, 'medium-1', { content: ledger.state(), recipe });
  assert.equal(await look(), 'ours');
  assert.equal(await look(Buffer.alloc(32)), 'ours', 'the remembered prefix needs no key');
  await ledger.append([{ op: 'c' }]);
  assert.equal(await look(), 'ours');
  assert.equal(await look(Buffer.alloc(32)), 'foreign other-key');
  await ledger.compact(() => [{ op: 'c' }]);
  assert.equal(await look(), 'ours');
  await rememberLedgers(home.path, 'medium-1', { content: ledger.state(), recipe });
  await ledger.append([{ op: 'd' }]);
  await ledger.close();
  assert.equal(await look(), 'ours');
  await truncate(ledger.path, early);
  assert.match(await look(), /^foreign/);
});

test('the key is made once, for its owner only, and is the same for all who ask at once', async () => {
  await using folder = await openTempFolder();
  const home = join(folder.path, 'state');
  assert.equal(await readStoreKey(home), undefined);
  const keys = await Promise.all(Array.from({ length: 8 }, () => openStoreKey(home)));
  assert.equal(keys[0]!.length, 32);
  for (const key of keys) assert.deepEqual(key, keys[0]);
  assert.deepEqual(await readdir(home), ['store.key']);
  assert.equal((await stat(join(home, 'store.key'))).mode & 0o777, 0o600);
  assert.equal((await stat(home)).mode & 0o777, 0o700);
});

test('a file that is not a key is refused and not changed', async () => {
  await using folder = await openTempFolder();
  for (const text of ['', 'abc\n', `${'g'.repeat(64)}\n`, 'a'.repeat(64)]) {
    await writeFile(join(folder.path, 'store.key'), text);
    await assert.rejects(openStoreKey(folder.path), (error) => isSvcError(error, 'SVC-STO-001'));
    assert.equal(await readFile(join(folder.path, 'store.key'), 'utf8'), text);
  }
});

test('the last 256 media are remembered, and a medium can be forgotten', async () => {
  await using folder = await openTempFolder();
  const media = Array.from({ length: maxRememberedMedia }, (_, n) => ({
    id: `medium-${n}`,
    content: state,
    recipe: state,
  }));
  await writeFile(join(folder.path, 'ledgers'), JSON.stringify({ format: 1, media }));
  await rememberLedgers(folder.path, 'medium-0', { content: { ...state, sequence: 9 }, recipe: state });
  await rememberLedgers(folder.path, 'medium-new', { content: state, recipe: state });
  const known = await readRememberedLedgers(folder.path);
  assert.equal(known.size, maxRememberedMedia);
  assert.equal(known.get('medium-0')?.content.sequence, 9);
  assert.equal(known.has('medium-1'), false);
  assert.equal(known.has('medium-2'), true);
});

test('media remembered concurrently are all remembered', async () => {
  await using folder = await openTempFolder();
  assert.equal((await readRememberedLedgers(folder.path)).size, 0);
  const ids = Array.from({ length: 10 }, (_, n) => `medium-${n}`);
  await Promise.all(ids.map((id) => rememberLedgers(folder.path, id, { content: state, recipe: state })));
  assert.deepEqual([...(await readRememberedLedgers(folder.path)).keys()].sort(), ids);
  assert.equal((await stat(join(folder.path, 'ledgers'))).mode & 0o777, 0o600);
});

test('a file of remembered ledgers that cannot be read is an error, and not an empty memory', async () => {
  await using folder = await openTempFolder();
  const documents = ['', '{}', '{"format":1,"media":[{"id":"a"}]}', '{"format":2,"media":[]}', 'null'];
  for (const text of documents) {
    await writeFile(join(folder.path, 'ledgers'), text);
    const remembering = rememberLedgers(folder.path, 'medium-1', { content: state, recipe: state });
    await assert.rejects(remembering, (error) => isSvcError(error, 'SVC-STO-001'), text);
    assert.equal(await readFile(join(folder.path, 'ledgers'), 'utf8'), text);
  }
});
