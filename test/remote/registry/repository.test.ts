import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import type { ListFault, ManifestContent } from '../../../src/oci/ports.ts';
import { fallbackTag } from '../../../src/oci/reference.ts';
import type { RemoteRepository } from '../../../src/remote/model.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { renderError } from '../../../src/text/message.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import {
  createRegistryDouble,
  type RegistryDouble,
  type RegistryDoubleOptions,
} from '../../kit/result/registry-double.ts';

async function open(t: TestContext, options: RegistryDoubleOptions = {}): Promise<RegistryDouble> {
  const double = await createRegistryDouble(options);
  t.after(() => double.close());
  return double;
}

function reach(
  t: TestContext,
  double: RegistryDouble,
  options: NonNullable<Parameters<typeof openRemoteRegistry>[2]> & { access?: 'pull' | 'push' } = {},
): RemoteRepository {
  const { access, ...rest } = options;
  return openRemoteRegistry(t, [double.host], rest).repository(
    { host: double.host, repository: 'team/app' },
    access === undefined ? {} : { access },
  );
}

function image(double: RegistryDouble, text: string, more: object = {}): object {
  const config = double.putBlob('team/app', `{"${text}":1}`, mediaTypes.ociConfig);
  return { schemaVersion: 2, mediaType: mediaTypes.ociManifest, config, layers: [], ...more };
}

function content(document: object): ManifestContent {
  const bytes = Buffer.from(JSON.stringify(document));
  const mediaType = (document as { mediaType: string }).mediaType;
  return { descriptor: { mediaType, digest: hashBytes(bytes), size: bytes.length }, bytes };
}

const isCode = (code: Parameters<typeof isSvcError>[1]) => (error: unknown) => {
  assert.ok(isSvcError(error, code), String(error));
  return true;
};

test('a tag is resolved by one HEAD', async (t) => {
  const double = await open(t);
  const stored = double.putManifest('team/app', image(double, 'a'), { tag: 'v1' });
  assert.deepEqual(await reach(t, double).resolve('v1'), stored);
  assert.deepEqual(
    double.requests.map(({ method }) => method),
    ['HEAD'],
  );
  assert.match(double.requests[0]!.headers.accept ?? '', /oci\.image\.index/);
});

test('where HEAD is not supported or names no digest, the manifest is read', async (t) => {
  const double = await open(t, { headDigest: false });
  const stored = double.putManifest('team/app', image(double, 'a'), { tag: 'v1' });
  const repository = reach(t, double);
  assert.deepEqual(await repository.resolve('v1'), stored);
  double.options = {};
  double.failNext(/^HEAD/, 405);
  assert.deepEqual(await repository.resolve('v1'), stored);
  assert.equal(double.count(/^GET/), 2);
});

test('what is not there is undefined or false, whatever asks', async (t) => {
  const double = await open(t);
  const repository = reach(t, double);
  const digest = hashBytes('nothing');
  assert.equal(await repository.resolve('v1'), undefined);
  assert.equal(await repository.fetchManifest('v1'), undefined);
  assert.equal(await repository.fetchManifest(digest), undefined);
  assert.equal(await repository.hasManifest(digest), false);
  assert.equal(await repository.hasBlob({ mediaType: 'x', digest, size: 7 }), false);
  assert.equal(await repository.deleteTag('v1'), false);
  await assert.rejects(repository.fetchBlob({ mediaType: 'x', digest, size: 7 }), isCode('SVC-REG-005'));
});

test('bytes that do not have the digest they were asked by are a verification failure, asked for once', async (t) => {
  const double = await open(t);
  const stored = double.putManifest('team/app', image(double, 'a'), { tag: 'v1' });
  const repository = reach(t, double);
  double.intercept((request, response) => {
    if (!request.path.includes('/manifests/')) return false;
    const other = Buffer.from('{"schemaVersion":2}');
    response.writeHead(200, { 'content-type': mediaTypes.ociManifest, 'content-length': other.length });
    response.end(request.method === 'HEAD' ? undefined : other);
    return true;
  });
  await assert.rejects(repository.fetchManifest(stored.digest), (error) => {
    assert.ok(isSvcError(error, 'SVC-SIG-002'));
    assert.equal(error.params.expected, stored.digest);
    assert.equal(error.params.actual, hashBytes('{"schemaVersion":2}'));
    return true;
  });
  assert.equal(double.requests.length, 1);
});

test('a HEAD by digest that names another digest is a verification failure', async (t) => {
  const double = await open(t);
  const stored = double.putManifest('team/app', image(double, 'a'));
  double.intercept((_request, response) => {
    response.writeHead(200, {
      'content-type': mediaTypes.ociManifest,
      'content-length': 10,
      'docker-content-digest': hashBytes('other'),
    });
    response.end();
    return true;
  });
  const repository = reach(t, double);
  await assert.rejects(repository.resolve(stored.digest), isCode('SVC-SIG-002'));
  assert.equal(await repository.hasManifest(stored.digest), false);
});

test('a manifest beyond 4 MiB is not read to its end', async (t) => {
  const double = await open(t);
  const stored = double.putManifest(
    'team/app',
    { schemaVersion: 2, pad: 'x'.repeat(4_194_304) },
    { tag: 'v1' },
  );
  await assert.rejects(reach(t, double).fetchManifest('v1'), isCode('SVC-VAL-002'));
  await assert.rejects(reach(t, double).fetchManifest(stored.digest), isCode('SVC-VAL-002'));
});

test('sha512 is a digest like the other', async (t) => {
  const double = await open(t);
  const repository = reach(t, double);
  const document = image(double, 'a');
  const bytes = Buffer.from(JSON.stringify(document));
  const digest = hashBytes(bytes, 'sha512');
  const descriptor = { mediaType: mediaTypes.ociManifest, digest, size: bytes.length };
  await repository.pushManifest(digest, { descriptor, bytes });
  assert.deepEqual((await repository.fetchManifest(digest))?.descriptor, descriptor);
  assert.equal(await repository.hasManifest(digest), true);
});

test('a blob of another size does not count as there', async (t) => {
  const double = await open(t);
  const blob = double.putBlob('team/app', 'hello');
  const repository = reach(t, double);
  assert.equal(await repository.hasBlob(blob), true);
  assert.equal(await repository.hasBlob({ ...blob, size: 4 }), false);
});

for (const status of [408, 425, 429, 500, 502, 503, 504])
  test(`a request answered with ${status} is repeated as often as configured`, async (t) => {
    const double = await open(t);
    double.putManifest('team/app', image(double, 'a'), { tag: 'v1' });
    const repository = reach(t, double);
    double.failNext(/./, status, { times: 2 });
    assert.ok(await repository.fetchManifest('v1'));
    assert.equal(double.requests.length, 3);
    double.failNext(/./, status, { times: 3 });
    await assert.rejects(repository.fetchManifest('v1'), isCode('SVC-REG-002'));
    assert.equal(double.requests.length, 6);
  });

for (const status of [400, 405, 409, 501])
  test(`an answer of ${status} is final`, async (t) => {
    const double = await open(t);
    double.failNext(/./, status);
    await assert.rejects(reach(t, double).fetchManifest('v1'), isCode('SVC-REG-007'));
    assert.equal(double.requests.length, 1);
  });

test('a connection that breaks is made again; an abort ends the waiting', async (t) => {
  const double = await open(t);
  double.putManifest('team/app', image(double, 'a'), { tag: 'v1' });
  double.cutNext(/^GET/, 10, { times: 2 });
  assert.ok(await reach(t, double).fetchManifest('v1'));
  assert.equal(double.requests.length, 3);
  const patient = reach(t, double, { retryDelay: 60_000 });
  double.failNext(/./, 503, { times: 9 });
  const controller = new AbortController();
  const waiting = patient.fetchManifest('v1', { signal: controller.signal });
  setTimeout(() => controller.abort(), 30);
  await assert.rejects(waiting, { name: 'AbortError' });
});

test('all pages of a tag list are read, on the origin only', async (t) => {
  const double = await open(t, { pageSize: 2 });
  const { digest } = double.putManifest('team/app', image(double, 'a'));
  const names = ['a', 'b', 'c', 'd', 'v1.0'];
  for (const name of names) double.tag('team/app', name, digest);
  const repository = reach(t, double);
  assert.deepEqual(await repository.listTags(), names);
  assert.equal(double.requests.length, 3);
  double.intercept((request, response) => {
    if (request.path.includes('evil')) return false;
    response.writeHead(200, { link: '<https://evil.test/v2/team/app/tags/list?last=b>; rel="next"' });
    response.end('{"tags":["a"]}');
    return true;
  });
  await assert.rejects(repository.listTags(), (error) => {
    assert.ok(isSvcError(error, 'SVC-POL-001'));
    assert.equal(error.params.host, 'evil.test');
    assert.match(String(error.params.hop), /next page/);
    return true;
  });
});

test('entries of a tag list that are no tags are skipped and counted in the log, and hide no tag', async (t) => {
  const double = await open(t);
  double.intercept((_request, response) => {
    response.end(
      JSON.stringify({ tags: [7, null, '1.0.0', 'no tag', { tag: 'x' }, 'x'.repeat(129), '1.1.0'] }),
    );
    return true;
  });
  const report = createRecordingReport();
  assert.deepEqual(await reach(t, double, { report }).listTags(), ['1.0.0', '1.1.0']);
  const told = report.records.filter(({ message }) => message.startsWith('A list of tags'));
  assert.deepEqual(
    told.map(({ fields }) => fields?.count),
    [5],
  );
});

test('a tag list is bounded in names and bytes and cannot go round in circles', async (t) => {
  const double = await open(t);
  let page = (): { tags: unknown; next?: string } => ({ tags: [] });
  let count = 0;
  double.intercept((_request, response) => {
    count += 1;
    const { tags, next } = page();
    response.writeHead(200, next === undefined ? {} : { link: `<${next}>; rel="next"` });
    response.end(JSON.stringify({ tags }));
    return true;
  });
  const repository = reach(t, double);
  const next = '/v2/team/app/tags/list?last=z';
  page = () => ({ tags: Array.from({ length: 20_000 }, (_, i) => `t${count}-${i}`), next });
  await assert.rejects(repository.listTags(), isCode('SVC-VAL-002'));
  assert.equal(count, 6);
  page = () => ({ tags: [`t${count}`, 'x'.repeat(5_000_000)], next });
  await assert.rejects(repository.listTags(), isCode('SVC-VAL-002'));
  page = () => ({ tags: ['same'], next });
  await assert.rejects(repository.listTags(), isCode('SVC-REG-007'));
  count = 0;
  page = () => ({ tags: [`one-a-page-${count}`], next });
  await assert.rejects(repository.listTags(), isCode('SVC-REG-007'));
  assert.equal(count, 50);
  page = () => ({ tags: 'no list' });
  await assert.rejects(repository.listTags(), isCode('SVC-REG-007'));
  page = () => ({ tags: ['ok', 'not a tag', 7, '../x'] });
  assert.deepEqual(await repository.listTags(), ['ok']);
  page = () => ({ tags: null });
  assert.deepEqual(await repository.listTags(), []);
});

test('a tag list whose link to the next page cannot be used is an error, not a complete list', async (t) => {
  const double = await open(t);
  let link = '';
  double.intercept((_request, response) => {
    response.writeHead(200, { link }).end(JSON.stringify({ tags: ['1.0.0'] }));
    return true;
  });
  const repository = reach(t, double);
  for (link of ['</v2/team/app/tags/list?last=z; rel="next"', '<http://[>; rel="next"', 'garbled'])
    await assert.rejects(repository.listTags(), (error) => {
      assert.ok(isSvcError(error, 'SVC-REG-007'), link);
      assert.match(renderError(error, 'en').what, /link to the next page/);
      assert.match(renderError(error, 'fr').what, /lien vers la page suivante/);
      return true;
    });
  link = '</v2/team/app/tags/list?last=z>; rel="prev"';
  assert.deepEqual(await repository.listTags(), ['1.0.0']);
});

test('a repository that is not there has no tags to write beside, and is an error to read from', async (t) => {
  const double = await open(t);
  assert.deepEqual(await reach(t, double, { access: 'push' }).listTags(), []);
  await assert.rejects(reach(t, double).listTags(), isCode('SVC-REG-005'));
});

test('a substituted read reports both names, in the log and when content is missing; a write is never substituted', async (t) => {
  const double = await open(t);
  const report = createRecordingReport();
  const registry = openRemoteRegistry(t, [double.host], {
    report,
    substitutions: { 'docker.io': `${double.host}/zone` },
  });
  const nominal = { host: 'index.docker.io', repository: 'library/app' };
  const stored = double.putManifest('zone/docker.io/library/app', image(double, 'a'), { tag: 'v1' });
  const repository = registry.repository(nominal);
  assert.equal(repository.substituted, true);
  assert.deepEqual(repository.effective, { host: double.host, repository: 'zone/docker.io/library/app' });
  assert.deepEqual(await repository.resolve('v1'), stored);
  await repository.fetchManifest(stored.digest);
  const told = report.records.filter(({ fields }) => fields.source !== undefined);
  assert.deepEqual(
    told.map(({ level, fields }) => [level, fields.source, fields.effective]),
    [
      ['info', 'docker.io/library/app:v1', `${double.host}/zone/docker.io/library/app:v1`],
      [
        'info',
        `docker.io/library/app@${stored.digest}`,
        `${double.host}/zone/docker.io/library/app@${stored.digest}`,
      ],
    ],
  );
  await assert.rejects(
    registry.repository({ ...nominal, repository: 'library/none' }).listTags(),
    (error) => {
      assert.ok(isSvcError(error, 'SVC-REG-005'));
      assert.equal(error.params.reference, 'docker.io/library/none');
      assert.equal(error.params.effective, `${double.host}/zone/docker.io/library/none`);
      return true;
    },
  );
  for (const options of [{ access: 'push' }, { substitute: false }] as const) {
    const plain = registry.repository(nominal, options);
    assert.deepEqual(plain.effective, { host: 'docker.io', repository: 'library/app' });
    assert.equal(plain.substituted, false);
  }
});

test('allowlist and credentials are those of the host that is contacted', async (t) => {
  const double = await open(t, { auth: { kind: 'basic', username: 'u', password: 'p' } });
  double.putManifest('origin.test/app', image(double, 'a'), { tag: 'v1' });
  const registry = openRemoteRegistry(t, [double.host], {
    substitutions: { 'origin.test': double.host },
    transport: { allowlist: [double.host] },
    credentials: {
      [double.host]: { kind: 'basic', username: 'u', password: 'p' },
      'origin.test': { kind: 'basic', username: 'wrong', password: 'one' },
    },
  });
  assert.ok(await registry.repository({ host: 'origin.test', repository: 'app' }).resolve('v1'));
  await assert.rejects(
    registry.repository({ host: 'other.test', repository: 'app' }).resolve('v1'),
    isCode('SVC-POL-001'),
  );
});

test('a short name at Docker Hub is not completed: the error suggests it', (t) => {
  const registry = openRemoteRegistry(t, []);
  const error = registry.repository({ host: 'docker.io', repository: 'alpine' }).toNotFound('3.20');
  assert.ok(isSvcError(error, 'SVC-REG-005'));
  assert.equal(error.params.reference, 'docker.io/alpine:3.20');
  assert.equal(error.params.hint, 'docker.io/library/alpine:3.20');
  assert.equal(
    registry.repository({ host: 'a.test', repository: 'alpine' }).toNotFound().params.hint,
    undefined,
  );
});

test('Docker Hub is contacted at its registry, with the credentials of any of its names', async (t) => {
  // the double stands for the forward proxy, so that the name need not be resolved
  const double = await open(t);
  const basic = { kind: 'basic', username: 'u', password: 'p' } as const;
  double.intercept((request, response) => {
    if (request.headers.authorization === undefined)
      response.writeHead(401, { 'www-authenticate': 'Basic realm="hub"' }).end();
    else if (request.path.includes('/library/')) response.writeHead(404).end();
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="hub"' }).end();
    return true;
  });
  const registry = openRemoteRegistry(t, ['docker.io'], {
    transport: { proxy: { url: double.origin }, allowlist: ['docker.io'] },
    credentials: { 'docker.io': basic },
  });
  const of = (host: string, repository: string) => registry.repository({ host, repository });
  assert.equal(await of('index.docker.io', 'library/app').resolve('v1'), undefined);
  assert.equal(double.requests[1]!.path, 'http://registry-1.docker.io/v2/library/app/manifests/v1');
  // it refuses absent content: the missing prefix is the reported cause
  for (const ask of [of('docker.io', 'app').resolve('v1'), of('docker.io', 'app').fetchManifest('v1')])
    await assert.rejects(ask, (error) => {
      assert.ok(isSvcError(error, 'SVC-REG-005'));
      assert.equal(error.params.hint, 'docker.io/library/app:v1');
      return true;
    });
  await assert.rejects(of('docker.io', 'app').listTags(), isCode('SVC-REG-005'));
  await assert.rejects(of('docker.io', 'team/app').listTags(), isCode('SVC-REG-003'));
});

test('a manifest is pushed under its media type, by tag and by digest', async (t) => {
  const double = await open(t);
  const repository = reach(t, double, { access: 'push' });
  const manifest = content(image(double, 'a'));
  await repository.pushManifest('v1', manifest);
  await repository.pushManifest(manifest.descriptor.digest, manifest);
  assert.deepEqual(double.manifest('team/app', 'v1')?.bytes, manifest.bytes);
  assert.equal(double.manifest('team/app', 'v1')?.mediaType, mediaTypes.ociManifest);
  assert.equal(await repository.deleteTag('v1'), true);
  assert.equal(await repository.deleteManifest(manifest.descriptor.digest), true);
  assert.equal(await repository.deleteManifest(manifest.descriptor.digest), false);
});

test('an index refused for absent children has its own code, with the digests', async (t) => {
  const double = await open(t, { sparse: false });
  const child = content(image(double, 'a')).descriptor;
  const index = content({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [child] });
  const repository = reach(t, double, { access: 'push' });
  await assert.rejects(repository.pushManifest('v1', index), (error) => {
    assert.ok(isSvcError(error, 'SVC-DST-002'));
    assert.deepEqual(error.params.missing, [child.digest]);
    return true;
  });
  const lacking = content({ schemaVersion: 2, mediaType: mediaTypes.ociManifest, config: child, layers: [] });
  await assert.rejects(repository.pushManifest('v1', lacking), isCode('SVC-REG-007'));
});

test('a refused name has its own code', async (t) => {
  const double = await open(t);
  double.intercept((_request, response, raw) => {
    raw.resume();
    response.writeHead(400).end(JSON.stringify({ errors: [{ code: 'NAME_INVALID', message: 'too deep' }] }));
    return true;
  });
  const repository = reach(t, double, { access: 'push' });
  await assert.rejects(repository.pushManifest('v1', content(image(double, 'a'))), isCode('SVC-DST-001'));
});

test('referrers come from the API, filtered, and empty is an answer', async (t) => {
  const double = await open(t);
  const subject = double.putManifest('team/app', image(double, 'a'));
  const repository = reach(t, double);
  assert.deepEqual(await repository.listReferrers(subject.digest), []);
  assert.equal(await repository.hasReferrersApi(subject.digest), true);
  const one = double.putManifest('team/app', image(double, 'b', { subject, artifactType: 'type/one' }));
  double.putManifest('team/app', image(double, 'c', { subject, artifactType: 'type/two' }));
  assert.equal((await repository.listReferrers(subject.digest)).length, 2);
  const filtered = await repository.listReferrers(subject.digest, 'type/one');
  assert.deepEqual(
    filtered.map(({ digest, artifactType }) => [digest, artifactType]),
    [[one.digest, 'type/one']],
  );
  assert.equal((await repository.readReferrers(subject.digest)).origin, 'api');
  assert.equal(double.count(/sha256-/), 0);
});

test('without the API they come from the fallback tag, and so they do beside a page for people, which is a failure', async (t) => {
  const double = await open(t, { referrers: false });
  const subject = double.putManifest('team/app', image(double, 'a'));
  const repository = reach(t, double);
  assert.equal(await repository.hasReferrersApi(subject.digest), false);
  assert.deepEqual(await repository.readReferrers(subject.digest), { origin: 'fallback-tag', manifests: [] });
  const one = double.putManifest('team/app', image(double, 'b', { subject, artifactType: 'type/one' }));
  const entry = { ...one, artifactType: 'type/one' };
  const index = content({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [entry] });
  double.putManifest('team/app', index.bytes, { tag: fallbackTag(subject.digest) });
  const found = await repository.readReferrers(subject.digest);
  assert.equal(found.origin, 'fallback-tag');
  assert.deepEqual(found.index, index);
  assert.deepEqual(await repository.listReferrers(subject.digest, 'type/one'), [entry]);
  assert.deepEqual(await repository.listReferrers(subject.digest, 'type/two'), []);
  double.intercept((request, response) => {
    if (!request.path.includes('/referrers/')) return false;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
    return true;
  });
  await assert.rejects(repository.listReferrers(subject.digest), isCode('SVC-REG-002'));
  const faults: string[] = [];
  const onFault = ({ kind, error }: ListFault) => faults.push(`${kind} ${error.code}`);
  for (const ask of [
    () => repository.listReferrers(subject.digest, undefined, { onFault }),
    () => repository.relistReferrers(subject.digest, { onFault }),
  ])
    assert.deepEqual(await ask(), [entry]);
  assert.equal(faults[0], 'transfer SVC-REG-002');
});

test('referrers that are no index, and a failing API, are errors and not an empty answer', async (t) => {
  const double = await open(t);
  const { digest } = double.putManifest('team/app', image(double, 'a'));
  double.intercept((request, response) => {
    if (!request.path.includes('/referrers/')) return false;
    response.writeHead(200, { 'content-type': mediaTypes.ociIndex }).end('{"schemaVersion":2}');
    return true;
  });
  await assert.rejects(reach(t, double).listReferrers(digest), isCode('SVC-REG-007'));
  double.failNext(/referrers/, 503, { times: 3 });
  await assert.rejects(reach(t, double).listReferrers(digest), isCode('SVC-REG-002'));
});

test('a subject the registry takes note of needs no fallback, any other gets into the index beside what is there', async (t) => {
  const double = await open(t);
  const subject = double.putManifest('team/app', image(double, 'a'));
  const repository = reach(t, double, { access: 'push' });
  await repository.pushManifest('one', content(image(double, 'b', { subject, artifactType: 'type/one' })));
  const tag = fallbackTag(subject.digest);
  assert.equal(double.manifest('team/app', tag), undefined);

  double.options = { referrers: false };
  const foreign = {
    mediaType: mediaTypes.ociManifest,
    digest: hashBytes('foreign'),
    size: 3,
    'x-own': 'kept',
  };
  double.putManifest(
    'team/app',
    { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [foreign], annotations: { a: 'b' } },
    { tag },
  );
  const pushed = ['c', 'd', 'e'].map((name) =>
    content(image(double, name, { subject, artifactType: `type/${name}`, annotations: { name } })),
  );
  await Promise.all(pushed.map((each) => repository.pushManifest(each.descriptor.digest, each)));
  await repository.pushManifest(pushed[0]!.descriptor.digest, pushed[0]!);
  const index = JSON.parse(double.manifest('team/app', tag)!.bytes.toString()) as {
    manifests: { digest: string; artifactType?: string }[];
    annotations: object;
  };
  assert.deepEqual(index.annotations, { a: 'b' });
  assert.deepEqual(index.manifests[0], foreign);
  assert.deepEqual(
    index.manifests.slice(1).map(({ digest, artifactType }) => [digest, artifactType]),
    pushed.map(({ descriptor }, i) => [descriptor.digest, `type/${'cde'[i]}`]),
  );
});

test('a fallback index that is full, or too large to read, is refused by the name of its tag, and nothing is written', async (t) => {
  const double = await open(t, { referrers: false });
  const subject = double.putManifest('team/app', image(double, 'a'));
  const tag = fallbackTag(subject.digest);
  const toEntry = (name: string, more = {}) => ({
    mediaType: mediaTypes.ociManifest,
    digest: hashBytes(name),
    size: 4,
    ...more,
  });
  const repository = reach(t, double, { access: 'push' });
  const full = Array.from({ length: 10_000 }, (_, i) => toEntry(`${i}`));
  const filled = [toEntry('one', { annotations: { padding: 'x'.repeat(4_194_304 - 700) } })];
  const large = [toEntry('one', { annotations: { padding: 'x'.repeat(4_194_304) } })];
  const limit = { limit: 4_194_304 };
  for (const [manifests, more] of [
    [full, { rule: 'more than 10000 entries' }],
    [filled, limit],
    [large, limit],
  ] as const) {
    double.putManifest(
      'team/app',
      { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests },
      { tag, mediaType: mediaTypes.ociIndex },
    );
    double.requests.length = 0;
    const ours = toEntry('ours', { annotations: { own: 'y'.repeat(600) } });
    await assert.rejects(repository.putReferrerFallback(subject.digest, [ours]), {
      code: 'SVC-DST-005',
      params: { reference: `${double.host}/team/app:${tag}`, ...more },
    });
    assert.equal(double.count(/^PUT/), 0);
  }
});

test('a fallback index that another client overwrites meanwhile is merged again', async (t) => {
  const double = await open(t, { referrers: false });
  const subject = double.putManifest('team/app', image(double, 'a'));
  const tag = fallbackTag(subject.digest);
  const theirs = { mediaType: mediaTypes.ociManifest, digest: hashBytes('theirs'), size: 3 };
  let raced = false;
  double.intercept((request, response) => {
    if (raced || request.method !== 'PUT') return false;
    // lands after ours, written by a client that had not seen it
    response.once('finish', () => {
      raced = true;
    });
    const { end } = response;
    response.end = (() => {
      double.putManifest(
        'team/app',
        { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [theirs] },
        { tag },
      );
      return end.call(response, undefined as never, 'utf8');
    }) as typeof end;
    return false;
  });
  const ours = { mediaType: mediaTypes.ociManifest, digest: hashBytes('ours'), size: 4 };
  await reach(t, double, { access: 'push' }).putReferrerFallback(subject.digest, [ours]);
  const index = JSON.parse(double.manifest('team/app', tag)!.bytes.toString()) as {
    manifests: { digest: string }[];
  };
  assert.deepEqual(
    index.manifests.map(({ digest }) => digest),
    [theirs.digest, ours.digest],
  );
});

test('of three clients that extend a fallback index at once none loses its entry, although each has read its own back', async (t) => {
  const double = await open(t, { referrers: false });
  const subject = double.putManifest('team/app', image(double, 'a'));
  const path = `/v2/team/app/manifests/${fallbackTag(subject.digest)}`;
  const all = Promise.withResolvers<void>();
  const queue: (() => void)[] = [];
  let isFirstRound = true;
  double.intercept(async (request, response) => {
    if (request.path !== path) return false;
    if (request.method === 'PUT' && isFirstRound) {
      // each of them has read the index without the others
      const turn = Promise.withResolvers<void>();
      queue.push(turn.resolve);
      if (queue.length === 3) {
        isFirstRound = false;
        all.resolve();
        queue.shift()!();
      }
      await turn.promise;
    } else if (request.method === 'GET' && !isFirstRound) {
      // the one that has just written has its answer, and the next one overwrites the index
      response.once('finish', () => queue.shift()?.());
    }
    return false;
  });
  const entries = ['one', 'two', 'three'].map((name) => ({
    mediaType: mediaTypes.ociManifest,
    digest: hashBytes(name),
    size: name.length,
  }));
  await Promise.all(
    entries.map((entry) => reach(t, double, { access: 'push' }).putReferrerFallback(subject.digest, [entry])),
  );
  await all.promise;
  const index = JSON.parse(double.manifest('team/app', fallbackTag(subject.digest))!.bytes.toString()) as {
    manifests: { digest: string }[];
  };
  assert.deepEqual(
    index.manifests.map(({ digest }) => digest).sort(),
    entries.map(({ digest }) => digest).sort(),
  );
});

test('a fallback index that is overwritten again and again ends with a code', async (t) => {
  const double = await open(t, { referrers: false });
  const subject = double.putManifest('team/app', image(double, 'a'));
  const tag = fallbackTag(subject.digest);
  const theirs = { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [] };
  double.intercept((request) => {
    if (request.method === 'GET') double.putManifest('team/app', theirs, { tag });
    return false;
  });
  const ours = { mediaType: mediaTypes.ociManifest, digest: hashBytes('ours'), size: 4 };
  await assert.rejects(
    reach(t, double, { access: 'push' }).putReferrerFallback(subject.digest, [ours]),
    isCode('SVC-REG-007'),
  );
});

test('a manifest whose media type a registry refuses names the type and what helps, and advises no repetition', async (t) => {
  const double = await createRegistryDouble();
  t.after(() => double.close());
  const registry = openRemoteRegistry(t, [double.host]);
  const repository = registry.repository({ host: double.host, repository: 'team/app' }, { access: 'push' });
  const mediaType = 'application/vnd.docker.distribution.manifest.v2+json';
  const blob = { mediaType: 'x/y', digest: hashBytes('x'), size: 1 };
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, config: blob, layers: [] }));
  const descriptor = { mediaType, digest: hashBytes(bytes), size: bytes.length };
  double.failNext(/^PUT .*manifests/, 415);
  await assert.rejects(repository.pushManifest('v1', { descriptor, bytes }), (error) => {
    assert.ok(isSvcError(error, 'SVC-DST-004'), String(error));
    assert.equal(error.params.mediaType, mediaType);
    const { what, action } = renderError(error, 'en');
    assert.match(what, /application\/vnd\.docker\.distribution\.manifest\.v2\+json: PUT was answered 415/);
    assert.match(action, /Do not repeat.*zot: list docker2s2 in http\.compat/);
    return true;
  });
  double.failNext(/^POST .*uploads/, 405);
  const pushed = repository.pushBlob(blob, () => Readable.from([Buffer.from('x')]));
  await assert.rejects(pushed, (error) => {
    assert.ok(isSvcError(error, 'SVC-REG-007'), String(error));
    assert.doesNotMatch(renderError(error, 'en').action, /[Rr]un (?:it|the command) again/);
    return true;
  });
});
