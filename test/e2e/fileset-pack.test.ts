import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { packableTreeCounts, writePackableTree } from '../kit/content/packable-tree.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runSvc } from '../kit/program/svc.ts';

interface Scene extends AsyncDisposable {
  readonly folder: string;
  readonly tree: string;
  readonly instance: Instance;
  pack(body: Readonly<Record<string, unknown>>): Promise<{ status: number; body: any }>;
}

async function openScene(roots?: readonly string[]): Promise<Scene> {
  const folder = await openTempFolder();
  const tree = join(folder.path, 'packable', 'tree');
  writePackableTree(tree);
  const packRoots = roots ?? [join(folder.path, 'packable')];
  const instance = await startInstance({ folder: folder.path, config: { files: { packRoots } } });
  return {
    folder: folder.path,
    tree,
    instance,
    pack: (body) => instance.api('POST', '/filesets/pack', body),
    [Symbol.asyncDispose]: async () => {
      await instance[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('a running instance packs a folder below its pack roots, and the registry serves it at once', async () => {
  await using scene = await openScene();
  const { instance, tree } = scene;
  const { status, body } = await scene.pack({ source: tree, name: 'debian', version: '12' });
  assert.equal(status, 201, JSON.stringify(body));
  const { fileset } = body;
  assert.deepEqual(
    { ...fileset, digest: undefined, layerDigest: undefined, bytes: undefined },
    {
      name: 'debian',
      reference: 'localhost/filesets/debian:12',
      repository: 'localhost/filesets/debian',
      version: '12',
      ...packableTreeCounts,
      signed: false,
      digest: undefined,
      layerDigest: undefined,
      bytes: undefined,
    },
  );
  const headers = { authorization: instance.authorization };
  const manifest = await fetch(`${instance.url}/v2/${fileset.repository}/manifests/12`, { headers });
  assert.equal(hashBytes(Buffer.from(await manifest.arrayBuffer())), fileset.digest);
  const layer = await fetch(`${instance.url}/v2/${fileset.repository}/blobs/${fileset.layerDigest}`, {
    headers,
  });
  const bytes = Buffer.from(await layer.arrayBuffer());
  assert.equal(bytes.length, fileset.bytes);
  assert.equal(hashBytes(bytes), fileset.layerDigest);
  const content = await instance.api('GET', `/content/${fileset.repository}`);
  assert.deepEqual(content.body.provenance, ['local-pack']);

  const log = instance.log();
  const audit = log.split('\n').find((line) => line.includes('"action":"fileset.pack"'))!;
  const record = JSON.parse(audit);
  assert.equal(record.actor, 'admin');
  assert.equal(record.outcome, 'success');
  assert.equal(record.digest, fileset.digest);
  assert.ok(record.origin);

  // the command line, on a store of its own, comes to the same
  const there = {
    SVC_STORAGE_ROOT: join(scene.folder, 'store-2'),
    SVC_STATE_ROOT: join(scene.folder, 'state-2'),
  };
  const local = await runSvc(['fileset', 'pack', tree, 'other:1'], { env: there });
  assert.equal(local.stdout, `${fileset.digest}\n`);
});

test('paths that do not really lie below a pack root are refused and audited, and tell nothing', async () => {
  await using scene = await openScene();
  const { folder, instance } = scene;
  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'packable', 'link'));
  const sources = [
    '/etc',
    '/root',
    '/missing',
    join(folder, 'elsewhere'),
    join(folder, 'packable', 'link'),
    join(folder, 'packable', '..', 'elsewhere'),
    join(folder, 'store'),
    join(folder, 'state'),
    'tree',
    '../tree',
  ];
  const answers = new Set<string>();
  for (const source of sources) {
    const { status, body } = await scene.pack({ source, name: 'x', version: '1' });
    assert.equal(status, 403, source);
    assert.equal(body.code, 'SVC-FIL-003');
    answers.add(body.probable_cause);
    const isRecord = (line: string) =>
      line.includes('fileset.pack') && line.includes(body.correlation_id) && line.includes('denied');
    // the pipe of the log may be behind the answer
    await eventually('the correlation id finds the record', () => instance.log().split('\n').find(isRecord));
  }
  assert.equal(answers.size, 1);
  assert.deepEqual(readdirSync(join(folder, 'store', 'blobs', 'sha256')), []);
});

test('without pack roots nothing can be packed through the API', async () => {
  await using scene = await openScene([]);
  const { status, body } = await scene.pack({ source: scene.tree, name: 'x', version: '1' });
  assert.equal(status, 403);
  assert.equal(body.code, 'SVC-FIL-003');
});

test('only an administrator packs, and a request must be whole', async () => {
  await using scene = await openScene();
  const { instance, tree } = scene;
  const body = JSON.stringify({ source: tree, name: 'x', version: '1' });
  for (const role of ['viewer', 'operator'] as const) {
    const authorization = `Bearer ${await instance.createToken(role)}`;
    const response = await fetch(`${instance.url}/api/v1/filesets/pack`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });
    assert.equal(response.status, 403);
    assert.equal(((await response.json()) as { code: string }).code, 'SVC-AUTH-003');
  }
  for (const bad of [
    {},
    { source: tree, name: 'x' },
    { source: tree, name: 'x', version: 1 },
    { source: tree, name: 'x', version: '1', more: true },
  ])
    assert.equal((await scene.pack(bad)).body.code, 'SVC-VAL-001');
  assert.equal((await scene.pack({ source: tree, name: 'X', version: '1' })).body.code, 'SVC-FIL-001');
  symlinkSync('/etc', join(tree, 'etc'));
  const unsafe = await scene.pack({ source: tree, name: 'x', version: '1' });
  assert.equal(unsafe.status, 422);
  assert.equal(unsafe.body.code, 'SVC-FIL-002');
});

test('two packs at once both land, and a client that leaves takes its pack along', async () => {
  await using scene = await openScene();
  const { folder, instance, tree } = scene;
  const other = join(folder, 'packable', 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'file'), 'content');
  const both = await Promise.all([
    scene.pack({ source: tree, name: 'x', version: '1' }),
    scene.pack({ source: other, name: 'x', version: '2' }),
  ]);
  assert.deepEqual(
    both.map(({ status }) => status),
    [201, 201],
  );

  const large = await open(join(other, 'large'), 'w');
  await large.truncate(1 << 30);
  await large.close();
  const leaving = new AbortController();
  const request = fetch(`${instance.url}/api/v1/filesets/pack`, {
    method: 'POST',
    headers: { authorization: instance.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ source: other, name: 'x', version: '3' }),
    signal: leaving.signal,
  });
  const temporary = join(folder, 'store', '_svc', 'tmp');
  await eventually('the pack to begin', () => readdirSync(temporary).length > 0);
  leaving.abort();
  await assert.rejects(request);
  await eventually('the pack to be gone', () => readdirSync(temporary).length === 0);
  await eventually('the record of it', () => instance.log().includes('"interrupted":true'));
  const { body } = await instance.api('GET', '/content/localhost/filesets/x');
  assert.deepEqual(
    body.tags.map(({ tag }: { tag: string }) => tag),
    ['1', '2'],
  );
  assert.equal(await instance.stop(), 0);
  assert.ok(existsSync(join(folder, 'store', 'index.json')));
});
