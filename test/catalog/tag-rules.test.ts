import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { judgeTag } from '../../src/catalog/tag-rules.ts';

const place = { repository: 'origin.example/cookbook/app', tag: '1.0.0' };
const published = { digest: `sha256:${'a'.repeat(64)}` as Digest };
const digest: Digest = `sha256:${'b'.repeat(64)}`;
const cookbook = 'origin.example/cookbook';

test('the tag of a deleted recipe is free for that recipe, and for no ingredient of another', () => {
  const judge = (recipe: string, kind: 'Recipe' | 'ContainerImage') =>
    judgeTag(place, undefined, published, {
      digest,
      kind,
      owner: { provenance: 'recipe', recipe, cookbook },
    });
  assert.equal(judge('app@1.0.0', 'Recipe'), 'set');
  assert.throws(() => judge('other@1.0.0', 'ContainerImage'), { code: 'SVC-POL-004' });
  assert.throws(() => judge('other@1.0.0', 'Recipe'), { code: 'SVC-POL-004' });
});
