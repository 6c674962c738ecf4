import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRepository } from '../../src/store/open-repository.ts';
import { type Artifact, pushArtifact, seededBytes } from '../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../kit/content/fileset-image.ts';
import { toArchive } from '../kit/content/tar-archive.ts';
import { startTestServer } from '../kit/instance/server.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { mountMemory, needsMount } from './rig/small-volume.ts';

const names = ['many', 'large', 'first', 'second'] as const;
const large = seededBytes('large', 9 << 20);
const images: Record<(typeof names)[number], Artifact> = {
  // an index larger than the volume
  many: toFilesetImage([
    toLayer(
      toArchive(
        Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`${'folder/'.repeat(20)}${i}`, ''])),
      ),
    ),
  ]),
  // an archive larger than the volume
  large: toFilesetImage([toLayer(toArchive({ file: large }), 'gzip')]),
  // room for one of these
  first: toFilesetImage([toLayer(toArchive({ file: large.subarray(0, 4 << 20) }), 'gzip')]),
  second: toFilesetImage([toLayer(toArchive({ file: large.subarray(5 << 20) }), 'zstd')]),
};

test('a state volume that is full costs the file set that wants it, and no other', async (t) => {
  await using folder = await openTempFolder();
  if (!needsMount(t, folder.path)) return;
  await using volume = mountMemory(join(folder.path, 'state'), '8m');
  await using server = await startTestServer({
    folder: folder.path,
    filesets: names.map((name) => ({ name, ref: `localhost/filesets/${name}`, anonymous: true })),
  });
  for (const name of names) {
    const owner = { provenance: 'import' } as const;
    await pushArtifact(
      openRepository(server.store, `localhost/filesets/${name}`, { owner }),
      images[name],
      '1.0.0',
    );
  }
  const kept = async () =>
    (await readdir(join(volume.path, 'files'))).map((name) => name.replace(/-.*(?=\.\w+$)/, '')).sort();
  const refusal = async (path: string) => {
    const response = await server.fetch(`/files/${path}`);
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  const size = async (path: string) => {
    const response = await server.fetch(`/files/${path}`);
    return [response.status, (await response.arrayBuffer()).byteLength];
  };

  assert.deepEqual(await refusal('many/x'), [507, 'SVC-STO-004']);
  assert.deepEqual(await refusal('large/file'), [507, 'SVC-STO-004']);
  assert.deepEqual(await kept(), []);
  assert.deepEqual(await size('first/file'), [200, 4 << 20]);
  assert.deepEqual(await kept(), ['layer.tar', 'tree.sqlite']);
  // the one makes room for the other, and back
  for (const name of ['second', 'first', 'second']) {
    assert.deepEqual(await size(`${name}/file`), [200, 4 << 20]);
    assert.deepEqual(await kept(), ['layer.tar', 'tree.sqlite', 'tree.sqlite']);
  }
});
