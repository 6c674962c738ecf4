import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readRetriever } from '../../../src/engine/sync/read-retriever.ts';
import { noCredentials } from '../../../src/remote/registry/credentials.ts';
import { createRegistry } from '../../../src/remote/registry/registry.ts';
import { createTransport } from '../../../src/remote/transport/transport.ts';
import { toRetriever } from '../../kit/content/retriever.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';

const folder = await mkdtemp(join(tmpdir(), 'svc-retriever-'));
const origin = await createRegistryDouble();
const report = createRecordingReport();
const transport = createTransport({ insecure: [origin.host], report });
const credentials = noCredentials;
const registry = createRegistry({ transport, credentials, retries: 0, report });
const options = { registry, transport, credentials, retries: 0, report };
after(async () => {
  await transport[Symbol.asyncDispose]();
  await origin.close();
  await rm(folder, { recursive: true });
});

const document = Buffer.from(
  toRetriever({ cookbook: 'registry.example/cookbook', recipes: [{ name: 'shop', version: '*' }] }),
);
const put = (repository: string, layers: readonly Buffer[]) => {
  const config = origin.putBlob(repository, '{}', 'application/vnd.oci.empty.v1+json');
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const stored = layers.map((bytes) => origin.putBlob(repository, bytes, 'application/x-anything'));
  return origin.putManifest(
    repository,
    { schemaVersion: 2, mediaType, config, layers: stored },
    { tag: 'v1' },
  );
};

test('a file, an artifact whatever its media types, and a given document are read, and the digest is logged', async () => {
  const path = join(folder, 'retriever.yaml');
  await writeFile(path, document);
  const { digest } = put('zones/a', [document]);
  const sources = [
    path,
    `oci://${origin.host}/zones/a:v1`,
    `oci://${origin.host}/zones/a@${digest}`,
    { document, name: 'x' },
  ];
  for (const source of sources) {
    report.records.length = 0;
    assert.equal((await readRetriever(source, options)).metadata.name, 'zone-a');
    assert.match(
      String(report.records.find(({ message }) => message === 'Retriever read')?.fields.digest),
      /^sha256:/,
    );
  }
});

test('what cannot be had or used is refused by its code', async () => {
  const large = join(folder, 'large.yaml');
  await writeFile(large, Buffer.alloc(4_194_305, 32));
  put('zones/two', [document, document]);
  put('zones/none', []);
  put('zones/bad', [Buffer.from('kind: Retriever')]);
  origin.putManifest(
    'zones/index',
    { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: [] },
    { tag: 'v1' },
  );
  const cases: [string, string][] = [
    [join(folder, 'absent.yaml'), 'SVC-REG-005'],
    [join(folder, 'large.yaml', 'below'), 'SVC-REG-005'],
    [folder, 'SVC-FIL-005'],
    [large, 'SVC-VAL-002'],
    [`oci://${origin.host}/zones/absent:v1`, 'SVC-REG-005'],
    [`oci://${origin.host}/zones/two:v1`, 'SVC-SIG-003'],
    [`oci://${origin.host}/zones/none:v1`, 'SVC-SIG-003'],
    [`oci://${origin.host}/zones/index:v1`, 'SVC-SIG-003'],
    [`oci://${origin.host}/zones/bad:v1`, 'SVC-VAL-001'],
    [`oci://${origin.host}/zones/a`, 'SVC-REG-001'],
    [`http://${origin.host}/retriever.yaml`, 'SVC-REG-001'],
  ];
  for (const [source, code] of cases) await assert.rejects(readRetriever(source, options), { code }, source);
});

test('a layer that says it is too large is refused before it is fetched', async () => {
  const repository = 'zones/heavy';
  const config = origin.putBlob(repository, '{}', 'application/vnd.oci.empty.v1+json');
  const layer = { ...origin.putBlob(repository, document), size: 4_194_305 };
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  origin.putManifest(repository, { schemaVersion: 2, mediaType, config, layers: [layer] }, { tag: 'v1' });
  origin.requests.length = 0;
  await assert.rejects(readRetriever(`oci://${origin.host}/${repository}:v1`, options), {
    code: 'SVC-SIG-003',
  });
  assert.equal(origin.count(/blobs/), 0);
});
