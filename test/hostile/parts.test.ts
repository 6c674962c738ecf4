import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { toTaskExitCode } from '../../commands/client/wait-for-task.ts';
import type { TaskItem } from '../../src/contract/task.ts';

import { toExitCode } from '../../src/text/error.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
import { renderError } from '../../src/text/message.ts';
import { openArrivals } from '../../src/zone/arrivals.ts';
import { createSigner } from '../kit/content/signer.ts';
import { layCanaries } from '../kit/hostile/canary.ts';
import type { Fate, HostilePart, HostileScene, Recipe } from '../kit/hostile/hostile-parts/hostile-part.ts';
import { hostileParts } from '../kit/hostile/hostile-parts.ts';
import { folderPrint } from '../kit/result/folder-print.ts';
import { listTree } from '../kit/result/list-tree.ts';
import { recordPushes } from '../kit/result/record-pushes.ts';
import { createRegistryDouble, type RegistryDouble } from '../kit/result/registry-double.ts';
import { type CarriedImport, importCarried } from '../kit/scene/import-carried.ts';
import { openSplitDelivery, type SplitDelivery, splitId } from '../kit/scene/split-delivery.ts';

const recipes = ['shop', 'depot', 'yard'] as const;

/** Outcomes of the honest parts, by the parts that were imported before. */
const honest: Readonly<Record<string, Readonly<Record<Recipe, Fate>>>> = {
  1: { shop: 'waiting', depot: 'landed', yard: 'waiting' },
  2: { shop: 'waiting', depot: 'waiting', yard: 'landed' },
  '1 2': { shop: 'landed', depot: 'landed', yard: 'landed' },
  '1 2 1': { shop: 'landed', depot: 'landed', yard: 'landed' },
  '1 2 2': { shop: 'landed', depot: 'landed', yard: 'landed' },
  '2 1': { shop: 'landed', depot: 'landed', yard: 'landed' },
  '1 1': { shop: 'waiting', depot: 'landed', yard: 'waiting' },
};

let delivery: SplitDelivery;
let other: SplitDelivery;
let older: SplitDelivery;
/** The registry after an import of the honest parts. */
let whole: readonly string[];
/** The key with which the zone signs receipts. */
let keyFile: string;
before(async () => {
  delivery = await openSplitDelivery();
  other = await openSplitDelivery({ seed: ' of another signer', version: '2.0.0' });
  older = await openSplitDelivery({ signer: delivery.medium.signer, resolvedAt: '2025-12-02T03:04:05.000Z' });
  keyFile = join(delivery.medium.folder, 'zone.key');
  await writeFile(keyFile, createSigner().privateKeyPem, { mode: 0o600 });
  await using double = await createRegistryDouble();
  delivery.putBase(double);
  await importHonest([1, 2], double, join(delivery.medium.folder, 'honest-state'));
  whole = listContent(double);
  assert.equal(whole.filter((line) => / manifest /.test(line)).length, 9);
});
after(async () => {
  await delivery[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await older[Symbol.asyncDispose]();
});

/** What a registry has, without the manifests that hold blobs for recipes that wait. */
function listContent(double: RegistryDouble): readonly string[] {
  const all = double.content();
  const holding = all.flatMap(
    (line) => /(\S+):svc-holding-\S+ (\S+)/.exec(line)?.slice(1, 3).join(' manifest ') ?? [],
  );
  return all.filter(
    (line) => !line.includes(':svc-holding-') && !holding.includes(line) && !line.includes(emptyBlob),
  );
}
/** The bytes `{}`, which a holding manifest names as its configuration. */
const emptyBlob = 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

async function importHonest(
  parts: readonly (1 | 2)[],
  double: RegistryDouble,
  state: string,
): Promise<CarriedImport | undefined> {
  let last: CarriedImport | undefined;
  for (const part of parts) {
    const { root } = await delivery.carry(part);
    last = await importCarried(root, [delivery.medium.signer], double, { state });
    assert.equal(last.error, undefined, last.said);
  }
  return last;
}

/** The outcome of a recipe. */
function toFate(name: Recipe, items: readonly TaskItem[]): Fate | 'absent' {
  const own = items.filter((item) => item.name.startsWith(`${name}@`));
  const recipe = own.find((item) => !item.name.includes('/'));
  if (recipe === undefined) return 'absent';
  if (recipe.status === 'done') return 'landed';
  const [record] = own.flatMap(({ error, warning }) => error ?? warning ?? []);
  return record?.code === 'SVC-MED-041' ? 'waiting' : (record?.code as Fate);
}

/** How the message of an error names the disk, the file or the recipe that it is about. */
const naming: Readonly<Record<string, RegExp>> = {
  'SVC-MED-006': /zone/,
  'SVC-MED-007': /zone/,
  'SVC-MED-040': /(shop|yard)@.* receipt 7 of zone|(shop|yard)@/,
  'SVC-MED-041': /parts? \d/,
  'SVC-MED-003': /format/,
  'SVC-MED-042': /_svc\/passport/,
  'SVC-MED-043': /expired/,
  'SVC-SIG-001': /(shop|depot|yard)@/,
};
const aFile = /(absent|media)\.jsonl|segments\/|blobs\/|ledger\/|\/media\//;

let runs = 0;
async function hold(one: HostilePart): Promise<void> {
  const run = join(delivery.medium.folder, `run-${++runs}`);
  const state = `${run}-state`;
  const canary = await layCanaries(`${run}-outside`);
  await using double = await createRegistryDouble();
  delivery.putBase(double);
  const scene: HostileScene = { delivery, other, older, state, double, canary };
  const { part = 1, before: earlier = [], after: later = [1, 2] } = one;
  await importHonest(earlier, double, state);
  const medium = await (one.make ?? (() => delivery.carry(part)))(scene);
  await one.spoil?.(medium, scene);
  canary.arm();
  // its log, and its receipt
  const logs = one.signs ? /^_svc(?: |\/logs|\/receipts)/ : /^_svc(?: |\/logs)/;
  const print = (): readonly string[] => folderPrint(medium.root).filter((line) => !logs.test(line));
  const printed = print();
  const zone = (): readonly string[] => [...double.content(), ...listState(state)];
  const before = one.blocks && zone();
  const pushed = recordPushes(double);
  const found = await importCarried(medium.root, [delivery.medium.signer], double, {
    ...one.options,
    ...(one.signs ? { signing: { keyFile } } : {}),
    state,
  });

  requireOutcome(one, found, honest[[...earlier, part].join(' ')]!);
  // nothing was sent that is not of the delivery, and no bytes under the digest of others
  const own = new Set(whole.map((line) => /sha256:[0-9a-f]{64}/.exec(line)![0]));
  for (const { repository, reference, digest } of [...pushed.blobs(), ...pushed.mounts()]) {
    assert.equal(digest, reference, `${repository} was given other bytes than it was told`);
    assert.ok(own.has(digest) || digest === emptyBlob, `${digest} in ${repository} is of nobody`);
  }
  for (const { repository, reference, digest } of pushed.manifests())
    assert.ok(own.has(digest) || reference.startsWith('svc-holding-dlv_'), `${digest} in ${repository}`);
  assert.equal(double.uploads.size, 0, 'an upload was left open');
  const strange = listContent(double).filter((line) => !whole.includes(line));
  if (!one.name.includes('other bytes under the digest')) assert.deepEqual(strange, []);
  assert.deepEqual(canary.harm(), []);
  assert.deepEqual(print(), printed, 'the medium was changed');
  assert.ok(!existsSync(canary.trace), 'something was run');
  assert.ok(!found.said.includes(canary.text) && !pushed.contains(canary.text), 'what lies outside was told');

  // a blocked medium leaves the zone as it was; otherwise, the honest parts bring everything afterwards
  if (one.blocks !== undefined) return assert.deepEqual(zone(), before);
  await one.repair?.(scene);
  const last = await importHonest(later, double, state);
  assert.equal(last!.task.status, 'done', last!.said);
  // after a part with a passport they are strangers, whose recipes land all the same
  const record = await openArrivals(state).get(splitId);
  assert.deepEqual(record?.needed, []);
  assert.equal(record?.complete, true, last!.said);
  assert.deepEqual(listContent(double), whole);
  assert.deepEqual(await listTemporary(state), []);
}

/** The files of a state with their content. */
const listState = (state: string): readonly string[] =>
  existsSync(state) ? listTree(state).filter((line) => !/\.lock|\/ /.test(line)) : [];

/** Temporary files and kept segments in a state. */
async function listTemporary(state: string): Promise<readonly string[]> {
  const names = await readdir(join(state, 'media'), { recursive: true });
  return names.filter((name) => name.endsWith('.tmp') || /segments\/./.test(name)).sort();
}

/** Compares verdict, items, exit code and messages with the expected ones. */
function requireOutcome(one: HostilePart, found: CarriedImport, usual: Readonly<Record<Recipe, Fate>>): void {
  const report = found.task.verification ?? found.verification?.report;
  if (one.ends !== undefined) {
    assert.equal(found.error?.code, one.ends, found.said);
    assert.match(renderError(found.error!, 'en').what, one.says ?? aFile);
    assert.notEqual(toTaskExitCode(found.task), 0);
    return;
  }
  const blocks = report!.blocks.filter(({ waived }) => !waived).map(({ code }) => code);
  assert.deepEqual([...new Set(blocks)], one.blocks ?? [], JSON.stringify(report!.blocks));
  const codes = new Set(report!.findings.map(({ code }) => code));
  for (const code of one.findings ?? []) assert.ok(codes.has(code), `no finding ${code} in ${[...codes]}`);
  if (one.blocks !== undefined) {
    assert.ok(
      [...one.blocks, one.shop].includes(found.error!.code as ErrorCode),
      `it ends with ${found.error!.code}`,
    );
    assert.match(renderError(found.error!, 'en').what, naming[found.error!.code] ?? aFile);
    assert.deepEqual(found.items, []);
    const isGuard = blocks.every((code) => ['SVC-MED-006', 'SVC-MED-007', 'SVC-MED-043'].includes(code));
    assert.equal(toTaskExitCode(found.task), toExitCode(found.error!));
    assert.equal(toTaskExitCode(found.task) === 3, isGuard && one.shop === undefined, found.said);
    return;
  }
  assert.equal(found.error, undefined, found.said);
  const fates = Object.fromEntries(recipes.map((name) => [name, toFate(name, found.items)]));
  const expected = Object.fromEntries(recipes.map((name) => [name, one[name] ?? usual[name]]));
  assert.deepEqual(fates, expected, found.said);
  const left = Object.values(fates).some((fate) => fate.startsWith('SVC-')) ? ['SVC-MED-021'] : [];
  assert.deepEqual(
    [...codes].filter((code) => ![...left, ...(one.findings ?? [])].includes(code)),
    [],
    JSON.stringify(report!.findings),
  );
  for (const item of found.items) {
    const record = item.error ?? item.warning;
    if (record === undefined) continue;
    const { what, action } = renderError(record, 'en');
    assert.match(what, one.says ?? naming[record.code] ?? aFile);
    assert.ok(action.length > 20, what);
    // other recipes of the medium are
    assert.ok(!action.includes('Nothing from this medium is pushed'), action);
  }
  const failed = Object.values(fates).filter((fate) => fate.startsWith('SVC-'));
  const exit =
    failed.length === 0
      ? 0
      : failed.every((code) => code === 'SVC-MED-040' || code.startsWith('SVC-STO'))
        ? 1
        : 4;
  assert.equal(toTaskExitCode(found.task), exit, found.said);
}

test('the corpus is large, and each case of it stands for itself', () => {
  const names = hostileParts.map(({ name }) => name);
  assert.ok(names.length >= 200, String(names.length));
  assert.equal(new Set(names).size, names.length);
});

for (const one of hostileParts) test(one.name, { timeout: 60_000 }, () => hold(one));
