import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toAliasTag } from '../../../src/catalog/re-point.ts';
import type { Owner } from '../../../src/contract/content.ts';
import type { OwnedTag } from '../../../src/engine/sync/ownership.ts';
import { projectTags } from '../../../src/engine/sync/project-tags.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { type Artifact, buildImage, pushArtifact } from '../../kit/content/content.ts';
import { openTempStore } from '../../kit/instance/temp-store.ts';

const by = (recipe: string): Owner => ({ provenance: 'recipe', recipe, cookbook: 'books.example/cookbook' });

test('tags are put in order where a recipe wants the alias that the content of another tag would get', async () => {
  await using temporary = await openTempStore();
  const { store } = temporary;
  const [one, two] = ['one', 'two'].map((seed) => buildImage(seed)) as [Artifact, Artifact];
  await pushArtifact(openRepository(store, 'r', { owner: by('shop@1') }), two, '2');
  const owned = (tag: string, { manifest }: Artifact): OwnedTag => ({
    repository: 'r',
    tag,
    digest: manifest.descriptor.digest,
    kind: 'ContainerImage',
    owner: by('desk@1'),
  });
  const alias = toAliasTag('2', two.manifest.descriptor.digest);

  const apart = projectTags([owned('2', one), owned('3', one)], store.index);
  assert.deepEqual([apart.kept.map(({ tag }) => tag), [...apart.inOrder]], [[alias], []]);

  const meeting = [owned('2', one), owned(alias, one)];
  for (const [order, kept] of [
    [meeting, toAliasTag(alias, two.manifest.descriptor.digest)],
    [meeting.toReversed(), toAliasTag('2', two.manifest.descriptor.digest, 24)],
  ] as const) {
    const { changed, inOrder } = projectTags(order, store.index);
    assert.deepEqual([...inOrder].sort(), [`r:2`, `r:${alias}`], 'one meets the other in either order');
    assert.ok(changed.has(`r:${kept}`), 'the order decides the name');
  }
});
