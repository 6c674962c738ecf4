import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { hashBytes } from '../../../src/base/digest.ts';
import { silentReport } from '../../../src/base/report.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { fetchDocument, streamDocument } from '../../../src/remote/fetch-document.ts';
import type { RemoteRepository } from '../../../src/remote/model.ts';
import { createTransport } from '../../../src/remote/transport/transport.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { renderError } from '../../../src/text/message.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';

const html = '\ufeff\r\n <!DOCTYPE html><html><body><form action="/login"></form></body></html>';
const manifest = { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [] };

async function open(t: TestContext, asksForToken = false) {
  const account = { username: 'reader', password: 'secret' };
  const double = await createRegistryDouble({
    tls: tlsPair,
    ...(asksForToken ? { auth: { kind: 'bearer', ...account } } : {}),
  });
  t.after(() => double.close());
  const options = { report: silentReport, tls: { ca: [tlsPair.ca] } };
  const transport = createTransport(options);
  t.after(() => transport[Symbol.asyncDispose]());
  const registry = openRemoteRegistry(t, [], {
    transport: options,
    credentials: { [double.host]: { kind: 'basic', ...account } },
  });
  const stored = double.putManifest('team/app', manifest, { tag: 'v1' });
  const repository = registry.repository({ host: double.host, repository: 'team/app' });
  return { double, transport, repository, stored };
}

type Stage = Awaited<ReturnType<typeof open>>;

function answerAll(double: RegistryDouble, answer: (response: ServerResponse) => void, pattern = /./): void {
  double.intercept(({ method, path }, response) => {
    if (!pattern.test(`${method} ${path}`)) return false;
    answer(response);
    return true;
  });
}

const isPage = (error: unknown): true => {
  assert.ok(isSvcError(error, 'SVC-REG-002'), String(error));
  assert.equal(error.class, 'failure');
  assert.match(renderError(error, 'en').what, /the server answered with a page instead of/);
  assert.match(renderError(error, 'fr').what, /le serveur a répondu par une page au lieu de/);
  return true;
};

const requests: readonly {
  readonly name: string;
  readonly asksForToken?: true;
  readonly pattern?: RegExp;
  readonly send: (stage: Stage) => Promise<unknown>;
}[] = [
  { name: 'a manifest by tag', send: ({ repository }) => repository.fetchManifest('v1') },
  {
    name: 'a manifest by digest',
    send: ({ repository, stored }) => repository.fetchManifest(stored.digest),
  },
  { name: 'a tag to resolve', send: ({ repository }) => repository.resolve('v1') },
  {
    name: 'a question for a manifest',
    send: ({ repository, stored }) => repository.hasManifest(stored.digest),
  },
  { name: 'a list of tags', send: ({ repository }) => repository.listTags() },
  {
    name: 'a question for a blob',
    send: ({ repository }) =>
      repository.hasBlob({ mediaType: 'x', digest: hashBytes(Buffer.from('x')), size: 1 }),
  },
  {
    name: 'a token',
    asksForToken: true,
    pattern: /^GET \/token/,
    send: ({ repository }: { repository: RemoteRepository }) => repository.resolve('v1'),
  },
  {
    name: 'a document',
    send: ({ transport, double }) =>
      fetchDocument(transport, { url: `${double.origin}/zone.yaml`, limit: 10_000, purpose: 'Retriever' }),
  },
  {
    name: 'a streamed document',
    send: ({ transport, double }) =>
      streamDocument(
        transport,
        { url: `${double.origin}/chart.tgz`, limit: 10_000, purpose: 'chart' },
        async (bytes) => {
          for await (const _chunk of bytes);
        },
      ),
  },
];

for (const { name, send, asksForToken = false, pattern } of requests)
  test(`${name}: a sign-in page in its place is a failure of the transport, not altered content, and is asked for once`, async (t) => {
    for (const type of ['text/html; charset=utf-8', 'application/xhtml+xml']) {
      const stage = await open(t, asksForToken);
      // without a length, as pages are sent in chunks
      const answer = (response: ServerResponse): void => {
        response.writeHead(200, { 'content-type': type });
        response.write(html);
        response.end();
      };
      answerAll(stage.double, answer, pattern);
      await assert.rejects(send(stage), isPage);
      const paths = stage.double.requests.map(({ method, path }) => `${method} ${path}`);
      assert.equal(new Set(paths).size, paths.length, 'nothing is repeated');
    }
  });

test('a page without a type, and one that is declared as nothing in particular, are recognised by their first bytes', async (t) => {
  const types = ['text/plain', 'application/octet-stream', 'binary/octet-stream'];
  for (const headers of [{}, ...types.map((type) => ({ 'content-type': type }))]) {
    const { double, repository, stored } = await open(t);
    answerAll(double, (response) => response.writeHead(200, headers).end(html));
    await assert.rejects(repository.fetchManifest(stored.digest), isPage);
    await assert.rejects(repository.fetchManifest('v1'), isPage);
    await assert.rejects(repository.hasManifest(stored.digest), isPage);
    await assert.rejects(repository.listTags(), isPage);
  }
});

test('the list of referrers: a page in its place, of any type that is no JSON, is a failure of the transport', async (t) => {
  for (const type of ['text/html; charset=utf-8', 'text/plain', 'application/octet-stream']) {
    const { double, repository, stored } = await open(t);
    answerAll(double, (response) => response.writeHead(200, { 'content-type': type }).end(html));
    await assert.rejects(repository.listReferrers(stored.digest), isPage);
    const kinds: string[] = [];
    await repository.listReferrers(stored.digest, undefined, { onFault: ({ kind }) => kinds.push(kind) });
    // of the answer, and of that for the fallback tag
    assert.deepEqual(kinds, ['transfer', 'transfer']);
  }
});

test('altered content remains a verification failure, whatever else looks like a page', async (t) => {
  const altered = JSON.stringify({ ...manifest, annotations: { a: 'b' } });
  for (const [type, body] of [
    // only declared as a page
    ['text/html', altered],
    ['text/plain', altered],
    // only beginning as a page
    [mediaTypes.ociIndex, html],
    ['application/json', html],
    ['text/plain', '<not a page>'],
    ['application/octet-stream', '<svg/>'],
  ] as const) {
    const { double, repository, stored } = await open(t);
    answerAll(double, (response) => response.writeHead(200, { 'content-type': type }).end(body));
    await assert.rejects(repository.fetchManifest(stored.digest), (error) => {
      assert.ok(isSvcError(error, 'SVC-SIG-002'), `${type}: ${error}`);
      return true;
    });
    assert.equal(double.requests.length, 1, 'altered content is not asked for again');
  }
});

test('a page is not asked for again until something else comes: what follows it is not accepted in the same call', async (t) => {
  const { double, repository, stored } = await open(t);
  let pages = 1;
  double.intercept((_request, response) => {
    if (pages === 0) return false;
    pages -= 1;
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    return true;
  });
  await assert.rejects(repository.fetchManifest(stored.digest), isPage);
  assert.equal(double.requests.length, 1);
});

test('a manifest that is served as a page and has its digest is what it is', async (t) => {
  const { double, repository, stored } = await open(t);
  const bytes = double.manifest('team/app', 'v1')!.bytes;
  answerAll(double, (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(bytes));
  assert.equal((await repository.fetchManifest(stored.digest))!.descriptor.digest, stored.digest);
  assert.equal((await repository.fetchManifest('v1'))!.descriptor.mediaType, mediaTypes.ociIndex);
});

test('a blob that is declared as a page is present where its length or digest is announced', async (t) => {
  const { double, repository } = await open(t);
  const bytes = randomBytes(10);
  const blob = { mediaType: 'x', digest: hashBytes(bytes), size: bytes.length };
  answerAll(double, (response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '10' }).end(),
  );
  assert.equal(await repository.hasBlob(blob), true);
  assert.equal(await repository.hasBlob({ ...blob, size: 11 }), false);
});

test('a page that is sent compressed in the place of a document is a page', async (t) => {
  const { double, transport } = await open(t);
  answerAll(double, (response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(gzipSync(html)),
  );
  const url = `${double.origin}/zone.yaml`;
  await assert.rejects(fetchDocument(transport, { url, limit: 10_000, purpose: 'Retriever' }), isPage);
});
