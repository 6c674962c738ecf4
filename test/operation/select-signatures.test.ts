import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fallbackTag } from '../../src/oci/reference.ts';
import { isSigned, selectSignatures } from '../../src/operation/select-signatures.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { svcError, toErrorRecord } from '../../src/text/error.ts';
import { renderError } from '../../src/text/message.ts';
import type { TrustRoot } from '../../src/trust/model.ts';
import { toIngredient } from '../kit/scene/sync-scene.ts';
import { openZoneScene } from '../kit/scene/zone-scene.ts';

const predicateType = 'https://example.com/rejected/v1';

test('an attestation is no signature of an image, unless a root names its type, and a signature beside it is', async () => {
  await using zone = await openZoneScene();
  const { scene, store } = zone;
  const repository = zone.toLocal('library/x');
  const image = scene.putImage('library/x', '1');
  const attestation = scene.signer.sign(image, 'bundle', { predicateType });
  scene.pushSignature('library/x', attestation);
  scene.publish('shop', '1.0.0', [toIngredient('x', 'library/x', '1', image)]);
  await scene.setRetriever([['shop', '*']]);
  await zone.sync(false);
  assert.equal(store.index.referrers(repository, image.digest).length, 1, 'it is carried');
  assert.deepEqual(await selectSignatures(store, repository, image.digest, []), []);
  assert.equal(await isSigned(store, repository, image.digest, []), false);
  const roots = [{ predicates: [predicateType] } as unknown as TrustRoot];
  assert.equal(await isSigned(store, repository, image.digest, roots), true);

  scene.pushSignature('library/x', scene.signer.sign(image, 'bundle'));
  await zone.take('library/x', '1');
  assert.equal((await selectSignatures(store, repository, image.digest, [])).length, 1);
  assert.equal(await isSigned(store, repository, image.digest, []), true);
});

test('an image under its own fallback tag, or under that of another one, makes neither a signed version', async () => {
  await using zone = await openZoneScene();
  const { scene, store } = zone;
  const repository = zone.toLocal('library/x');
  const [image, other] = [scene.putImage('library/x', '1'), scene.putImage('library/x', '2')];
  await zone.take('library/x', '1');
  await zone.take('library/x', '2');
  const target = openRepository(store, repository, { owner: { provenance: 'push' } });
  const content = await target.fetchManifest(image.digest);
  for (const { digest } of [image, other]) {
    await target.pushManifest(fallbackTag(digest), content!);
    assert.equal(await isSigned(store, repository, digest, []), false);
  }
});

test('a recipe with nothing but an attestation is refused with the type in the text, in both languages', () => {
  const error = svcError('SVC-SIG-001', { subject: 'app', reason: 'none', attested: [predicateType] });
  const record = toErrorRecord(error);
  assert.match(
    renderError(record, 'en').what,
    /an attestation of type https:\/\/example\.com\/rejected\/v1, which approves nothing/,
  );
  assert.match(
    renderError(record, 'fr').what,
    /une attestation de type https:\/\/example\.com\/rejected\/v1, qui n’approuve rien/,
  );
});
