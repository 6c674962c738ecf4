import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { localSigned } from '../../src/engine/copy/local-source.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { openContext } from '../../src/operation/context.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { recordUpload } from '../../src/store/record-upload.ts';
import { collectSignatures } from '../../src/trust/discover.ts';
import { judgeSignatures } from '../../src/trust/judge.ts';
import {
  createSigner,
  crowdClassic,
  mergeClassic,
  type SignatureArtifact,
  type Signer,
} from '../kit/content/signer.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

const localHost = (scene: SyncScene): string => scene.origin.host.replace(':', '_');
const classicTag = ({ digest }: Descriptor): string => `${digest.replace(':', '-')}.sig`;

/** A recipe with one image of two platforms, synchronized. */
async function openShop(options: Parameters<typeof openSyncScene>[0] = {}) {
  const scene = await openSyncScene(options);
  const image = scene.putImage('library/app', '1.0', { platforms: ['linux/amd64', 'linux/arm64'] });
  const recipe = scene.publish('shop', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)]);
  await scene.setRetriever([['shop', '1.0.0']]);
  const { task } = await scene.run();
  assert.equal(task.counts.failed, 0);
  const { manifests } = JSON.parse(scene.origin.manifest('library/app', '1.0')!.bytes.toString());
  return { scene, image, recipe, platforms: manifests as readonly [Descriptor, Descriptor] };
}

/** How many classic signatures and bundles of a subject the store has. */
const countHeld = (scene: SyncScene, path: string, subject: Descriptor) =>
  scene.peek(async (store) => {
    const repository = `${localHost(scene)}/${path}`;
    const tag = store.index.tag(repository, classicTag(subject));
    const manifest =
      tag &&
      (await openRepository(store, repository, { owner: { provenance: 'push' } }).fetchManifest(tag.digest));
    return {
      classic: manifest ? JSON.parse(manifest.bytes.toString()).layers.length : 0,
      bundles: store.index.referrers(repository, subject.digest).length,
    };
  });

const trusting = (signer: Signer) => ({ trust: { roots: [{ name: 'next', key: signer.publicKeyPem }] } });

/** Makes all ingredients due, as a day does. */
const passDay = (scene: SyncScene): Promise<void> =>
  writeFile(join(scene.folder, 'state', 'signature-round'), '{"askedAt":0,"left":[]}');

for (const layout of ['classic', 'bundle'] as const) {
  test(`${layout}: a signature made after the first sync is planned as new, fetched, and not asked for twice`, async () => {
    const { scene, recipe } = await openShop();
    await using _ = scene;
    const next = createSigner();
    const idle = await scene.plan();
    assert.equal(idle.plan.outcome, 'up-to-date');
    assert.equal(idle.plan.recipes[0]?.signatures, undefined);

    const late = next.sign(recipe, layout);
    scene.pushSignature(
      'cookbook/shop',
      layout === 'classic' ? mergeClassic(recipe, [scene.signer.sign(recipe, 'classic'), late]) : late,
    );
    const { plan, exit_code } = await scene.plan();
    assert.equal(exit_code, 5);
    assert.equal(plan.recipes[0]?.signatures, 'new');
    const { task } = await scene.run();
    assert.equal(task.counts.failed, 0);
    const held = await countHeld(scene, 'cookbook/shop', recipe);
    assert.equal(held.classic + held.bundles >= 2, true, JSON.stringify(held));

    const after = await scene.plan();
    assert.equal(after.plan.outcome, 'up-to-date');
    const onlyNew = await scene.plan({ change: trusting(next) });
    assert.equal(onlyNew.plan.recipes[0]?.signature, 'verified');
  });
}

test('what the source no longer has stays: a signer who replaces a signature takes none away', async () => {
  const { scene, recipe } = await openShop();
  await using _ = scene;
  const next = createSigner();
  scene.pushSignature('cookbook/shop', next.sign(recipe, 'classic'));
  await scene.run();
  assert.deepEqual(await countHeld(scene, 'cookbook/shop', recipe), { classic: 2, bundles: 0 });
  for (const signer of [scene.signer, next])
    assert.equal((await scene.plan({ change: trusting(signer) })).plan.outcome, 'up-to-date');
});

test('a source that does not list an old signature any more does not fail a recipe that rests on it', async () => {
  const { scene, recipe } = await openShop();
  await using _ = scene;
  scene.pushSignature(
    'cookbook/shop',
    createSigner().sign(recipe, 'classic', { tamper: 'broken-signature' }),
  );
  const { task, outcome } = await scene.run();
  assert.equal(outcome.recipes.failed, 0, JSON.stringify(task.items));
});

test('a signed recipe costs three requests a run: other referrers are asked for once, and SBOMs not at all', async () => {
  const { scene, image } = await openShop();
  await using _ = scene;
  const ingredients = [toIngredient('app', 'library/app', '1.0', image)];
  const subject = scene.publish('paper', '1.0.0', ingredients, { sign: 'bundle' });
  const put = (artifactType: string) => {
    const config = scene.origin.putBlob('cookbook/paper', artifactType);
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    const manifest = { schemaVersion: 2, mediaType, artifactType, config, layers: [config], subject };
    return scene.origin.putManifest('cookbook/paper', manifest).digest;
  };
  const thing = put('application/vnd.acme.thing.v1+json');
  const sbom = put('application/spdx+json');
  await scene.setRetriever([['paper', '1.0.0']]);
  await scene.run();
  await scene.run();
  const ask = async () => {
    const before = scene.origin.requests.length;
    await scene.plan();
    return scene.origin.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
  };
  const requests = await ask();
  assert.equal(requests.length, 3, requests.join('\n'));
  const asked = (digest: string) => scene.origin.requests.filter(({ path }) => path.endsWith(digest)).length;
  assert.equal(asked(thing), 1);
  assert.equal(asked(sbom), 0);
});

/** A bundle whose manifest was changed. */
function change(
  bundle: SignatureArtifact,
  to: (manifest: Record<string, unknown>) => object,
): SignatureArtifact {
  const bytes = Buffer.from(JSON.stringify(to(JSON.parse(bundle.manifest.bytes.toString()))));
  const descriptor = { ...bundle.manifest.descriptor, digest: hashBytes(bytes), size: bytes.length };
  return { ...bundle, manifest: { descriptor, bytes } };
}

/** Bundles that cannot be carried, or are no signatures of the subject. */
const brokenBundles: Readonly<Record<string, (bundle: SignatureArtifact) => SignatureArtifact>> = {
  'without its layer': (bundle) => ({
    ...bundle,
    blobs: bundle.blobs.filter(({ descriptor }) => !descriptor.mediaType.includes('bundle')),
  }),
  'without its config': (bundle) =>
    change(bundle, (manifest) => ({
      ...manifest,
      config: { mediaType: 'application/vnd.oci.empty.v1+json', digest: hashBytes('no config'), size: 9 },
    })),
  'of another subject': (bundle) =>
    change(bundle, (manifest) => ({
      ...manifest,
      subject: { ...(manifest.subject as Descriptor), digest: hashBytes('another subject') },
    })),
  'with two layers, one of them absent': (bundle) =>
    change(bundle, (manifest) => {
      const [layer] = manifest.layers as [Descriptor];
      return { ...manifest, layers: [layer, { ...layer, digest: hashBytes('no layer') }] };
    }),
  'with a layer of another size': (bundle) =>
    change(bundle, (manifest) => {
      const [layer] = manifest.layers as [Descriptor];
      return { ...manifest, layers: [{ ...layer, size: layer.size + 1 }] };
    }),
};

for (const [name, toBroken] of Object.entries(brokenBundles))
  test(`a bundle ${name} stays behind: it is planned in no run, and the recipe that rests on another stays whole`, async () => {
    const { scene, recipe, image } = await openShop();
    await using _ = scene;
    const list = (repository: string, subject: Descriptor) => {
      const broken = toBroken(createSigner().sign(subject, 'bundle'));
      scene.pushSignature(repository, broken);
      const entry = { ...broken.manifest.descriptor, artifactType: broken.blobs[1]?.descriptor.mediaType };
      scene.origin.intercept(({ path }, response) => {
        if (!path.includes(`/referrers/${subject.digest}`)) return false;
        const type = 'application/vnd.oci.image.index.v1+json';
        response.writeHead(200, { 'content-type': type });
        response.end(JSON.stringify({ schemaVersion: 2, mediaType: type, manifests: [entry] }));
        return true;
      });
    };
    list('cookbook/shop', recipe);
    list('library/app', image);
    await passDay(scene);
    const { plan } = await scene.plan();
    assert.equal(plan.recipes[0]?.signatures, undefined);
    assert.equal(plan.outcome, 'up-to-date');
    const { outcome } = await scene.run();
    assert.equal(outcome.recipes.failed, 0);
    assert.ok(scene.report.records.some(({ message }) => message.startsWith('A signature is incomplete')));
    assert.equal((await scene.plan()).plan.outcome, 'up-to-date');
  });

test('signatures of platform images come with their image', async () => {
  for (const referrers of [true, false]) {
    await using scene = await openSyncScene({ origin: { referrers } });
    const image = scene.putImage('library/app', '1.0', { platforms: ['linux/amd64', 'linux/arm64'] });
    const { manifests } = JSON.parse(scene.origin.manifest('library/app', '1.0')!.bytes.toString());
    const [amd64, arm64] = manifests as [Descriptor, Descriptor];
    scene.pushSignature('library/app', scene.signer.sign(amd64, 'classic'));
    scene.pushSignature('library/app', scene.signer.sign(arm64, 'bundle'));
    scene.publish('shop', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)]);
    await scene.setRetriever([['shop', '1.0.0']]);
    await scene.run();
    assert.deepEqual(await countHeld(scene, 'library/app', amd64), { classic: 1, bundles: 0 });
    assert.deepEqual(await countHeld(scene, 'library/app', arm64), { classic: 0, bundles: 1 });
    // and go with the recipe that brought them
    scene.publish('other', '1.0.0', [
      toIngredient('app', 'library/other', '1.0', scene.putImage('library/other', '1.0')),
    ]);
    await scene.setRetriever([['other', '1.0.0']]);
    const { plan } = await scene.plan({ change: { sync: { prune: true } } });
    const { outcome } = await scene.run({ prune: true });
    assert.equal(outcome.pruned, plan.prune.items.length);
    assert.deepEqual(await countHeld(scene, 'library/app', amd64), { classic: 0, bundles: 0 });
  }
});

test('late signatures of ingredients come once a day, of every platform image, and are planned as new', async () => {
  const { scene, image, platforms } = await openShop();
  await using _ = scene;
  await scene.run();
  scene.pushSignature('library/app', scene.signer.sign(platforms[1], 'bundle'));
  scene.pushSignature('library/app', scene.signer.sign(image, 'classic'));
  scene.origin.requests.length = 0;
  assert.equal((await scene.plan()).plan.outcome, 'up-to-date', 'asked today already');
  assert.equal(scene.origin.count(/library\/app/), 0);

  await passDay(scene);
  const { plan } = await scene.plan();
  assert.equal(plan.recipes[0]?.ingredients[0]?.signatures, 'new');
  assert.equal(plan.recipes[0]?.ingredients[0]?.status, 'outdated');
  await scene.run();
  assert.deepEqual(await countHeld(scene, 'library/app', platforms[1]), { classic: 0, bundles: 1 });
  assert.deepEqual(await countHeld(scene, 'library/app', image), { classic: 1, bundles: 0 });
  await passDay(scene);
  assert.equal((await scene.plan()).plan.outcome, 'up-to-date');
});

test('a source that cannot be asked for late signatures of an ingredient is a warning, and asked again in the next run', async () => {
  const { scene, image } = await openShop();
  await using _ = scene;
  await passDay(scene);
  scene.pushSignature('library/app', scene.signer.sign(image, 'bundle'));
  scene.origin.failNext(/library\/app\/referrers/, 500);
  const { outcome } = await scene.run();
  assert.equal(outcome.recipes.failed, 0);
  assert.ok(scene.report.records.some(({ message }) => message.startsWith('A source could not be queried')));
  assert.deepEqual(await countHeld(scene, 'library/app', image), { classic: 0, bundles: 0 });
  await scene.run();
  assert.deepEqual(await countHeld(scene, 'library/app', image), { classic: 0, bundles: 1 });
});

test('a recipe that changed has its ingredients asked for at once', async () => {
  const { scene, image } = await openShop();
  await using _ = scene;
  await scene.run();
  scene.pushSignature('library/app', scene.signer.sign(image, 'bundle'));
  scene.publish('shop', '1.1.0', [toIngredient('app', 'library/app', '1.0', image)]);
  await scene.setRetriever([['shop', '1.1.0']]);
  await scene.run();
  assert.deepEqual(await countHeld(scene, 'library/app', image), { classic: 0, bundles: 1 });
});

for (const sign of ['classic', 'bundle'] as const)
  for (const referrers of [true, false])
    test(`${sign}, ${referrers ? 'with' : 'without'} a referrers API: another document under a version that a constraint selects is refused in the next run`, async () => {
      await using scene = await openSyncScene({ origin: { referrers } });
      const image = scene.putImage('library/app', '1.0');
      const app = toIngredient('app', 'library/app', '1.0', image);
      const published = scene.publish('shop', '1.0.0', [app], { sign });
      await scene.setRetriever([['shop', '^1.0']]);
      await using context = await openContext(scene.config(), {
        report: scene.report,
        version: '0.0.0-test',
        spool: true,
      });
      await scene.run({ context });
      scene.origin.requests.length = 0;
      assert.equal((await scene.run({ context })).outcome.movedBytes, 0);
      const asked = scene.origin.requests.map(({ method, path }) => `${method} ${path}`);
      assert.ok(asked.length <= 3, asked.join('\n'));

      const again = [app, { ...app, name: 'again' }];
      const candidate = scene.publish('shop', '1.0.0', again, { sign: 'none' });
      const errorOf = async () => {
        const { task } = await scene.run({ context });
        return task.items.find(({ name }) => name.startsWith('shop@'))?.error?.code;
      };
      // a classic signature is a new tag: without one the list is the same, and the tag is asked for within an hour
      if (sign === 'bundle') assert.equal(await errorOf(), 'SVC-SIG-001', 'nobody signed it');
      scene.pushSignature('cookbook/shop', scene.signer.sign(candidate, sign));
      assert.equal(await errorOf(), 'SVC-POL-004');
      assert.deepEqual((await scene.plan()).plan.problems[0], {
        code: 'SVC-POL-004',
        class: 'policy',
        subject: `${scene.origin.host}/cookbook/shop:1.0.0`,
        params: {
          reference: `${scene.origin.host}/cookbook/shop:1.0.0`,
          published: published.digest,
          candidate: candidate.digest,
        },
      });
    });

/** Puts a classic artifact into the store by a surface. */
async function putLocally(
  scene: SyncScene,
  artifact: SignatureArtifact,
  provenance: 'push' | 'import',
): Promise<void> {
  await using store = await scene.openStore();
  const path = `${localHost(scene)}/cookbook/shop`;
  const target = openRepository(store, path, { owner: { provenance } });
  for (const { descriptor, bytes } of artifact.blobs) {
    await target.pushBlob(descriptor, Readable.from([bytes]));
    await recordUpload(store, path, descriptor.digest, 'operator');
  }
  await target.pushManifest(artifact.tag!, artifact.manifest);
}

/** Whether the store can verify a recipe where its source is not at hand. */
const verifiesHere = (scene: SyncScene, recipe: Descriptor, signer: Signer) =>
  scene.peek(async (store) => {
    const source = localSigned(store, `${localHost(scene)}/cookbook/shop`);
    const { evidence, leftOut } = await collectSignatures(source, recipe.digest);
    const { publicKey: key, fingerprint } = signer;
    const policy = { roots: [{ name: 'one', key, fingerprint }], scopes: [], missing: [] };
    const verdict = await judgeSignatures(recipe.digest, evidence, policy, 'x/cookbook/shop', { leftOut });
    return verdict.outcome === 'verified';
  });

for (const [name, count, bytes] of [
  ['1024 signatures', 1023, undefined],
  ['1501 signatures', 1500, undefined],
  ['4 MiB of signatures', 1000, 4_194_304],
] as const)
  for (const layout of ['classic', 'bundle'] as const)
    test(`${layout}: a signature tag that was filled with ${name} before the first sync keeps no signature out that verifies`, async () => {
      await using scene = await openSyncScene();
      const image = scene.putImage('library/app', '1.0');
      const ingredients = [toIngredient('app', 'library/app', '1.0', image)];
      const recipe = scene.publish('shop', '1.0.0', ingredients, { sign: layout });
      await scene.setRetriever([['shop', '1.0.0']]);
      const junk = crowdClassic(createSigner().sign(recipe, 'classic'), count, bytes);
      await putLocally(scene, junk, 'push');
      const { task } = await scene.run();
      assert.equal(task.counts.failed, 0);
      assert.equal(await verifiesHere(scene, recipe, scene.signer), true);
      assert.equal((await scene.plan()).plan.outcome, 'up-to-date');
    });

test('an import never fills the signature tag of a recorded recipe', async () => {
  const { scene, recipe } = await openShop();
  await using _ = scene;
  const own = scene.signer.sign(recipe, 'classic');
  const standing = scene.origin.manifest('cookbook/shop', classicTag(recipe))!;
  const full = crowdClassic({ ...own, manifest: { ...own.manifest, bytes: standing.bytes } }, 1500);
  await assert.rejects(putLocally(scene, full, 'import'), { code: 'SVC-POL-002' });
  assert.equal(await verifiesHere(scene, recipe, scene.signer), true);
});

test('padding that a client adds to the signatures of a recipe keeps no later signature out', async () => {
  const { scene, recipe } = await openShop();
  await using _ = scene;
  const own = scene.signer.sign(recipe, 'classic');
  const standing = JSON.parse(scene.origin.manifest('cookbook/shop', classicTag(recipe))!.bytes.toString());
  const bytes = Buffer.from(JSON.stringify({ ...standing, annotations: { padding: 'x'.repeat(4_190_000) } }));
  const descriptor = { ...own.manifest.descriptor, digest: hashBytes(bytes), size: bytes.length };
  await putLocally(scene, { ...own, manifest: { bytes, descriptor } }, 'push');
  const next = createSigner();
  scene.pushSignature('cookbook/shop', next.sign(recipe, 'classic'));
  const { task } = await scene.run();
  assert.equal(task.counts.failed, 0);
  for (const signer of [scene.signer, next]) assert.equal(await verifiesHere(scene, recipe, signer), true);
  assert.equal((await scene.plan()).plan.outcome, 'up-to-date');
});
