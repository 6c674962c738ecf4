import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBlob } from '../../../src/store/open-blob.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { quarantine } from '../../../src/store/quarantine.ts';
import { checkContent } from '../../../src/store/repair/check-content.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { buildImage, pushArtifact } from '../../kit/content/content.ts';
import { exhaustDescriptors } from '../../kit/hostile/exhaust-descriptors.ts';
import { openTempStore } from '../../kit/instance/temp-store.ts';

test('a store that runs out of descriptors neither loses nor quarantines content', async (t) => {
  await using temp = await openTempStore();
  const owner = { provenance: 'recipe', recipe: 'app@1.0.0' } as const;
  const image = buildImage('app');
  await pushArtifact(openRepository(temp.store, 'app', { owner }), image, 'v1');
  const { digest } = image.manifest.descriptor;
  const digests = [...temp.store.index.reach(digest)];
  const sizes = () => digests.map((one) => temp.store.index.sizeOf(one));
  const before = sizes();
  {
    using short = exhaustDescriptors(t);
    if (short === undefined) return;
    const isShort = (error: unknown): boolean => isSvcError(error, 'SVC-STO-014');
    for (const one of digests) await assert.rejects(openBlob(temp.store, one), isShort);
    const check = async () => {
      for await (const { problems } of checkContent(temp.store)) assert.deepEqual(problems, []);
    };
    await assert.rejects(check(), isShort);
    assert.deepEqual(
      await quarantine(
        temp.store,
        digests.map((one) => ({ digest: one })),
      ),
      [],
    );
  }
  assert.deepEqual(sizes(), before);
});
