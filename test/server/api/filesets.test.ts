import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openRepository } from '../../../src/store/open-repository.ts';
import { buildImage, buildIndex, pushArtifact } from '../../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { toArchive } from '../../kit/content/tar-archive.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

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

test('the list has the served FileSets, the others with the reason, and the unconfigured ones of the store', async () => {
  const recipe = { provenance: 'recipe', recipe: 'os@1.0.0', cookbook: 'registry.example/cookbook' } as const;
  const debian = openRepository(server.store, 'registry.example_5000/os/debian', {
    owner: recipe,
    kind: 'FileSet',
  });
  await pushArtifact(debian, imageOf('older'), '12.10.0');
  const newest = imageOf('newest');
  await pushArtifact(debian, newest, '12.11.0');
  const packed = { owner: { provenance: 'local-pack' }, kind: 'FileSet' } as const;
  await pushArtifact(
    openRepository(server.store, 'localhost/filesets/manuals', packed),
    imageOf('manual'),
    '1.0.0',
  );
  await pushArtifact(
    openRepository(server.store, 'registry.example/app', { owner: { provenance: 'import' } }),
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
        served: false,
        anonymous: false,
        url: '/files/absent/',
        error: {
          code: 'SVC-REG-005',
          class: 'failure',
          params: { reference: absent.reference, local: 'store' },
        },
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
    views: [],
    packEnabled: false,
  });
});

test('a file set whose platform is ambiguous is listed with the error of a request, and not as served', async () => {
  await using own = await openTempFolder();
  await using many = await startTestServer({
    folder: own.path,
    filesets: [{ name: 'many', ref: 'registry.example/os/many', anonymous: true }],
  });
  const target = openRepository(many.store, 'registry.example/os/many', { owner: { provenance: 'import' } });
  await pushArtifact(target, buildIndex('many'), '1.0.0');
  const response = await many.fetch('/files/many/some.txt');
  assert.equal(response.status, 409);
  const list = await many.fetch('/api/v1/filesets', { headers: { authorization: many.as.viewer } });
  const { filesets } = (await list.json()) as any;
  assert.deepEqual([filesets[0].served, filesets[0].error?.code], [false, 'SVC-CFG-001']);
  assert.equal(filesets[0].version, '1.0.0');
});
