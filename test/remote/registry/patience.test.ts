import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import { Waits } from '../../../src/base/link/waits.ts';
import { silentReport } from '../../../src/base/report.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { fetchDocument } from '../../../src/remote/fetch-document.ts';
import type { RemoteRepository } from '../../../src/remote/model.ts';
import { createSpool } from '../../../src/remote/spool/spool.ts';
import { createTransport } from '../../../src/remote/transport/transport.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { renderError } from '../../../src/text/message.ts';
import { createHastyClock, type HastyClock } from '../../kit/instance/clock.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';

const wall = Date.UTC(2026, 0, 1);
const account = { username: 'reader', password: 'secret' };

interface Stage {
  readonly double: RegistryDouble;
  readonly clock: HastyClock;
  readonly repository: RemoteRepository;
  /** Fetches a document of the same server. */
  readonly fetch: (signal?: AbortSignal) => Promise<Buffer>;
}

async function prepare(
  t: TestContext,
  {
    clock = createHastyClock(wall),
    retries = 2,
    asksForToken = false,
    stallTimeout,
    waits = new Waits(),
  }: {
    readonly clock?: HastyClock;
    readonly retries?: number;
    readonly asksForToken?: boolean;
    readonly stallTimeout?: number;
    readonly waits?: Waits;
  } = {},
): Promise<Stage> {
  const folder = await openTempFolder();
  t.after(() => folder[Symbol.asyncDispose]());
  const double = await createRegistryDouble({
    tls: tlsPair,
    ...(asksForToken ? { auth: { kind: 'bearer', ...account } } : {}),
  });
  t.after(() => double.close());
  const common = { report: silentReport, tls: { ca: [tlsPair.ca] }, clock, stallTimeout, waits };
  const transport = createTransport(common);
  t.after(() => transport[Symbol.asyncDispose]());
  const registry = openRemoteRegistry(t, [], {
    retries,
    transport: common,
    credentials: { [double.host]: { kind: 'basic', ...account } },
    spool: createSpool({ root: join(folder.path, 'spool'), threshold: 1 << 20, report: silentReport }),
  });
  return {
    double,
    clock,
    repository: registry.repository({ host: double.host, repository: 'team/app' }, { access: 'push' }),
    fetch: (signal) =>
      fetchDocument(transport, {
        url: `${double.origin}/v2/team/app/manifests/v1`,
        limit: 4096,
        purpose: 'Retriever',
        retries,
        signal,
      }),
  };
}

const manifest = { schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [] };
const manifestBytes = Buffer.from(JSON.stringify(manifest));
const content = {
  descriptor: {
    mediaType: mediaTypes.ociIndex,
    digest: hashBytes(manifestBytes),
    size: manifestBytes.length,
  },
  bytes: manifestBytes,
};
const [small, large] = [randomBytes(1000), randomBytes(2 << 20)];
const toBlob = (bytes: Buffer) => ({ mediaType: 'x', digest: hashBytes(bytes), size: bytes.length });

/** Every kind of request, the pattern of the one that is answered wrongly, and its work. */
const requests: readonly {
  readonly name: string;
  readonly pattern: RegExp;
  readonly asksForToken?: true;
  readonly send: (stage: Stage) => Promise<unknown>;
}[] = [
  { name: 'a document', pattern: /^GET .*manifests/, send: ({ fetch }) => fetch() },
  {
    name: 'a token',
    pattern: /^GET \/token/,
    asksForToken: true,
    send: ({ repository }) => repository.resolve('v1'),
  },
  {
    name: 'the resolution of a tag',
    pattern: /^HEAD .*manifests/,
    send: ({ repository }) => repository.resolve('v1'),
  },
  {
    name: 'a manifest',
    pattern: /^GET .*manifests/,
    send: ({ repository }) => repository.fetchManifest('v1'),
  },
  { name: 'a list of tags', pattern: /^GET .*tags/, send: ({ repository }) => repository.listTags() },
  {
    name: 'a list of referrers',
    pattern: /^GET .*referrers/,
    send: ({ repository }) => repository.listReferrers(content.descriptor.digest),
  },
  {
    name: 'a blob',
    pattern: /^GET .*blobs/,
    send: async ({ repository }) => buffer(await repository.fetchBlob(toBlob(small))),
  },
  {
    name: 'a spooled blob',
    pattern: /^GET .*blobs/,
    send: async ({ repository }) => (await repository.spoolBlob(toBlob(large)))!.release(),
  },
  {
    name: 'a question for a blob',
    pattern: /^HEAD .*blobs/,
    send: ({ repository }) => repository.hasBlob(toBlob(small)),
  },
  ...(['POST', 'PUT'] as const).map((method) => ({
    name: `the ${method} of a small upload`,
    pattern: new RegExp(`^${method} .*uploads`),
    send: ({ repository }: Stage) => repository.pushBlob(toBlob(small), Readable.from([small])),
  })),
  ...(['POST', 'PATCH', 'PUT'] as const).map((method) => ({
    name: `the ${method} of a streamed upload`,
    pattern: new RegExp(`^${method} .*uploads`),
    send: ({ repository }: Stage) => repository.pushBlob(toBlob(large), () => Readable.from([large])),
  })),
  {
    name: 'the put of a manifest',
    pattern: /^PUT .*manifests/,
    send: ({ repository }) => repository.pushManifest('v2', content),
  },
  {
    name: 'the deletion of a manifest',
    pattern: /^DELETE .*manifests/,
    send: ({ repository }) => repository.deleteTag('v1'),
  },
];

function fill(double: RegistryDouble): void {
  double.putManifest('team/app', manifest, { tag: 'v1' });
  double.putBlob('team/app', small);
  double.putBlob('team/app', large);
}

for (const { name, pattern, asksForToken = false, send } of requests) {
  test(`${name}: what a busy server asks to wait is waited for, up to five minutes`, async (t) => {
    const stage = await prepare(t, { asksForToken });
    for (const [field, least] of [
      ['120', 120_000],
      [new Date(wall + 300_000).toUTCString(), 300_000],
      ['-1', 0],
      ['soon', 0],
      ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ] as const) {
      const before = stage.clock.waits.length;
      stage.double.tokens.clear();
      fill(stage.double);
      stage.double.failNext(pattern, 429, {
        headers: { 'retry-after': field, date: new Date(wall).toUTCString() },
      });
      await send(stage);
      const [waited, ...others] = stage.clock.waits.slice(before);
      assert.deepEqual(others, [], `${field}: one wait`);
      assert.ok(waited! >= least && waited! <= least + 250, `${field}: waited for ${waited} ms`);
    }
  });

  test(`${name}: a server that asks to wait for an hour stops it at once, and the error says until when`, async (t) => {
    const stage = await prepare(t, { asksForToken });
    fill(stage.double);
    stage.double.failNext(pattern, 503, { headers: { 'retry-after': '3600' }, times: 9 });
    await assert.rejects(send(stage), (error) => {
      assert.ok(isSvcError(error, 'SVC-REG-002'), String(error));
      const { cause, action } = renderError(error, 'en');
      assert.match(`${cause} ${action}`, /2026-01-01T01:00:00Z/);
      assert.match(renderError(error, 'fr').action, /2026-01-01T01:00:00Z/);
      return true;
    });
    assert.deepEqual(stage.clock.waits, []);
    assert.equal(stage.double.count(pattern), 1);
  });

  test(`${name}: it is repeated as often as configured, and no more`, async (t) => {
    const stage = await prepare(t, { asksForToken, retries: 3 });
    fill(stage.double);
    stage.double.failNext(pattern, 408, { times: 99 });
    await assert.rejects(send(stage), (error) => isSvcError(error, 'SVC-REG-002'));
    assert.equal(stage.double.count(pattern), 4);
  });
}

for (const { name, pattern, asksForToken = false, send } of requests)
  test(`${name}: a cancellation ends the wait at once, with its reason`, async (t) => {
    const waiting = Promise.withResolvers<void>();
    let left = 0;
    // a clock on which no time passes
    const clock: HastyClock = {
      ...systemClock,
      waits: [],
      after() {
        waiting.resolve();
        return () => {
          left += 1;
        };
      },
    };
    const stage = await prepare(t, { asksForToken, clock });
    fill(stage.double);
    stage.double.failNext(pattern, 429, { headers: { 'retry-after': '300' } });
    const controller = new AbortController();
    const cancelled = new Error('the task is cancelled');
    const { signal } = controller;
    const call = { signal };
    const repository = toCalled(stage.repository, call);
    const sending = send({ ...stage, repository, fetch: () => stage.fetch(signal) });
    await waiting.promise;
    controller.abort(cancelled);
    await assert.rejects(sending, (error) => error === cancelled);
    assert.equal(left, 1, 'the timer is cancelled');
  });

/** The repository with a signal in every call, which is the last parameter of each method. */
function toCalled(repository: RemoteRepository, call: { readonly signal: AbortSignal }): RemoteRepository {
  return {
    ...repository,
    resolve: (reference) => repository.resolve(reference, call),
    fetchManifest: (reference) => repository.fetchManifest(reference, call),
    listTags: () => repository.listTags(call),
    listReferrers: (subject) => repository.listReferrers(subject, undefined, call),
    fetchBlob: (blob) => repository.fetchBlob(blob, call),
    spoolBlob: (blob) => repository.spoolBlob(blob, call),
    hasBlob: (blob) => repository.hasBlob(blob, call),
    pushBlob: (blob, from) => repository.pushBlob(blob, from, call),
    pushManifest: (reference, one) => repository.pushManifest(reference, one, call),
    deleteTag: (tag) => repository.deleteTag(tag, call),
  };
}

test('a server that takes a request and keeps silent is asked once more, and its log says for how long', async (t) => {
  // also the time to connect, which each of these servers must not exceed
  const stallTimeout = 4000;
  const kinds = ['a document', 'a token', 'a manifest', 'a blob', 'the PUT of a small upload'];
  const silent = requests.filter(({ name }) => kinds.includes(name));
  assert.equal(silent.length, kinds.length);
  await Promise.all(
    silent.map(async ({ name, pattern, asksForToken = false, send }) => {
      const waits = new Waits();
      const lines: string[] = [];
      waits.onLine((line) => lines.push(line));
      const stage = await prepare(t, { asksForToken, retries: 3, stallTimeout, waits });
      fill(stage.double);
      stage.double.intercept((request) => pattern.test(`${request.method} ${request.path}`));
      await assert.rejects(send(stage), (error) => isSvcError(error, 'SVC-REG-002'), name);
      assert.deepEqual(lines, [`no answer from ${stage.double.host} for 4s, attempt 2 of 2`], name);
      assert.equal(waits.attempt, undefined, name);
      assert.equal(stage.double.count(pattern), 2, name);
    }),
  );
});

test('a server that is silent once and busy thereafter is asked as often as configured', async (t) => {
  const waits = new Waits();
  const lines: string[] = [];
  waits.onLine((line) => lines.push(line));
  const stage = await prepare(t, { retries: 3, stallTimeout: 2000, waits });
  fill(stage.double);
  let asked = 0;
  stage.double.intercept((_request, response) => {
    asked += 1;
    if (asked > 1) response.writeHead(503, { 'retry-after': '90' }).end();
    return true;
  });
  await assert.rejects(stage.fetch(), (error) => isSvcError(error, 'SVC-REG-002'));
  const { host } = stage.double;
  const busy = `${host}: Retriever: answered 503, asking to wait 90 s`;
  assert.deepEqual(lines, [
    `no answer from ${host} for 2s, attempt 2 of 2`,
    `${busy}; attempt 3 of 4 in 1m30s`,
    `${busy}; attempt 4 of 4 in 1m30s`,
  ]);
});

for (const status of [402, 409, 412, 423, 451, 501])
  test(`a manifest that is refused with ${status} is a refusal with its status, sent once, and not an interruption`, async (t) => {
    const { double, repository, clock } = await prepare(t);
    const reason = JSON.stringify({ errors: [{ code: 'PRECONDITION', message: 'tag v2 is immutable' }] });
    double.intercept((request, response, raw) => {
      if (request.method !== 'PUT') return false;
      raw.resume();
      response.writeHead(status, { 'content-type': 'application/json' }).end(reason);
      return true;
    });
    await assert.rejects(repository.pushManifest('v2', content), (error) => {
      assert.ok(isSvcError(error), String(error));
      const { what, action } = renderError(error, 'en');
      assert.match(what, new RegExp(`refuse[sd].*${status}.*tag v2 is immutable`));
      assert.match(action, /^Do not repeat/);
      return true;
    });
    assert.equal(double.requests.length, 1);
    assert.deepEqual(clock.waits, []);
  });

for (const status of [412, 501])
  test(`a blob that is refused with ${status} is a refusal with its status, at each step of its upload`, async (t) => {
    for (const [method, bytes] of [
      ['POST', small],
      ['PUT', small],
      ['POST', large],
      ['PATCH', large],
      ['PUT', large],
    ] as const) {
      const { double, repository, clock } = await prepare(t);
      double.failNext(new RegExp(`^${method}`), status, { times: 9 });
      await assert.rejects(
        repository.pushBlob(toBlob(bytes), () => Readable.from([bytes])),
        (error) => {
          assert.ok(isSvcError(error, 'SVC-REG-007'), String(error));
          assert.equal(error.params.status, status);
          return true;
        },
      );
      assert.equal(double.count(new RegExp(`^${method}`)), 1);
      assert.deepEqual(clock.waits, []);
    }
  });

test('a manifest whose blobs have not arrived is not a refusal: it may be accepted later', async (t) => {
  const { double, repository } = await prepare(t);
  const image = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      config: { ...toBlob(small), mediaType: mediaTypes.ociConfig },
      layers: [],
    }),
  );
  const descriptor = { mediaType: mediaTypes.ociManifest, digest: hashBytes(image), size: image.length };
  await assert.rejects(repository.pushManifest('v2', { descriptor, bytes: image }), (error) => {
    assert.ok(isSvcError(error, 'SVC-REG-007'));
    assert.equal(error.params.status, undefined);
    return true;
  });
  assert.equal(double.count(/^PUT/), 1);
});
