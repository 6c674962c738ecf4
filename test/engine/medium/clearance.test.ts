import assert from 'node:assert/strict';
import { cp, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseDigest } from '../../../src/base/digest.ts';
import { toGateError } from '../../../src/base/gate-refusal.ts';
import type { StoreIndex } from '../../../src/catalog/model.ts';
import { Clearance } from '../../../src/engine/medium/clearance.ts';
import { verifyMedium } from '../../../src/engine/medium/verify-medium.ts';
import { signatureTag } from '../../../src/oci/reference.ts';
import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { openStore } from '../../../src/store/opening/open-store.ts';
import { renderError } from '../../../src/text/message.ts';
import { buildImage, pushArtifact } from '../../kit/content/content.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { carry } from '../../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { trust } from '../../kit/scene/verify-carried.ts';

let medium: BuiltMedium;
const stowaway = buildImage('stowaway');
before(async () => {
  medium = await buildMedium({
    also: async (store) => {
      const target = openRepository(store, 'stowaway', { owner: { provenance: 'import' } });
      await pushArtifact(target, stowaway, 'v1');
      const beside = openRepository(store, 'origin.example_5000/shop/web', {
        owner: { provenance: 'import' },
      });
      await pushArtifact(beside, stowaway, 'latest');
    },
  });
});
after(() => medium[Symbol.asyncDispose]());

async function serve(root: string) {
  const zone = 'zone-b';
  const report = createRecordingReport();
  const producer = { version: '0.0.0-test' };
  const store = await openStore({ root, zone, access: 'read', producer, report });
  const clearance = new Clearance({ store, zone, report });
  const verify = async (asked = 'zone-b') => {
    const verification = await verifyMedium({
      store,
      zone: asked,
      policy: trust(medium.signer),
      freshness: undefined,
      waive: { zoneMismatch: false, stale: false },
      report,
      now: Date.now,
    });
    clearance.settle(verification);
    return verification;
  };
  return { store, clearance, verify, report, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

test('a foreign store in a zone is closed until it is verified, then open for what verified recipes reach', async () => {
  const { root, parts } = await carry(medium);
  await using instance = await serve(root);
  const { clearance, store } = instance;
  const shop = await parts('shop');
  const { repository, tag, digest } = shop.record.ingredients[0]!;
  assert.equal(clearance.guarded, true);
  assert.equal(clearance.rehash, true);
  assert.deepEqual(clearance.refusal(), { code: 'SVC-MED-030', mediaId: store.mediaId });
  assert.equal(clearance.allowsRepository(repository), false);
  assert.equal(clearance.allowsTag(repository, tag), false);
  assert.equal(clearance.allowsBlob(repository, shop.layer), false);

  await instance.verify();
  assert.equal(clearance.refusal(), undefined);
  assert.equal(clearance.serving, 'open');
  assert.equal(clearance.allowsTag(repository, tag), true);
  assert.equal(clearance.allowsManifest(repository, digest), true);
  assert.equal(clearance.allowsBlob(repository, shop.layer), true);
  assert.equal(clearance.allowsTag(shop.record.repository, shop.record.tag), true);
  assert.equal(clearance.allowsTag(shop.record.repository, signatureTag(shop.recipe)!), true);

  assert.equal(clearance.allowsRepository('stowaway'), false);
  assert.equal(clearance.allowsTag('stowaway', 'v1'), false);
  assert.equal(clearance.allowsTag(repository, 'latest'), false);
  assert.equal(clearance.allowsManifest(repository, stowaway.manifest.descriptor.digest), false);
  assert.equal(clearance.allowsBlob(repository, stowaway.blobs[0]!.descriptor.digest), false);
});

test('a tag that the index points elsewhere is not served, though a recipe names it', async () => {
  const { root, parts } = await carry(medium);
  await using instance = await serve(root);
  const { repository, tag } = (await parts('shop')).record.ingredients[0]!;
  await instance.verify();
  const { digest } = stowaway.manifest.descriptor;
  const index: StoreIndex = {
    ...instance.store.index,
    tag: (name, asked) => {
      const record = instance.store.index.tag(name, asked);
      return record && asked === tag ? { ...record, digest } : record;
    },
  };
  const misled: Store = new Proxy(instance.store, {
    get: (target, member) => (member === 'index' ? index : Reflect.get(target, member, target)),
  });
  const clearance = new Clearance({ store: misled, zone: 'zone-b', report: instance.report });
  clearance.settle(await instance.verify());
  assert.equal(clearance.allowsRepository(repository), true);
  assert.equal(clearance.allowsTag(repository, tag), false);
});

test('a blocked medium is not served, and its refusal states that it was verified', async () => {
  await using instance = await serve(medium.root);
  await instance.verify('zone-c');
  assert.equal(instance.clearance.refusal()?.code, 'SVC-MED-032');
  instance.clearance.close();
  assert.equal(instance.clearance.refusal()?.code, 'SVC-MED-030');
});

test('a file found altered withdraws the recipes that reach it, by name; with none left all is closed', async () => {
  const { root, parts } = await carry(medium);
  await using instance = await serve(root);
  const { clearance, report } = instance;
  await instance.verify();
  const [shop, depot] = [await parts('shop'), await parts('depot')];
  const { repository, tag } = shop.record.ingredients[0]!;
  clearance.onAltered(parseDigest(`sha256:${'0'.repeat(64)}`)!);
  assert.equal(clearance.allowsTag(repository, tag), true);
  clearance.onAltered(shop.layer);
  assert.equal(clearance.allowsTag(repository, tag), false);
  assert.equal(clearance.allowsRepository(depot.record.repository), true);
  const withdrawn = report.records.flatMap(({ level, fields }) => (level === 'error' ? [fields.recipe] : []));
  assert.deepEqual(withdrawn, ['shop@1.4.0']);
  clearance.onAltered(depot.document);
  assert.equal(clearance.refusal()?.code, 'SVC-MED-032');
});

test('a range is served only from the file that was hashed', async () => {
  const { root, parts, blob } = await carry(medium);
  await using instance = await serve(root);
  const { layer } = await parts('shop');
  const look = async () => {
    const file = await open(blob(layer));
    try {
      return await file.stat({ bigint: true });
    } finally {
      await file.close();
    }
  };
  assert.equal(instance.clearance.isVerifiedFile(layer, await look()), false);
  await instance.verify();
  assert.equal(instance.clearance.isVerifiedFile(layer, await look()), true);
  assert.equal(instance.clearance.isVerifiedFile(stowaway.manifest.descriptor.digest, await look()), false);
  await damageFile(blob(layer), 5);
  assert.equal(instance.clearance.isVerifiedFile(layer, await look()), false);
});

test('another folder in the place of the one that was verified closes everything', async () => {
  const { root, parts } = await carry(medium);
  await using instance = await serve(root);
  const { repository, tag } = (await parts('shop')).record.ingredients[0]!;
  await instance.verify();
  assert.equal(instance.clearance.refusal(), undefined);
  await rename(root, `${root}-unmounted`);
  await cp(`${root}-unmounted`, root, { recursive: true });
  assert.notEqual((await stat(root)).ino, (await stat(`${root}-unmounted`)).ino);
  assert.equal(instance.clearance.refusal()?.code, 'SVC-MED-033');
  assert.equal(instance.clearance.allowsTag(repository, tag), false);
});

test('a medium that is away is told as away, until something is in its place', async () => {
  const { root } = await carry(medium);
  await using instance = await serve(root);
  await instance.verify();
  const { mediaId } = instance.store;
  await rename(root, `${root}-away`);
  // the empty folder below a mount point
  await mkdir(root);
  const away = { code: 'SVC-MED-033', mediaId, problem: 'away' };
  assert.deepEqual(instance.clearance.refusal(), away);
  instance.clearance.noteAway(false);
  assert.deepEqual(instance.clearance.refusal(), { code: 'SVC-MED-033', mediaId });
  instance.clearance.noteAway(true);
  assert.deepEqual(instance.clearance.refusal(), away);
  const { what, action } = renderError(toGateError(instance.clearance.refusal()!), 'en');
  assert.match(what, /is away/);
  assert.match(action, /mount it in the same place/);
  await rm(root, { recursive: true });
  await rename(`${root}-away`, root);
  instance.clearance.settle(await instance.verify());
  assert.equal(instance.clearance.refusal(), undefined);
});

test('files that changed since they were opened close everything, withdraw nothing, and wait for a verdict', async () => {
  const { root, parts } = await carry(medium);
  await using instance = await serve(root);
  const { store, report } = instance;
  let isChanged = false;
  const clearance = new Clearance({ store, zone: 'zone-b', report, isChanged: () => isChanged });
  clearance.settle(await instance.verify());
  assert.equal(clearance.closeIfChanged(), false);
  isChanged = true;
  assert.equal(clearance.refusal(), undefined, 'no request looks at the disk');
  const { layer } = await parts('shop');
  clearance.onAltered(layer);
  assert.deepEqual(clearance.withdrawals, []);
  assert.deepEqual(clearance.refusal(), { code: 'SVC-MED-033', mediaId: store.mediaId });
  assert.ok(!report.records.some(({ level }) => level === 'error'));
  clearance.close();
  assert.equal(clearance.refusal()?.code, 'SVC-MED-033', 'a failure is no verdict');
  isChanged = false;
  clearance.settle(await instance.verify());
  assert.equal(clearance.refusal(), undefined);
});

test('without a zone a foreign store is served as it is, hashed on the way and never in parts', async () => {
  await using instance = await serve(medium.root);
  const bare = new Clearance({ store: instance.store, zone: undefined, report: instance.report });
  assert.equal(instance.store.standing, 'foreign');
  assert.equal(bare.guarded, false);
  assert.equal(bare.refusal(), undefined);
  assert.equal(bare.rehash, true);
  assert.equal(bare.allowsTag('stowaway', 'v1'), true);
  const info = await stat(join(medium.root, 'index.json'), { bigint: true });
  assert.equal(bare.isVerifiedFile(stowaway.manifest.descriptor.digest, info), false);
});
