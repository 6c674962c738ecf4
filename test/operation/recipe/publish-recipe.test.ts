import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { openContext } from '../../../src/operation/context.ts';
import { publishRecipe } from '../../../src/operation/recipe/publish-recipe.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { renderError } from '../../../src/text/message.ts';
import { openSyncScene, type SyncScene } from '../../kit/scene/sync-scene.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const toDocument = (
  change: { name?: string; version?: string; digest?: string | undefined; tag?: string } = {},
) =>
  Buffer.from(
    JSON.stringify({
      apiVersion: 'recipe.tobby.dev/v1alpha1',
      kind: 'Recipe',
      metadata: { name: change.name ?? 'shop', version: change.version ?? '1.0.0' },
      spec: {
        ingredients: [
          {
            name: 'x',
            kind: 'ContainerImage',
            ref: 'registry.example/x',
            version: change.tag ?? '1',
            ...('digest' in change ? {} : { digest }),
          },
        ],
      },
    }),
  );

async function publish(scene: SyncScene, document: Buffer, place = 'cookbook/shop:1.0.0') {
  await using context = await openContext(scene.config(), { report: scene.report, version: '0' });
  return await publishRecipe(context, {
    document,
    file: 'recipe.yaml',
    reference: `${scene.origin.host}/${place}`,
    actor: 'test',
  });
}

test('publishing a recipe writes its artifact once; the same document again writes nothing', async () => {
  await using scene = await openSyncScene();
  const { origin } = scene;
  const first = await publish(scene, toDocument());
  assert.equal(first.unchanged, false);
  assert.equal(origin.manifest('cookbook/shop', '1.0.0')?.digest, first.digest);
  assert.deepEqual(origin.blob('cookbook/shop', first.documentDigest), toDocument());
  origin.requests.length = 0;
  const second = await publish(scene, toDocument());
  assert.deepEqual(second, { ...first, unchanged: true });
  assert.equal(origin.count(/^(PUT|POST|PATCH)/), 0);
});

test('another document under a published version is refused', async () => {
  await using scene = await openSyncScene();
  const first = await publish(scene, toDocument());
  const other = Buffer.concat([toDocument(), Buffer.from('\n')]);
  // the output of sha256sum for either file
  const params = {
    published: first.digest,
    document: hashBytes(toDocument()),
    candidate: hashBytes(other),
  };
  await assert.rejects(publish(scene, other), (error) => {
    assert.ok(isSvcError(error, 'SVC-POL-004'));
    const { reference: _, ...said } = error.params;
    assert.deepEqual(said, params);
    return true;
  });
  assert.equal(scene.origin.manifest('cookbook/shop', '1.0.0')?.digest, first.digest);
});

test('a recipe that is not pinned is refused with the line and the command that pins it', async () => {
  await using scene = await openSyncScene();
  const document = toDocument({ digest: undefined });
  await assert.rejects(publish(scene, document), (error) => {
    assert.ok(isSvcError(error, 'SVC-VAL-001'));
    assert.equal(typeof error.params.line, 'number');
    const { what, action } = renderError(error, 'en');
    assert.match(what, /\(line [0-9]+\): is required in a pinned recipe\.$/);
    assert.match(action, /^Run svc recipe pin \S+,/);
    assert.doesNotMatch(action, /Correct/);
    return true;
  });
});

test('what is no cooked recipe, or contradicts its reference, is refused before anything is asked', async () => {
  await using scene = await openSyncScene();
  const cases: [Buffer, string | undefined, string][] = [
    [toDocument({ digest: undefined }), undefined, 'SVC-VAL-001'],
    [toDocument({ tag: '^1.0.0' }), undefined, 'SVC-VAL-001'],
    [toDocument({ name: 'other' }), undefined, 'SVC-VAL-001'],
    [toDocument({ version: '1.0.1' }), undefined, 'SVC-VAL-001'],
    [Buffer.from('not a recipe'), undefined, 'SVC-VAL-001'],
    [toDocument(), 'cookbook/shop', 'SVC-REG-001'],
    [toDocument(), 'shop:1.0.0', 'SVC-REG-001'],
    [toDocument(), `cookbook/shop@${digest}`, 'SVC-REG-001'],
  ];
  for (const [document, place, code] of cases)
    await assert.rejects(publish(scene, document, place), { code }, `${place} ${document}`);
  assert.equal(scene.origin.requests.length, 0);
});
