import assert from 'node:assert/strict';
import { existsSync, lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cpuUsage, memoryUsage } from 'node:process';
import { after, before, test } from 'node:test';
import { toMediumExitCode } from '../../src/engine/medium/report.ts';
import { type RecipeReach, reachRecipe } from '../kit/content/reach-recipe.ts';
import { type Canary, layCanaries } from '../kit/hostile/canary.ts';
import type { HostileMedium } from '../kit/hostile/hostile-media/hostile-medium.ts';
import { hostileMedia } from '../kit/hostile/hostile-media.ts';
import { mutations } from '../kit/hostile/mutations.ts';
import { folderPrint } from '../kit/result/folder-print.ts';
import { type PushRecord, recordPushes } from '../kit/result/record-pushes.ts';
import { createRegistryDouble, type RegistryDouble } from '../kit/result/registry-double.ts';
import { type CarriedMedium, carry } from '../kit/scene/carried-medium.ts';
import { type CarriedImport, importCarried } from '../kit/scene/import-carried.ts';
import { type BuiltMedium, buildMedium } from '../kit/scene/medium.ts';

/** Microseconds of all processors for verifying and importing one medium: a bound for slow machines too, work without one takes minutes. */
const timeLimit = 12_000_000;
/** Bytes that this process may grow by, all media together, with the spoilt and the pushed content in it. Seen: 445 to 765
 * MiB, by how late the garbage is collected. */
const memoryLimit = 1 << 30;

let good: BuiltMedium;
let reaches: Record<string, RecipeReach>;
let atFirst: number;
let highest = 0;
/** Microseconds of all processors. */
let spent = 0;
let longest = 0;
before(async () => {
  good = await buildMedium();
  const [shop, depot] = good.records;
  reaches = { shop: await reachRecipe(good.root, shop!), depot: await reachRecipe(good.root, depot!) };
  atFirst = memoryUsage.rss();
});
after(() => good[Symbol.asyncDispose]());

/** Not the instance's own log, which alone may be written. */
const isLog = (path: string): boolean => path === '_svc/logs' || path === '_svc';

/** All content at the registry belongs to these recipes, byte for byte, and nothing is half there. */
function requireOnly(pushed: PushRecord, double: RegistryDouble, recipes: readonly string[]): void {
  const digests = new Set(recipes.flatMap((name) => [...reaches[name]!.digests]));
  const tags = new Set(recipes.flatMap((name) => [...reaches[name]!.tags]));
  for (const { repository, reference, digest } of [...pushed.blobs(), ...pushed.mounts()]) {
    assert.equal(digest, reference, `${repository} was given other bytes than it was told`);
    assert.ok(digests.has(digest), `${digest} in ${repository} is of no verified recipe`);
  }
  for (const { repository, reference, digest } of pushed.manifests()) {
    assert.ok(digests.has(digest), `${digest} in ${repository} is of no verified recipe`);
    assert.ok(reference === digest || tags.has(reference), `${repository}:${reference} is a stranger’s tag`);
  }
  assert.equal(double.uploads.size, 0, 'an upload was left open');
}

/** Everything of a recipe stands under its tags. */
function requireLanded(double: RegistryDouble, name: string): void {
  const record = good.records.find((one) => one.name === name)!;
  assert.equal(double.manifest(`cookbook/${name}`, record.version)?.digest, record.digest);
  for (const { repository, tag, digest } of record.ingredients)
    assert.equal(double.manifest(repository, tag)?.digest, digest);
  const held = double
    .repositories()
    .flatMap((repository) =>
      [...reaches[name]!.digests].filter((digest) => isHeld(double, repository, digest)),
    );
  assert.deepEqual([...new Set(held)].sort(), [...reaches[name]!.digests].sort());
}

const isHeld = (double: RegistryDouble, repository: string, digest: string): boolean =>
  double.blob(repository, digest as never) !== undefined || double.manifest(repository, digest) !== undefined;

async function readLog(root: string): Promise<string> {
  const path = join(root, '_svc', 'logs', 'operations.log');
  const info = lstatSync(path, { throwIfNoEntry: false });
  return info?.isFile() && info.nlink === 1 ? readFile(path, 'utf8') : '';
}

let runs = 0;
/** Verifies and imports a spoilt medium, and compares the whole effect with the permitted one. */
async function hold(
  { spoil, options, ...expected }: Omit<HostileMedium, 'name'>,
  look: (found: CarriedImport, medium: CarriedMedium) => void,
): Promise<void> {
  const run = join(good.folder, `run-${++runs}`);
  const canary: Canary = await layCanaries(`${run}-outside`);
  const medium = await carry(good);
  await spoil(medium, canary);
  canary.arm();
  const printed = folderPrint(medium.root, isLog);
  await using double = await createRegistryDouble();
  const pushed = recordPushes(double);
  const started = cpuUsage();
  const found = await importCarried(medium.root, [good.signer], double, {
    ...options,
    state: `${run}-state`,
  });
  const { user, system } = cpuUsage(started);
  highest = Math.max(highest, memoryUsage.rss());
  spent += user + system;
  longest = Math.max(longest, user + system);

  look(found, medium);
  const held = found.verification?.report.blocks.some(({ waived }) => !waived) ?? true;
  const outcomes = { shop: 'pushable', depot: 'pushable', ...expected };
  const landing = held ? [] : (['shop', 'depot'] as const).filter((name) => outcomes[name] === 'pushable');
  requireOnly(pushed, double, landing);
  for (const name of landing) requireLanded(double, name);
  if (landing.length === 0) assert.equal(pushed.pushes.length, 0);
  const last = found.freshness?.last ?? found.freshness;
  const isMoved = last?.mediaId === found.verification?.header?.mediaId;
  assert.equal(isMoved && last !== undefined, landing.length > 0, 'the mark of the zone');

  assert.deepEqual(canary.harm(), []);
  assert.deepEqual(folderPrint(medium.root, isLog), printed, 'the medium was changed');
  assert.ok(!existsSync(canary.trace), 'something was run');
  const { report } = found.verification ?? {};
  for (const text of [found.said, JSON.stringify(report), await readLog(medium.root)])
    assert.ok(!text?.includes(canary.text), 'what lies outside was read and told');
  assert.ok(!pushed.contains(canary.text), 'what lies outside was sent');
  assert.ok(user + system < timeLimit, `${user + system} µs`);
}

function judge(found: CarriedImport, expected: Omit<HostileMedium, 'name' | 'spoil'>): void {
  const { report, cleared } = found.verification!;
  const blocks = report.blocks.map(({ code }) => code);
  assert.deepEqual(new Set(blocks), new Set(expected.blocks), JSON.stringify(report.blocks.slice(0, 5)));
  const { shop, depot } = expected;
  const isJudged = shop !== undefined || depot !== undefined || !expected.blocks;
  if (isJudged) {
    const outcomes = Object.fromEntries(
      report.recipes.map((one) => [one.name, one.pushable ? 'pushable' : one.reason!.code]),
    );
    const neighbour = expected.blocks ? {} : { shop: 'pushable', depot: 'pushable' };
    if (!expected.blocks)
      assert.deepEqual(outcomes, { ...neighbour, ...(shop ? { shop } : {}), ...(depot ? { depot } : {}) });
  }
  const codes = new Set(report.findings.map(({ code }) => code));
  for (const code of expected.findings ?? []) assert.ok(codes.has(code), `no finding ${code}`);
  const isHeldBack = report.blocks.some(({ waived }) => !waived);
  if (isHeldBack) {
    assert.deepEqual(cleared, []);
    assert.ok(report.blocks.some(({ code }) => code === found.error?.code));
    assert.deepEqual(found.items, []);
    assert.ok(toMediumExitCode(report) >= 3);
    return;
  }
  assert.equal(found.error, undefined);
  for (const { name, version, pushable, reason } of report.recipes) {
    const item = found.items.find((one) => one.name === `${name}@${version}`);
    assert.deepEqual(
      [item?.status, item?.error?.code],
      pushable ? ['done', undefined] : ['failed', reason!.code],
    );
  }
}

/** Compares the whole report of a mutated medium with the expected one: it names the mutation and no other fault. */
function judgeExactly(found: CarriedImport, expected: Omit<HostileMedium, 'name' | 'spoil'>): void {
  const { report, cleared } = found.verification!;
  const isSpoilt = expected.shop !== undefined || expected.depot !== undefined || !expected.blocks;
  const blocks = report.blocks.map(({ code }) => code);
  assert.deepEqual(blocks, expected.blocks ?? [], JSON.stringify(report.blocks));
  if (isSpoilt) {
    const outcomes = Object.fromEntries(
      report.recipes.map((one) => [one.name, one.pushable ? 'pushable' : one.reason!.code]),
    );
    const neighbour = expected.blocks ? {} : { shop: 'pushable', depot: 'pushable' };
    const { shop, depot } = expected;
    assert.deepEqual(outcomes, {
      ...neighbour,
      ...(shop ? { shop } : {}),
      ...(depot ? { depot } : {}),
    });
  }
  const left = report.recipes.some(({ pushable }) => !pushable) ? ['SVC-MED-021'] : [];
  const codes = new Set(report.findings.map(({ code }) => code));
  for (const code of expected.findings ?? []) assert.ok(codes.has(code), `no finding ${code}`);
  if (isSpoilt)
    assert.deepEqual(
      [...codes].filter((code) => ![...left, ...(expected.findings ?? [])].includes(code)),
      [],
    );
  const isHeldBack = report.blocks.some(({ waived }) => !waived);
  const pushable = report.recipes.filter((one) => one.pushable).length;
  const whole = pushable === report.recipes.length;
  assert.equal(
    report.verdict,
    expected.verdict ??
      (isHeldBack || (pushable === 0 && !whole) ? 'blocked' : whole ? 'pushable' : 'partial'),
  );
  assert.equal(cleared.length, isHeldBack ? 0 : pushable);
  const isGuard = blocks.every((code) => code === 'SVC-MED-006' || code === 'SVC-MED-007');
  const exit = isHeldBack ? (isGuard && whole ? 3 : 4) : whole ? 0 : 4;
  assert.equal(toMediumExitCode(report), exit);
  for (const { reason } of report.recipes) {
    if (!reason?.code.startsWith('SVC-MED-')) continue;
    assert.equal(reason.params.mediaId, report.medium!.mediaId);
    assert.match(reason.path!, /^blobs\/sha256\/[0-9a-f]{64}$/);
  }
}

test('the corpus is large, and each medium of it stands for itself', () => {
  const names = [...mutations, ...hostileMedia].map(({ name }) => name);
  assert.ok(names.length >= 120, String(names.length));
  assert.equal(new Set(names).size, names.length);
});

for (const { name, ...medium } of hostileMedia)
  test(name, { timeout: 60_000 }, () => hold(medium, (found) => judge(found, medium)));

for (const { name, ...medium } of mutations)
  test(name, { timeout: 60_000 }, () =>
    hold(medium, (found) => {
      judge(found, medium);
      judgeExactly(found, medium);
    }),
  );

test('all of them together stay within the memory of one', (t) => {
  const grown = highest - atFirst;
  t.diagnostic(
    `${runs} media, ${grown >> 20} MiB more than at first at most, ${(spent / 1e6 / Math.max(1, runs)).toFixed(2)} s of processor each, ${(longest / 1e6).toFixed(2)} s at most`,
  );
  assert.ok(grown < memoryLimit, `${grown >> 20} MiB more than at first`);
});
