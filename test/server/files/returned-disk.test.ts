import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { pushArtifact, seededBytes } from '../../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { toArchive } from '../../kit/content/tar-archive.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const large = seededBytes('large', 100_000);
const archive = toArchive({ large });

test('a FileSet whose layer was altered while the disk was away is not served from its cached index', async () => {
  await using folder = await openTempFolder();
  const options = {
    folder: folder.path,
    filesets: [{ name: 'debian', ref: 'localhost/filesets/debian', anonymous: true }],
  };
  let path: string;
  {
    await using server = await startTestServer(options);
    const repository = openRepository(server.store, 'localhost/filesets/debian', {
      owner: { provenance: 'import' },
      kind: 'FileSet',
    });
    await pushArtifact(repository, toFilesetImage([toLayer(archive)]), '1.0.0');
    const answer = await fetch(`${server.url}/files/debian/large`);
    assert.equal(answer.status, 200);
    assert.equal(hashBytes(Buffer.from(await answer.arrayBuffer())), hashBytes(large));
    path = join(server.store.root, blobPath(hashBytes(archive)));
  }
  const bytes = await readFile(path);
  const altered = Buffer.from(bytes);
  altered[60_000] = altered[60_000]! ^ 1;
  const now = Date.now();
  do await writeFile(path, altered);
  while ((await stat(path)).ctimeMs <= now + 1);
  while (Date.now() <= (await stat(path)).ctimeMs);
  await using server = await startTestServer(options);
  const answer = await fetch(`${server.url}/files/debian/large`);
  assert.ok(answer.status >= 400, `answered ${answer.status}`);
});
