import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { putManifest } from '../../../src/store/put-manifest.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { type TestManifest, toBlob, toImage, toRecipe } from '../../kit/content/oci-content.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;

before(async () => {
  folder = await openTempFolder();
  const site = { name: 'site', ref: 'localhost/filesets/shown', anonymous: false };
  server = await startTestServer({ folder: folder.path, filesets: [site] });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function push(repository: string, content: string) {
  const blob = toBlob(content);
  await server.fetch(`/v2/${repository}/blobs/uploads/?digest=${blob.digest}`, {
    method: 'POST',
    body: blob.bytes as never,
  });
  return blob;
}

function put(repository: string, reference: string, manifest: TestManifest): Promise<Response> {
  return server.fetch(`/v2/${repository}/manifests/${reference}`, {
    method: 'PUT',
    headers: { 'content-type': manifest.mediaType },
    body: manifest.bytes as never,
  });
}

async function firstError(response: Response): Promise<{ code: string; detail: { code: string } }> {
  return ((await response.json()) as { errors: any[] }).errors[0];
}

async function tagDigest(repository: string, tag: string): Promise<string | null> {
  const head = await server.fetch(`/v2/${repository}/manifests/${tag}`, { method: 'HEAD' });
  return head.headers.get('docker-content-digest');
}

test('a published recipe keeps its document: another is refused, the same one moves nothing', async () => {
  await push('cookbook/app', '{}');
  const document = await push('cookbook/app', 'kind: Recipe\nname: app\n');
  const other = await push('cookbook/app', 'kind: Recipe\nname: changed\n');
  const published = toRecipe(document, '2026-01-01T00:00:00Z');
  assert.equal((await put('cookbook/app', '1.0.0', published)).status, 201);
  const refused = await put('cookbook/app', '1.0.0', toRecipe(other, '2026-01-01T00:00:00Z'));
  assert.equal(refused.status, 403);
  const error = await firstError(refused);
  assert.deepEqual([error.code, error.detail.code], ['DENIED', 'SVC-POL-004']);
  const again = toRecipe(document, '2026-02-02T00:00:00Z');
  assert.notEqual(again.digest, published.digest);
  const same = await put('cookbook/app', '1.0.0', again);
  assert.equal(same.status, 201);
  assert.equal(await tagDigest('cookbook/app', '1.0.0'), published.digest);
  assert.equal(
    (await server.fetch(`/v2/cookbook/app/manifests/${again.digest}`, { method: 'HEAD' })).status,
    200,
  );
  const image = toImage(await push('cookbook/app', '{"x":1}'), []);
  const replaced = await put('cookbook/app', '1.0.0', image);
  assert.equal((await firstError(replaced)).detail.code, 'SVC-POL-004');
});

test('a tag that a recipe owns is neither re-pointed nor deleted, nor is what it reaches', async () => {
  const config = await push('owned', '{"a":1}');
  const image = toImage(config, []);
  await putManifest(
    server.store,
    'owned',
    {
      descriptor: { mediaType: image.mediaType, digest: image.digest, size: image.bytes.length },
      bytes: image.bytes,
    },
    { owner: { provenance: 'recipe', recipe: 'app@1.0.0', cookbook: 'reg.example/cookbook' }, tag: 'v1' },
  );
  const other = toImage(await push('owned', '{"b":1}'), []);
  for (const response of [
    await put('owned', 'v1', other),
    await server.fetch('/v2/owned/manifests/v1', { method: 'DELETE' }),
    await server.fetch(`/v2/owned/manifests/${image.digest}`, { method: 'DELETE' }),
  ]) {
    assert.equal(response.status, 403);
    const error = await firstError(response);
    assert.deepEqual([error.code, error.detail.code], ['DENIED', 'SVC-POL-002']);
  }
  const audit = server.report.audits.at(-1);
  assert.deepEqual([audit?.action, audit?.outcome], ['registry.access', 'denied']);
  assert.equal((await put('owned', 'v1', image)).status, 201);
  assert.equal((await put('owned', 'v2', other)).status, 201);
  assert.equal(await tagDigest('owned', 'v1'), image.digest);
});

test('signature tags stay writable, whichever owner they have', async () => {
  const config = await push('signed', '{"s":1}');
  const first = toImage(config, []);
  const tag = `sha256-${'a'.repeat(64)}.sig`;
  await putManifest(
    server.store,
    'signed',
    {
      descriptor: { mediaType: first.mediaType, digest: first.digest, size: first.bytes.length },
      bytes: first.bytes,
    },
    { owner: { provenance: 'recipe', recipe: 'app@1.0.0' }, tag },
  );
  const second = toImage(config, [], { annotations: { second: 'signature' } });
  assert.equal((await put('signed', tag, second)).status, 201);
  assert.equal(await tagDigest('signed', tag), second.digest);
});

/** Puts a manifest whose blobs are there as a synchronization does, for the recipe `app@1.0.0`. */
async function bring(repository: string, manifest: TestManifest, tag?: string, verified = true) {
  const descriptor = {
    mediaType: manifest.mediaType,
    digest: manifest.digest,
    size: manifest.bytes.length,
  };
  await putManifest(
    server.store,
    repository,
    { descriptor, bytes: manifest.bytes },
    {
      owner: { provenance: 'recipe', recipe: 'app@1.0.0', cookbook: 'reg.example/cookbook' },
      ...(tag === undefined ? {} : { tag }),
    },
  );
  return { ...manifest, verified };
}

test('of different documents put at once under one recipe tag one is published, the others are refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    const repository = `cookbook/race${round}`;
    await push(repository, '{}');
    const candidates = await Promise.all(
      [0, 1, 2, 3].map(async (n) => toRecipe(await push(repository, `kind: Recipe ${n}\n`), 'now')),
    );
    const answers = await Promise.all(candidates.map((one) => put(repository, '1.0.0', one)));
    const published = answers.flatMap(({ status }, i) => (status === 201 ? [candidates[i]!.digest] : []));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 403, 403, 403]);
    assert.deepEqual([await tagDigest(repository, '1.0.0')], published);
  }
});

test('a PUT with several tags sets all of them, or none where one is refused', async () => {
  await push('several', '{}');
  const recipe = toRecipe(await push('several', 'kind: Recipe\n'), 'now');
  assert.equal((await put('several', '1.0.0', recipe)).status, 201);
  const image = toImage(await push('several', '{"i":1}'), []);
  const refused = await put('several', `${image.digest}?tag=free&tag=1.0.0`, image);
  assert.equal((await firstError(refused)).detail.code, 'SVC-POL-004');
  assert.equal(await tagDigest('several', 'free'), null);
});

test('a published recipe that was deleted takes its own document again and no other, until an administrator deletes the repository', async () => {
  const repository = 'cookbook/gone';
  const documents = ['kind: Recipe 1\n', 'kind: Recipe 2\n'];
  const pushBlobs = () => Promise.all(['{}', '{"i":2}', ...documents].map((one) => push(repository, one)));
  const remove = async (reference: string) => {
    const gone = await server.fetch(`/v2/${repository}/manifests/${reference}`, { method: 'DELETE' });
    assert.equal(gone.status, 202);
    await pushBlobs();
  };
  await pushBlobs();
  const [first, other] = documents.map((one) => toRecipe(toBlob(one), 'now')) as [TestManifest, TestManifest];
  const image = toImage(toBlob('{"i":2}'), []);
  for (const reference of ['1.0.0', first.digest]) {
    assert.equal((await put(repository, '1.0.0', first)).status, 201);
    await remove(reference);
    for (const candidate of [other, image]) {
      const refused = await put(repository, '1.0.0', candidate);
      assert.deepEqual([refused.status, (await firstError(refused)).detail.code], [403, 'SVC-POL-004']);
    }
  }
  assert.equal((await put(repository, '1.0.0', toRecipe(toBlob(documents[0]!), 'later'))).status, 201);
  await remove('1.0.0');
  const deleted = await server.fetch(`/api/v1/content/${repository}`, {
    method: 'DELETE',
    headers: { authorization: server.as.admin },
  });
  assert.equal(deleted.ok, true, await deleted.text());
  await pushBlobs();
  assert.equal((await put(repository, '1.0.0', other)).status, 201);
});

test('a signature of a recorded recipe stays: its tag takes further signatures and loses none', async () => {
  const repository = 'host.example/cookbook/app';
  await push(repository, '{}');
  const recipe = toRecipe(await push(repository, 'kind: Recipe signed\n'), 'now');
  await bring(repository, recipe, '1.0.0');
  const payload = await push(repository, '{"critical":1}');
  const signed = (...signatures: string[]) =>
    toImage(toBlob('{}'), [], {
      layers: signatures.map((signature) => ({
        mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
        digest: payload.digest,
        size: payload.bytes.length,
        annotations: { 'dev.cosignproject.cosign/signature': signature },
      })),
    });
  const tag = `${recipe.digest.replace(':', '-')}.sig`;
  await bring(repository, signed('ours'), tag);
  const replaced = await put(repository, tag, signed('theirs'));
  assert.deepEqual([replaced.status, (await firstError(replaced)).detail.code], [403, 'SVC-POL-002']);
  const both = signed('ours', 'theirs');
  assert.equal((await put(repository, tag, both)).status, 201);
  assert.equal(await tagDigest(repository, tag), both.digest);
  for (const reference of [tag, both.digest]) {
    const gone = await server.fetch(`/v2/${repository}/manifests/${reference}`, { method: 'DELETE' });
    assert.deepEqual([gone.status, (await firstError(gone)).detail.code], [403, 'SVC-POL-002']);
  }
  const back = await put(repository, tag, signed('ours'));
  assert.equal(back.status, 403);
  const crowd = signed('ours', 'theirs', ...Array.from({ length: 300 }, (_, i) => `junk ${i}`));
  assert.equal((await put(repository, tag, crowd)).status, 403, 'signatures that would crowd out the others');
});

test('a bundle signature of a recorded recipe is not deleted by its digest', async () => {
  const repository = 'host.example/cookbook/bundled';
  const config = await push(repository, '{}');
  const recipe = toRecipe(await push(repository, 'kind: Recipe bundled\n'), 'now');
  await bring(repository, recipe, '1.0.0');
  const toBundle = (note: string) =>
    toImage(config, [], {
      artifactType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      subject: { mediaType: recipe.mediaType, digest: recipe.digest, size: recipe.bytes.length },
      annotations: { note },
    });
  const bundle = toBundle('ours');
  await bring(repository, bundle);
  const gone = await server.fetch(`/v2/${repository}/manifests/${bundle.digest}`, { method: 'DELETE' });
  assert.deepEqual([gone.status, (await firstError(gone)).detail.code], [403, 'SVC-POL-002']);
  const refusals: number[] = [];
  for (let n = 0; n < 300 && refusals.length === 0; n += 1) {
    const one = toBundle(`junk ${n}`);
    const { status } = await put(repository, one.digest, one);
    if (status !== 201) refusals.push(status);
  }
  assert.deepEqual(refusals, [403], 'bundles that would crowd out the others');
});

test('a recorded recipe that was admitted unsigned gets no signature by a PUT', async () => {
  const repository = 'host.example/cookbook/unsigned';
  const config = await push(repository, '{}');
  const recipe = toRecipe(await push(repository, 'kind: Recipe unsigned\n'), 'now');
  await bring(repository, recipe, '1.0.0');
  const document = toBlob('kind: Recipe unsigned\n');
  await recordSync(server.store, { zone: 'z', runId: 'r', resolvedAt: '2026-01-01T00:00:00Z' }, [
    {
      name: 'unsigned',
      version: '1.0.0',
      cookbook: 'host.example/cookbook',
      repository,
      tag: '1.0.0',
      digest: recipe.digest,
      documentDigest: document.digest,
      runId: 'r',
      zone: 'z',
      resolvedAt: '2026-01-01T00:00:00Z',
      verified: false,
      ingredients: [],
    },
  ]);
  const junk = toImage(config, [], { annotations: { junk: '1' } });
  const bundle = toImage(config, [], {
    artifactType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    subject: { mediaType: recipe.mediaType, digest: recipe.digest, size: recipe.bytes.length },
  });
  const tag = recipe.digest.replace(':', '-');
  for (const [reference, manifest] of [
    [`${tag}.sig`, junk],
    [bundle.digest, bundle],
  ] as const) {
    const refused = await put(repository, reference, manifest);
    assert.deepEqual([refused.status, (await firstError(refused)).detail.code], [403, 'SVC-POL-002']);
  }
});

test('a local pack is neither moved nor deleted by a registry client', async () => {
  const repository = 'localhost/filesets/site';
  const image = toImage(await push(repository, '{"p":1}'), []);
  const descriptor = { mediaType: image.mediaType, digest: image.digest, size: image.bytes.length };
  await putManifest(
    server.store,
    repository,
    { descriptor, bytes: image.bytes },
    { tag: '1.0.0', kind: 'FileSet', owner: { provenance: 'local-pack' } },
  );
  const other = toImage(await push(repository, '{"p":2}'), []);
  for (const response of [
    await put(repository, '1.0.0', other),
    await server.fetch(`/v2/${repository}/manifests/1.0.0`, { method: 'DELETE' }),
    await server.fetch(`/v2/${repository}/manifests/${image.digest}`, { method: 'DELETE' }),
  ]) {
    const error = await firstError(response);
    assert.deepEqual([response.status, error.code, error.detail.code], [403, 'DENIED', 'SVC-POL-005']);
  }
  assert.equal(await tagDigest(repository, '1.0.0'), image.digest);
});

test('each PUT of a manifest and each DELETE is audited with its actor, its digest and the one before', async () => {
  const first = toImage(await push('audited', '{"a":1}'), []);
  const second = toImage(await push('audited', '{"a":2}'), []);
  const from = server.report.audits.length;
  await put('audited', 'v1', first);
  await put('audited', 'v1', second);
  await put('audited', `${first.digest}?tag=v1&tag=v2`, first);
  await put('audited', second.digest, second);
  await server.fetch('/v2/audited/manifests/v1', { method: 'DELETE' });
  const records = server.report.audits.slice(from);
  assert.deepEqual(
    records.map(({ action, target, details }) => ({ action, target, details })),
    [
      { action: 'content.push', target: 'audited:v1', details: { digest: first.digest } },
      {
        action: 'content.push',
        target: 'audited:v1',
        details: { digest: second.digest, previous: second.digest && first.digest },
      },
      {
        action: 'content.push',
        target: `audited@${first.digest}`,
        details: { digest: first.digest, tags: [{ tag: 'v1', previous: second.digest }, { tag: 'v2' }] },
      },
      { action: 'content.push', target: `audited@${second.digest}`, details: { digest: second.digest } },
      { action: 'content.delete', target: 'audited:v1', details: { digest: first.digest } },
    ],
  );
  assert.equal(
    records.every(({ actor, outcome }) => actor !== '' && outcome === 'success'),
    true,
  );
});

test('a change of what a file set serves is a warning and an audit record with its actor', async () => {
  const repository = 'localhost/filesets/shown';
  const first = toImage(await push(repository, '{"v":1}'), []);
  const second = toImage(await push(repository, '{"v":2}'), []);
  await put(repository, '1.0.0', first);
  const from = server.report.audits.length;
  await put(repository, '1.1.0', second);
  await put(repository, '1.0.1', first);
  await server.fetch(`/v2/${repository}/manifests/1.1.0`, { method: 'DELETE' });
  const at = (version: string, { digest }: TestManifest) => ({ version, digest, provenance: 'push' });
  const [brought, after, back] = [at('1.0.0', first), at('1.1.0', second), at('1.0.1', first)];
  const changes = server.report.audits.slice(from).filter(({ action }) => action === 'fileset.change');
  assert.deepEqual(
    changes.map(({ target, details }) => ({ target, details })),
    [
      { target: 'site', details: { before: brought, now: after } },
      { target: 'site', details: { before: after, now: back } },
    ],
  );
  assert.equal(
    changes.every(({ actor }) => actor !== ''),
    true,
  );
  const warnings = server.report.records.filter(
    ({ level, message }) => level === 'warn' && message === 'the content of a FileSet changed',
  );
  assert.equal(warnings.length, 2);
});
