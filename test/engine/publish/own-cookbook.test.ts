import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import { openOwnCookbook } from '../../../src/engine/publish/own-cookbook.ts';
import { publishRecipe } from '../../../src/engine/publish/publish-recipe.ts';
import { deleteManifest } from '../../../src/store/delete-content.ts';
import { recipes, tag, toSignature } from '../../fault/rig/tag-scene.ts';
import { pushAsClient } from '../../kit/content/push-as-client.ts';
import { openTempStore } from '../../kit/instance/temp-store.ts';

const repository = 'cookbook/app';

test('a recipe is published although the content that it shares a blob with is deleted meanwhile', async () => {
  await using temporary = await openTempStore();
  const { store } = temporary;
  const signature = toSignature('ours');
  const artifact = { manifest: signature.content, blobs: signature.blobs, children: [] };
  await pushAsClient(store, repository, artifact);
  const { digest } = signature.content.descriptor;
  const found: Digest[] = [];
  const cookbook = openOwnCookbook(store, repository, 'operator');
  const open = () => ({
    ...cookbook,
    hasBlob: async (...args: Parameters<typeof cookbook.hasBlob>) => {
      const isThere = await cookbook.hasBlob(...args);
      if (isThere) found.push(args[0].digest);
      if (isThere) await deleteManifest(store, repository, digest);
      return isThere;
    },
  });
  const { unchanged } = await publishRecipe(open, {
    document: recipes[0]!.document!,
    file: 'recipe.yaml',
    reference: { host: 'here.example', repository, tag },
    created: '2026-03-03T00:00:00Z',
  });
  assert.equal(unchanged, false);
  assert.ok(found.length > 0, 'a blob was there at first');
  assert.equal(store.index.tag(repository, tag)?.kind, 'Recipe');
});
