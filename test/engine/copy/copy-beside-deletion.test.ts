import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyGraph } from '../../../src/engine/copy/copy-graph.ts';
import type { Source } from '../../../src/oci/ports.ts';
import { deleteTag } from '../../../src/store/delete-content.ts';
import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { type Artifact, buildImage, buildIndex, digestsOf, pushArtifact } from '../../kit/content/content.ts';
import { createMemoryTarget } from '../../kit/instance/memory-target.ts';
import { openTempStore } from '../../kit/instance/temp-store.ts';

const owner = { provenance: 'import' } as const;

/** Copies an artifact, of which a part loses its other tag in the middle of the copy. */
async function copyBesideDeletion(
  store: Store,
  artifact: Artifact,
  other: { readonly repository: string; readonly artifact: Artifact },
): Promise<void> {
  await pushArtifact(openRepository(store, other.repository, { owner }), other.artifact, 'other');
  const memory = createMemoryTarget();
  await pushArtifact(memory, artifact);
  const source: Source = {
    resolve: memory.resolve,
    fetchManifest: memory.fetchManifest,
    fetchBlob: async (blob, call) => {
      await deleteTag(store, other.repository, 'other');
      return memory.fetchBlob(blob, call);
    },
  };
  const target = openRepository(store, 'own', { owner });
  await copyGraph(source, target, artifact.manifest, { reference: 'own', tag: 'v1' });
  assert.equal(
    store.index.tag(other.repository, 'other'),
    undefined,
    'the deletion is in the middle of the copy',
  );
  for (const digest of digestsOf(artifact)) assert.notEqual(store.index.sizeOf(digest), undefined, digest);
}

test('a blob that was found at the target stays there although its other owner deletes it during the copy', async () => {
  await using temporary = await openTempStore();
  const other = buildImage('other');
  const image = buildImage('own', { layers: [other.blobs.at(-1)!] });
  await copyBesideDeletion(temporary.store, image, { repository: 'other', artifact: other });
});

test('an image that was found at the target stays with its index although its other owner deletes it during the copy', async () => {
  await using temporary = await openTempStore();
  const index = buildIndex('own');
  await copyBesideDeletion(temporary.store, index, {
    repository: 'own',
    artifact: index.children[0]!.artifact,
  });
});
