import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildImage, pushArtifact } from '../../kit/content.ts';
import { toFilesetImage, toLayer } from '../../kit/fileset-image.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { toArchive } from '../../kit/tar-archive.ts';
import { openTempFolder, type TempFolder } from '../../kit/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;
before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    filesets: [
      { name: 'debian', ref: 'registry.example:5000/os/debian', anonymous: true },
      { name: 'absent', ref: 'localhost/filesets/absent', anonymous: false },
    ],
  });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const imageOf = (text: string) => toFilesetImage([toLayer(toArchive({ text }))]);

test('the list tells what is served, what is not and why, and what the store has besides', async () => {
  const recipe = { provenance: 'recipe', recipe: 'os@1.0.0', cookbook: 'registry.example/cookbook' } as const;
  const debian = server.store.repository('registry.example_5000/os/debian', {
    owner: recipe,
    kind: 'FileSet',
  });
  await pushArtifact(debian, imageOf('older'), '12.10.0');
  const newest = imageOf('newest');
  await pushArtifact(debian, newest, '12.11.0');
  const packed = { owner: { provenance: 'local-pack' }, kind: 'FileSet' } as const;
  await pushArtifact(
    server.store.repository('localhost/filesets/manuals', packed),
    imageOf('manual'),
    '1.0.0',
  );
  await pushArtifact(
    server.store.repository('registry.example/app', { owner: { provenance: 'import' } }),
    buildImage('app'),
    '1.0.0',
  );
  const response = await server.fetch('/api/v1/filesets', { headers: { authorization: server.as.viewer } });
  assert.equal(response.status, 200);
  const absent = { reference: 'localhost/filesets/absent', repository: 'localhost/filesets/absent' };
  assert.deepEqual(await response.json(), {
    filesets: [
      {
        name: 'debian',
        reference: 'registry.example:5000/os/debian',
        repository: 'registry.example_5000/os/debian',
        versions: ['12.10.0', '12.11.0'],
        version: '12.11.0',
        digest: newest.manifest.descriptor.digest,
        provenance: ['recipe'],
        signed: false,
        served: true,
        anonymous: true,
        url: '/files/debian/',
      },
      {
        name: 'absent',
        ...absent,
        versions: [],
        provenance: [],
        signed: false,
        served: true,
        anonymous: false,
        url: '/files/absent/',
        error: { code: 'SVC-REG-005', class: 'failure', params: { reference: absent.reference } },
      },
      {
        name: 'manuals',
        reference: 'localhost/filesets/manuals',
        repository: 'localhost/filesets/manuals',
        versions: ['1.0.0'],
        provenance: ['local-pack'],
        signed: false,
        served: false,
        anonymous: false,
      },
    ],
    packEnabled: false,
  });
});
