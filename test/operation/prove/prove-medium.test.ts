import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { ProofProgress } from '../../../src/contract/proof.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';
import { startReading } from '../../../src/engine/medium/read-medium.ts';
import { openCarried, openHashedFiles } from '../../../src/engine/prove/carried-folder.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { parsePlatform } from '../../../src/oci/platform.ts';
import type { ProofBase } from '../../../src/operation/prove/seed-base.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { type Artifact, buildImage } from '../../kit/content/content.ts';
import { buildHelmChart } from '../../kit/content/helm-chart.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { folderPrint } from '../../kit/result/folder-print.ts';
import {
  type BuiltMedium,
  buildMedium,
  defaultRecipes,
  type MediumIngredient,
} from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';
import { findImages, proveFolders } from '../../kit/scene/prove-folders.ts';
import { openSplitDelivery } from '../../kit/scene/split-delivery.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

let medium: BuiltMedium;
const others: BuiltMedium[] = [];
before(async () => {
  medium = await buildMedium({ inMemory: true });
});
after(async () => {
  for (const each of [medium, ...others]) await each[Symbol.asyncDispose]();
});

async function build(ingredients: readonly MediumIngredient[], name = 'shop', version = '1.0.0') {
  const built = await buildMedium({
    signer: medium.signer,
    recipes: [{ name, version, layout: 'bundle', ingredients }],
    inMemory: true,
  });
  others.push(built);
  return built;
}

const app: MediumIngredient = {
  name: 'app',
  kind: 'ContainerImage',
  ref: 'origin.example:5000/app',
  tag: '1.0',
  artifact: buildImage('app'),
};
const chart: MediumIngredient = {
  name: 'chart',
  kind: 'HelmChart',
  ref: 'origin.example:5000/charts/shop',
  tag: '1.0.0',
  artifact: buildHelmChart('shop', '1.0.0', {
    files: { 'values.yaml': 'image: {registry: "origin.example:5000", repository: app, tag: "1.0"}\n' },
  }),
};

const receiptOf = ({ records }: BuiltMedium, more: Partial<Receipt> = {}): Receipt => ({
  zone: 'zone-b',
  sequence: 7,
  issuedAt: '2026-01-01T00:00:00Z',
  evidence: 'head',
  destination: { sparse: 'accepted', freeBytes: 1e9 },
  recipes: records.map(({ name, version, digest }) => ({ name, version, digest, state: 'present' })),
  ...more,
});

test('a medium as its maker left it is proved, step by step, and nothing of it changes', async () => {
  const printed = folderPrint(medium.root);
  const seen: ProofProgress[] = [];
  const proof = await proveFolders([medium.root], [medium.signer], {
    findImages,
    onProgress: (progress) => seen.push(progress),
  });
  assert.deepEqual([proof.verdict, proof.findings], ['proved', []]);
  assert.deepEqual(
    [...new Set(seen.map(({ step }) => step))],
    proof.steps.map(({ name }) => name),
    'its progress names each step in turn',
  );
  assert.ok(seen.some(({ bytes = 0, totalBytes }) => bytes > 0 && bytes === totalBytes));
  assert.deepEqual(proof.against, { kind: 'empty' });
  assert.deepEqual(
    proof.steps.map(({ name }) => name),
    ['media', 'trust', 'import', 'platforms', 'charts', 'packages', 'clients', 'capacity'],
  );
  const [media, , imported] = proof.steps;
  assert.ok(media!.checked > 20 && media!.bytes > 0 && imported!.bytes > 0);
  assert.deepEqual(folderPrint(medium.root), printed);
  const limits = proof.limits.map(({ name }) => name);
  assert.deepEqual(limits, [
    'runtime-images',
    'application-settings',
    'admission-policies',
    'trust-scopes',
    'no-platforms',
    'unrendered-charts',
    'free-space',
  ]);
});

test('an image of a chart may be in another folder, in any order', async () => {
  const charts = await build([chart], 'charts');
  const images = await build([app], 'images');
  const alone = await proveFolders([charts.root], [medium.signer], { findImages });
  assert.equal(alone.verdict, 'incomplete');
  for (const folders of [
    [charts.root, images.root],
    [images.root, charts.root],
  ])
    assert.equal((await proveFolders(folders, [medium.signer], { findImages })).verdict, 'proved');
});

test('the entry of an absent image is one of a recipe', async () => {
  const { root } = await build([chart], 'charts');
  const [finding] = (await proveFolders([root], [medium.signer], { findImages })).findings;
  const entry = '- {name: app, kind: ContainerImage, ref: origin.example:5000/app, version: "1.0"}';
  assert.equal(finding!.params.entry, entry);
  assert.ok(finding!.remedy.includes(entry), finding!.remedy);
});

test('the entries of absent images have names that their recipe does not have yet, and each its own', async () => {
  const values = ['app', 'other/app', 'new/app'].map(
    (path, i) => `v${i}: {image: {registry: "origin.example:5000", repository: ${path}, tag: "1.0"}}\n`,
  );
  const files = { 'values.yaml': values.join('') };
  const several = { ...chart, artifact: buildHelmChart('shop', '1.0.0', { files }) };
  const { root } = await build([several, { ...app, tag: '0.9' }], 'named');
  const { findings } = await proveFolders([root], [medium.signer], { findImages });
  const entries = findings.map(({ params }) => `${params.entry}`);
  assert.equal(entries.length, 3);
  const own = [
    '- {name: chart, kind: HelmChart, ref: origin.example:5000/charts/shop, version: "1.0.0"}',
    '- {name: app, kind: ContainerImage, ref: origin.example:5000/app, version: "0.9"}',
    ...entries,
  ];
  const document = `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: {name: shop, version: 1.0.0}
spec:
  ingredients:
${own.map((entry) => `    ${entry}\n`).join('')}`;
  const parsed = parseRecipe(Buffer.from(document), 'shop.yaml');
  assert.deepEqual(
    parsed.ingredients.map(({ name }) => name),
    ['chart', 'app', 'app-1-0', 'app-other', 'app-new'],
  );
});

test('a warning counts with --strict only', async () => {
  const [, depot] = defaultRecipes();
  const { root } = await build([{ ...depot!.ingredients[0]!, platforms: ['linux/amd64'] }], 'depot');
  const lenient = await proveFolders([root], [medium.signer]);
  const strict = await proveFolders([root], [medium.signer], { strict: true });
  assert.deepEqual([lenient.verdict, strict.verdict], ['proved', 'incomplete']);
  assert.deepEqual(strict.findings, lenient.findings);
});

test('content that a receipt of the zone names is not missed, and needs no room', async () => {
  const before = await build([app], 'images');
  const next = await build([chart], 'charts');
  await using store = await openStoreAt({ root: before.root }, { access: 'read', zone: 'zone-b' });
  const proveBy = (base: ProofBase) => proveFolders([next.root], [medium.signer], { findImages, base });
  const proof = await proveBy({ receipt: receiptOf(before), store });
  assert.deepEqual([proof.verdict, proof.findings], ['proved', []]);
  assert.deepEqual(proof.against, { kind: 'receipt', zone: 'zone-b', sequence: 7 });
  assert.ok(!proof.limits.some(({ name }) => name === 'free-space' || name === 'unknown-recipes'));
  const capacity = async (base: ProofBase) =>
    (await proveFolders([before.root], [medium.signer], { base })).steps.find(
      ({ name }) => name === 'capacity',
    )!.bytes;
  // the fallback index of the signatures alone: a receipt does not say whether the zone has one
  assert.ok((await capacity({ receipt: receiptOf(before), store })) < 1000);
  assert.ok((await capacity({ receipt: receiptOf(before, { recipes: [] }), store })) > 4000);
});

test('an image of a recipe that the store has pruned since is not said to be absent in the zone', async () => {
  const before = await build([app], 'images');
  const next = await build([chart], 'charts');
  const { descriptor } = app.artifact.manifest;
  const pinned = {
    ...chart,
    artifact: buildHelmChart('shop', '1.0.0', {
      files: {
        'values.yaml': `image: {registry: "origin.example:5000", repository: app, digest: "${descriptor.digest}"}\n`,
      },
    }),
  };
  const exact = await build([pinned], 'charts');
  const whole = new Map([[descriptor.digest, descriptor.size]]);
  for (const [folder, closure, known] of [
    [next, whole, true],
    [next, undefined, true],
    [exact, whole, true],
    [exact, new Map(), false],
  ] as const) {
    const base: ProofBase = { receipt: receiptOf(before), sent: { closure: async () => closure } };
    const proof = await proveFolders([folder.root], [medium.signer], { findImages, base });
    const found = proof.findings.map(({ code, severity, params }) => [code, severity, params.zone]);
    const isNamed = proof.limits.some(({ name }) => name === 'unnamed-content');
    const zone = known ? 'unknown' : undefined;
    assert.deepEqual(found, [['SVC-CLO-001', 'error', zone]]);
    assert.deepEqual([proof.verdict, isNamed], ['incomplete', known]);
    const { detail, remedy } = proof.findings[0]!;
    assert.equal(/cannot be known here/.test(detail), known, detail);
    assert.equal(/^If the zone has the image/.test(remedy), known, remedy);
    assert.doesNotMatch(detail + remedy, /[[\]]/);
  }
});

test('recipes of a receipt that the sender does not have are a limit of the proof', async () => {
  const before = await build([app], 'images');
  const next = await build([chart], 'charts');
  const proof = await proveFolders([next.root], [medium.signer], {
    findImages,
    base: { receipt: receiptOf(before) },
  });
  assert.equal(proof.verdict, 'incomplete');
  assert.ok(proof.limits.some(({ name }) => name === 'unknown-recipes'));
});

test('one document in the manifests of two folders lands once', async () => {
  const recipe = { name: 'shop', version: '1.0.0', layout: 'bundle', ingredients: [app] } as const;
  const make = async (created: string): Promise<BuiltMedium> => {
    const recipes = [{ ...recipe, created }];
    const built = await buildMedium({ signer: medium.signer, recipes, inMemory: true });
    others.push(built);
    return built;
  };
  const [one, two] = [await make('2026-01-02T00:00:00Z'), await make('2026-01-03T00:00:00Z')];
  assert.notEqual(one.records[0]!.digest, two.records[0]!.digest);
  const proof = await proveFolders([one.root, two.root], [medium.signer]);
  assert.deepEqual(proof.findings, []);
});

test('a chart of another part is read there, and one of the zone in the store of the sender', async () => {
  const whole = await build([chart, app], 'charts');
  const [layer, tool] = [chart, app].map(({ artifact }) => artifact.blobs.at(-1)!.descriptor.digest);
  const carry = (part: number, absent: Digest, at: 'base' | readonly number[]) =>
    carryPart(whole, {
      delivery: { id: 'dlv_0123456789ab', part, parts: 2 },
      absent: new Map([[absent, at]]),
      ...(at === 'base' ? { base: { zone: 'zone-b', receipt: hashBytes('receipt'), sequence: 7 } } : {}),
    });
  const parts = [await carry(1, layer!, [2]), await carry(2, tool!, [1])].map(({ root }) => root);
  for (const folders of [parts, parts.toReversed()]) {
    const proof = await proveFolders(folders, [medium.signer], { findImages });
    assert.deepEqual([proof.verdict, proof.findings], ['proved', []]);
    assert.ok(proof.steps.find(({ name }) => name === 'charts')!.bytes > 0);
  }
  const delta = await carry(1, layer!, 'base');
  await using store = await openStoreAt({ root: whole.root }, { access: 'read', zone: 'zone-b' });
  const closure = new Map([layer!, tool!].map((digest) => [digest, store.index.sizeOf(digest)!]));
  const bases = [{ store }, { sent: { closure: async () => closure } }];
  for (const [i, base] of bases.entries()) {
    const proof = await proveFolders([delta.root], [medium.signer], {
      findImages,
      base: { receipt: receiptOf(whole), ...base },
    });
    assert.deepEqual([proof.verdict, proof.findings], ['proved', []]);
    assert.equal(proof.steps.find(({ name }) => name === 'charts')!.bytes > 0, i === 0);
    assert.equal(
      proof.limits.some(({ name }) => name === 'unread-content'),
      i === 1,
    );
  }
});

test('a layer that the zone has in another repository is found there, and one that it lacks is missed once', async () => {
  const image = (name: string, layers: Artifact['blobs']): MediumIngredient => ({
    ...app,
    ref: `origin.example:5000/${name}`,
    artifact: buildImage(name, { layers }),
  });
  const [, layer] = app.artifact.blobs;
  const before = await build([app], 'images');
  const next = await build([image('moved', [layer!])], 'moved');
  const { digest } = layer!.descriptor;
  const base = { zone: 'zone-b', receipt: hashBytes('receipt'), sequence: 7 };
  const carry = (part: number) =>
    carryPart(next, {
      delivery: { id: 'dlv_0123456789ab', part, parts: 2 },
      base,
      absent: new Map([[digest, 'base']]),
    });
  const folders = [await carry(1), await carry(2)].map(({ root }) => root);
  await using store = await openStoreAt({ root: before.root }, { access: 'read', zone: 'zone-b' });
  const prove = (receipt: Receipt) => proveFolders(folders, [medium.signer], { base: { receipt, store } });
  const proof = await prove(receiptOf(before));
  assert.deepEqual([proof.verdict, proof.findings], ['proved', []]);
  const lacking = await prove(receiptOf(before, { recipes: [] }));
  assert.deepEqual(
    lacking.findings.map(({ code, subject }) => `${code} ${subject}`),
    ['SVC-MED-040 moved@1.0.0'],
  );
});

test('a file that changed after it was hashed does not count as hashed', async () => {
  const root = await medium.carry();
  const verification = await verifyCarried(root, trust(medium.signer));
  const [recipe] = verification.cleared;
  const [digest, { size }] = [...recipe!.files][0]!;
  await using store = await openStoreAt({ root }, { access: 'read', zone: 'zone-b' });
  const files = openHashedFiles();
  files.add({ folder: root, store, verification, outcomes: new Map() });
  const blob = { mediaType: '', digest, size };
  assert.equal(await files.isUnchanged(blob), true);
  assert.equal(await files.isUnchanged({ ...blob, size: size + 1 }), false);
  assert.equal(await files.isUnchanged({ ...blob, digest: `sha256:${'0'.repeat(64)}` }), false);
  const path = `${root}/${blobPath(digest)}`;
  await writeFile(path, await readFile(path));
  assert.equal(await files.isUnchanged(blob), false);
});

test('a document is taken as it was hashed, and read again after its file changed', async () => {
  const root = await medium.carry();
  const verification = await verifyCarried(root, trust(medium.signer));
  const { digest, repository } = verification.cleared[0]!.record;
  await using store = await openStoreAt({ root }, { access: 'read', zone: 'zone-b' });
  const outcomes = await startReading(root).outcomes;
  const away = { has: () => false, open: () => assert.fail() };
  const source = openCarried({ folder: root, store, verification, outcomes }, repository, away);
  const outcome = outcomes.get(blobPath(digest))!;
  assert.ok('digest' in outcome);
  const [kept, { bytes, descriptor }] = [outcome.bytes!, (await source.fetchManifest(digest))!];
  assert.equal(bytes.buffer, kept.buffer);
  assert.deepEqual(await buffer(await source.fetchBlob(descriptor)), Buffer.from(kept));
  await damageFile(`${root}/${blobPath(digest)}`, 3);
  await assert.rejects(source.fetchManifest(digest), (error) => isSvcError(error, 'SVC-MED-012'));
});

test('a folder that is named by a relative path or a link is proved as by its real path', async () => {
  await using own = await buildMedium();
  const root = await own.carry();
  const link = join(own.folder, 'link');
  await symlink(root, link);
  for (const named of [relative(process.cwd(), root), link]) {
    const proof = await proveFolders([named], [own.signer]);
    assert.deepEqual(
      [proof.verdict, proof.findings.filter(({ severity }) => severity === 'error')],
      ['proved', []],
    );
  }
});

test('while a part is missing, only what does not land is told', async () => {
  await using split = await openSplitDelivery({ signer: medium.signer });
  const { root } = await split.carry(1);
  const proof = await proveFolders([root], [medium.signer], {
    findImages,
    platforms: [parsePlatform('linux/s390x')!],
    base: { receipt: receiptOf(medium, { destination: { sparse: 'unknown', freeBytes: 1 } }) },
  });
  assert.equal(proof.verdict, 'refused');
  assert.deepEqual([...new Set(proof.findings.map(({ step }) => step))], ['import']);
  assert.deepEqual(
    proof.steps.map(({ name }) => name),
    ['media', 'trust', 'import'],
  );
});

test('a signature that no root verifies is told once for its recipe, and not for each folder', async () => {
  await using split = await openSplitDelivery({ signer: createSigner() });
  const folders = [(await split.carry(1)).root, (await split.carry(2)).root];
  const proof = await proveFolders(folders, [medium.signer]);
  assert.equal(proof.verdict, 'refused');
  assert.deepEqual(proof.findings.map(({ subject, code }) => `${subject} ${code}`).sort(), [
    'depot@1.0.0 SVC-SIG-001',
    'shop@1.0.0 SVC-SIG-001',
    'yard@1.0.0 SVC-SIG-001',
  ]);
});
