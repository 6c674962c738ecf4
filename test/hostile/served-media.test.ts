import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { VerificationState } from '../../src/contract/medium.ts';
import { type RecipeReach, reachRecipe } from '../kit/content/reach-recipe.ts';
import { type Canary, layCanaries } from '../kit/hostile/canary.ts';
import { hostileMedia } from '../kit/hostile/hostile-media.ts';
import { mutations } from '../kit/hostile/mutations.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../kit/instance/instance.ts';
import { folderPrint } from '../kit/result/folder-print.ts';
import { processFootprint } from '../kit/result/process-footprint.ts';
import { type CarriedMedium, carry } from '../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium } from '../kit/scene/medium.ts';

/** One of each kind: bytes, signatures, manifest, guards, ledgers, links, planted work, sizes. */
const chosen: readonly string[] = [
  'a byte of a layer flipped',
  'a byte of a classic signature payload flipped',
  'a layer right in size and wrong in content',
  'two layers exchanged',
  'no media.jsonl',
  'a medium for another zone',
  'the recipe ledger of another medium, listed as if it belonged',
  'the content ledger extended, and its line adapted',
  'a listed blob that no recipe reaches',
  'pending tasks, a schedule and partial downloads, wherever a state could be',
  'a listed stranger of eight tebibytes that take no room',
];
/** Folders that are no store at all, because their own folders are links: no instance starts over them. */
const refused: readonly string[] = [
  'all blobs behind a link out of the medium',
  'the ledgers behind a link out of the medium',
];
/** Mebibytes of the whole instance, run from its sources. */
const memoryLimit = 300;

let good: BuiltMedium;
let reaches: Record<string, RecipeReach>;
before(async () => {
  good = await buildMedium();
  const [shop, depot] = good.records;
  reaches = { shop: await reachRecipe(good.root, shop!), depot: await reachRecipe(good.root, depot!) };
});
after(() => good[Symbol.asyncDispose]());

const isLog = (path: string): boolean => path === '_svc/logs' || path === '_svc';

/** Every question about content that the good medium could answer. */
async function* askAll(
  instance: Instance,
): AsyncGenerator<{ path: string; digest: string; answer: Response }> {
  const names = await readdir(join(good.root, 'blobs', 'sha256'));
  const repositories = new Set(
    good.records.flatMap(({ repository, ingredients }) => [
      repository,
      ...ingredients.map((one) => one.repository),
    ]),
  );
  const tags = good.records.flatMap(({ repository, tag, digest, ingredients }) => [
    { repository, tag, digest },
    ...ingredients,
  ]);
  const get = (path: string) =>
    fetch(`${instance.url}/v2/${path}`, { headers: { authorization: instance.authorization } });
  for (const { repository, tag, digest } of tags) {
    const path = `${repository}/manifests/${tag}`;
    yield { path, digest, answer: await get(path) };
  }
  for (const repository of repositories) {
    for (const name of names) {
      const digest = `sha256:${name}`;
      for (const kind of ['manifests', 'blobs']) {
        const path = `${repository}/${kind}/${digest}`;
        yield { path, digest, answer: await get(path) };
      }
    }
  }
}

/** All served content is whole and of a cleared recipe. @returns the digests */
async function listServed(
  instance: Instance,
  cleared: readonly string[],
  canary: Canary,
): Promise<ReadonlySet<string>> {
  const allowed = new Set(cleared.flatMap((name) => [...reaches[name]!.digests]));
  const served = new Set<string>();
  for await (const { path, digest, answer } of askAll(instance)) {
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.ok(!bytes.includes(canary.text), path);
    if (answer.status !== 200) {
      assert.ok(answer.status === 403 || answer.status === 404, `${path}: ${answer.status} ${bytes}`);
      if (cleared.length === 0) assert.match(bytes.toString(), /SVC-MED-03[02]/, path);
      continue;
    }
    assert.ok(allowed.has(digest), `${path} was served`);
    assert.equal(hashBytes(bytes), digest, path);
    served.add(digest);
  }
  return served;
}

/** A carried medium, spoilt, and how it is served. */
async function prepare(name: string) {
  const { spoil, ...expected } = [...mutations, ...hostileMedia].find((one) => one.name === name)!;
  const own = join(good.folder, `zone-${name.replaceAll(/\W/g, '-')}`);
  await mkdir(own);
  const canary = await layCanaries(`${own}-outside`);
  const medium: CarriedMedium = await carry(good);
  await (spoil as (medium: CarriedMedium, canary: Canary) => Promise<unknown>)(medium, canary);
  canary.arm();
  const config = {
    mode: 'mirror',
    zone: expected.options?.zone ?? 'zone-b',
    storage: { root: medium.root },
    trust: { roots: [{ name: 'release', key: good.signer.publicKeyPem }] },
  };
  const printed = folderPrint(medium.root, isLog);
  const requireUnharmed = (): void => {
    assert.deepEqual(canary.harm(), []);
    assert.deepEqual(folderPrint(medium.root, isLog), printed, 'the medium was changed');
  };
  return { expected, canary, requireUnharmed, options: { folder: own, config } };
}

for (const name of refused)
  test(`not served in a zone: ${name}`, async () => {
    const { canary, requireUnharmed, options } = await prepare(name);
    await assert.rejects(startInstance(options), (error: Error) => {
      assert.match(error.message, / ended with 1:.*SVC-STO-001/s);
      assert.ok(!error.message.includes(canary.text));
      return true;
    });
    requireUnharmed();
  });

for (const name of chosen)
  test(`served in a zone: ${name}`, { timeout: 60_000 }, async (t) => {
    const { expected, canary, requireUnharmed, options } = await prepare(name);
    await using instance = await startInstance(options);
    const state = await eventually('the verification', async () => {
      const { status, body } = await instance.api('GET', '/media/verification');
      assert.equal(status, 200);
      const seen = body as VerificationState;
      return (seen.report || seen.failure) && !seen.running ? seen : undefined;
    });
    const { report } = state;
    assert.ok(report, JSON.stringify(state));
    const blocks = new Set(report.blocks.map(({ code }) => code));
    assert.deepEqual(blocks, new Set(expected.blocks ?? []));
    const outcomes = { shop: 'pushable', depot: 'pushable', ...expected };
    if (!expected.blocks)
      for (const { name: recipe, pushable, reason } of report.recipes)
        assert.equal(pushable ? 'pushable' : reason?.code, outcomes[recipe as 'shop' | 'depot']);
    const codes = new Set(report.findings.map(({ code }) => code));
    for (const code of expected.findings ?? []) assert.ok(codes.has(code), `no finding ${code}`);
    const cleared = expected.blocks
      ? []
      : (['shop', 'depot'] as const).filter((recipe) => outcomes[recipe] === 'pushable');
    assert.equal(state.serving, cleared.length > 0 ? 'open' : 'closed');

    const served = await listServed(instance, cleared, canary);
    for (const recipe of cleared)
      for (const digest of reaches[recipe]!.digests) assert.ok(served.has(digest), `${recipe} ${digest}`);
    for (const path of ['/content', '/recipes', '/tasks']) {
      const { status, body } = await instance.api('GET', path);
      assert.equal(status, 200, path);
      assert.ok(!JSON.stringify(body).includes(canary.text));
      if (path === '/tasks') assert.equal(body.total, 0, 'work was planted');
    }
    const peak = await processFootprint.peakMebibytes(instance.process.pid!);
    assert.equal(await instance.stop(), 0);
    requireUnharmed();
    assert.ok(!instance.log().includes(canary.text));
    assert.ok(peak < memoryLimit, `${peak} MiB`);
    t.diagnostic(
      `${report.verdict}, ${served.size} served, ${report.findings.length} findings, ${peak.toFixed(0)} MiB`,
    );
  });
