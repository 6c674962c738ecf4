import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { hashBytes } from '../../../src/base/digest.ts';
import type { Credential, RemoteRepository } from '../../../src/remote/model.ts';
import { toResumption } from '../../../src/remote/registry/blobs.ts';
import { markTransient } from '../../../src/remote/transport/transience.ts';
import { isSvcError, svcError } from '../../../src/text/error.ts';
import { createHastyClock } from '../../kit/instance/clock.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import {
  createRegistryDouble,
  type RegistryDouble,
  type RegistryDoubleOptions,
} from '../../kit/result/registry-double.ts';

type Client = Omit<NonNullable<Parameters<typeof openRemoteRegistry>[2]>, 'credentials'> & {
  readonly credentials?: (host: string) => Readonly<Record<string, Credential>>;
};

async function open(
  t: TestContext,
  options: RegistryDoubleOptions = {},
  { credentials, ...client }: Client = {},
): Promise<{ double: RegistryDouble; repository: RemoteRepository }> {
  const double = await createRegistryDouble(options);
  t.after(() => double.close());
  const registry = openRemoteRegistry(t, [double.host], {
    ...client,
    ...(credentials === undefined ? {} : { credentials: credentials(double.host) }),
  });
  return {
    double,
    repository: registry.repository({ host: double.host, repository: 'team/app' }, { access: 'push' }),
  };
}

const isCode = (code: Parameters<typeof isSvcError>[1]) => (error: unknown) => {
  assert.ok(isSvcError(error, code), String(error));
  return true;
};

test('a blob arrives as it is, its bytes not judged here', async (t) => {
  const { double, repository } = await open(t);
  const bytes = randomBytes(3_000_000);
  const blob = double.putBlob('team/app', bytes);
  assert.ok((await buffer(await repository.fetchBlob(blob))).equals(bytes));
  assert.equal(double.requests[0]!.headers.range, undefined);
  const other = randomBytes(bytes.length);
  double.corrupt('team/app', blob.digest, other);
  assert.ok((await buffer(await repository.fetchBlob(blob))).equals(other));
});

test('a broken transfer is resumed with a closed and conditional range', async (t) => {
  const { double, repository } = await open(t);
  const bytes = randomBytes(4_000_000);
  const blob = double.putBlob('team/app', bytes);
  double.cutNext(/^GET .*blobs/, 1_500_000, { times: 2 });
  assert.ok((await buffer(await repository.fetchBlob(blob))).equals(bytes));
  const [first, second, third] = double.requests.map(({ headers }) => headers);
  assert.equal(first!.range, undefined);
  const starts = [second, third].map((headers) =>
    Number(/^bytes=(\d+)-3999999$/.exec(headers!.range ?? '')?.[1]),
  );
  assert.ok(starts[0]! > 0 && starts[0]! <= 1_500_000, String(starts));
  assert.ok(starts[1]! > starts[0]! && starts[1]! <= 3_000_000, String(starts));
  for (const headers of [second, third]) assert.match(String(headers!['if-range']), /^"/);
});

test('a source without ranges is read again past what has gone out', async (t) => {
  const { double, repository } = await open(t, { ranges: false });
  const bytes = randomBytes(1_000_000);
  const blob = double.putBlob('team/app', bytes);
  double.cutNext(/^GET .*blobs/, 700_000, { times: 2 });
  assert.ok((await buffer(await repository.fetchBlob(blob))).equals(bytes));
  assert.equal(double.requests.length, 3);
});

test('a rest under another validator is not appended: the complete blob is requested again', async (t) => {
  const { double, repository } = await open(t);
  const bytes = randomBytes(3_000_000);
  const blob = double.putBlob('team/app', bytes);
  double.cutNext(/^GET .*blobs/, 1_500_000);
  double.intercept((request, response) => {
    const [, from] = /^bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
    if (from === undefined) return false;
    const headers = { etag: '"other"', 'content-range': `bytes ${from}-2999999/3000000` };
    response.writeHead(206, headers).end(randomBytes(3_000_000 - Number(from)));
    return true;
  });
  assert.ok((await buffer(await repository.fetchBlob(blob))).equals(bytes));
  assert.equal(double.requests.at(-1)!.headers.range, undefined);
});

test('gzip that was not asked for is a fault of the transport, not altered content', async (t) => {
  const { double, repository } = await open(t);
  const blob = double.putBlob('team/app', randomBytes(1000));
  const manifest = double.putManifest('team/app', { schemaVersion: 2 }, { tag: 'v1' });
  double.intercept((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'));
    return true;
  });
  const isEncoded = (error: unknown) => {
    assert.ok(isSvcError(error, 'SVC-REG-007'), String(error));
    assert.match(String(error.params.detail), /sent with Content-Encoding gzip, which was not requested/);
    return true;
  };
  await assert.rejects(repository.fetchBlob(blob), isEncoded);
  await assert.rejects(repository.fetchManifest(manifest.digest), isEncoded);
});

test('a transfer that keeps breaking ends after as many retries as were given', async (t) => {
  const { double, repository } = await open(t);
  const blob = double.putBlob('team/app', randomBytes(1_000_000));
  double.cutNext(/^GET .*blobs/, 10, { times: 99 });
  await assert.rejects(buffer(await repository.fetchBlob(blob)), isCode('SVC-REG-007'));
  assert.equal(double.requests.length, 3);
});

/** Wrong answers to the range from some byte of a blob of a million: status, `Content-Range`, first byte of the body. */
const wrongRanges: readonly (readonly [status: number, contentRange: string | undefined, first: number])[] = [
  [206, 'bytes 0-999999/1000000', 0],
  [206, 'bytes 999999-999999/1000000', 999_999],
  [206, 'bytes 1-999999/1000000', 1],
  [206, 'nonsense', 1],
  [206, undefined, 0],
  [400, undefined, 1_000_000],
  [412, undefined, 1_000_000],
  [416, 'bytes */1000000', 1_000_000],
  [501, undefined, 1_000_000],
];

for (const [status, contentRange, first] of wrongRanges)
  test(`a download whose range is answered ${status} (${contentRange ?? 'no range'}) goes on in the same run: again once, then from the beginning`, async (t) => {
    const { double, repository } = await open(t, {}, { retries: 1 });
    const bytes = randomBytes(1_000_000);
    const blob = double.putBlob('team/app', bytes);
    const headers = contentRange === undefined ? {} : { 'content-range': contentRange };
    for (const wrong of [1, 2, 99]) {
      let left = wrong;
      const before = double.requests.length;
      double.cutNext(/^GET .*blobs/, 500_000);
      const stop = double.intercept((request, response) => {
        if (request.headers.range === undefined || left === 0) return false;
        left -= 1;
        response.writeHead(status, headers).end(bytes.subarray(first));
        return true;
      });
      assert.ok((await buffer(await repository.fetchBlob(blob))).equals(bytes));
      stop();
      const ranges = double.requests
        .slice(before)
        .map(({ headers: { range } }) => (range === undefined ? 'all' : 'rest'));
      assert.deepEqual(ranges, ['all', 'rest', 'rest', ...(wrong === 1 ? [] : ['all'])]);
    }
  });

test('a source that breaks off again and again, and answers each range wrongly, is given up after as many retries as were given', async (t) => {
  const { double, repository } = await open(t, {}, { retries: 2 });
  const blob = double.putBlob('team/app', randomBytes(1_000_000));
  double.cutNext(/^GET .*blobs/, 500_000, { times: 99 });
  double.intercept((request, response) => {
    if (request.headers.range === undefined) return false;
    response.writeHead(416).end();
    return true;
  });
  await assert.rejects(buffer(await repository.fetchBlob(blob)), isCode('SVC-REG-007'));
  assert.ok(double.requests.length <= 6, `${double.requests.length} requests`);
});

test('another length, more and fewer bytes are not accepted', async (t) => {
  const { double, repository } = await open(t);
  const bytes = randomBytes(1_000_000);
  const blob = double.putBlob('team/app', bytes);
  const read = async (claimed = blob) => buffer(await repository.fetchBlob(claimed));
  await assert.rejects(read({ ...blob, size: 999_999 }), isCode('SVC-REG-007'));
  await assert.rejects(read({ ...blob, size: 1_000_001 }), isCode('SVC-REG-007'));
  for (const size of [999_999, 1_000_001]) {
    const stop = double.intercept((_request, response) => {
      response.writeHead(200);
      response.write(Buffer.alloc(size));
      response.end();
      return true;
    });
    await assert.rejects(read(), isCode('SVC-REG-007'));
    stop();
  }
  double.intercept((_request, response) => {
    response.writeHead(206, { 'content-range': 'bytes 0-999999/1000000' }).end(bytes);
    return true;
  });
  await assert.rejects(read(), isCode('SVC-REG-007'));
});

test('destroying a blob ends its transfer at once, though the source is silent', async (t) => {
  const { double, repository } = await open(t);
  const blob = double.putBlob('team/app', randomBytes(1000));
  const closed = Promise.withResolvers<void>();
  double.intercept((_request, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('start');
    response.on('close', () => closed.resolve());
    return true;
  });
  const stream = await repository.fetchBlob(blob);
  await once(stream, 'readable');
  stream.destroy();
  await closed.promise;
});

test('an abort ends a transfer with its reason and is not retried', async (t) => {
  const { double, repository } = await open(t);
  const blob = double.putBlob('team/app', randomBytes(1000));
  double.intercept((_request, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('start');
    return true;
  });
  const controller = new AbortController();
  const stream = await repository.fetchBlob(blob, { signal: controller.signal });
  await once(stream, 'readable');
  const reason = new Error('stop');
  controller.abort(reason);
  await assert.rejects(buffer(stream), (error) => error === reason);
  assert.equal(double.requests.length, 1);
});

test('a small blob is pushed whole in two requests', async (t) => {
  const { double, repository } = await open(t);
  const bytes = randomBytes(1000);
  const blob = { mediaType: 'x', digest: hashBytes(bytes), size: bytes.length };
  await repository.pushBlob(blob, Readable.from([bytes]));
  assert.ok(double.blob('team/app', blob.digest)?.equals(bytes));
  assert.deepEqual(
    double.requests.map(({ method }) => method),
    ['POST', 'PUT'],
  );
});

test('an empty blob and a sha512 one are pushed too', async (t) => {
  const { double, repository } = await open(t);
  for (const bytes of [Buffer.alloc(0), randomBytes(10), randomBytes(1_500_000)]) {
    const digest = hashBytes(bytes, 'sha512');
    await repository.pushBlob({ mediaType: 'x', digest, size: bytes.length }, Readable.from([bytes]));
    assert.ok(double.blob('team/app', digest)?.equals(bytes));
  }
});

test('a large blob streams, and is finished by a request of its own', async (t) => {
  const { double, repository } = await open(t);
  const bytes = randomBytes(3_000_000);
  const blob = { mediaType: 'x', digest: hashBytes(bytes), size: bytes.length };
  await repository.pushBlob(blob, Readable.from([bytes.subarray(0, 1_000_000), bytes.subarray(1_000_000)]));
  assert.ok(double.blob('team/app', blob.digest)?.equals(bytes));
  assert.deepEqual(
    double.requests.map(({ method }) => method),
    ['POST', 'PATCH', 'PUT'],
  );
  assert.equal(double.requests[1]!.headers['content-length'], '3000000');
});

for (const size of [1000, 3_000_000])
  test(`an upload of ${size} bytes that do not hash to their digest is never finished`, async (t) => {
    const { double, repository } = await open(t);
    const bytes = randomBytes(size);
    const blob = { mediaType: 'x', digest: hashBytes('other'), size };
    const source = Readable.from([bytes]);
    await assert.rejects(repository.pushBlob(blob, source), isCode('SVC-SIG-002'));
    assert.equal(double.count(/^PUT/), 0);
    assert.equal(double.uploads.size, 0);
    for (const wrong of [size - 1, size + 1]) {
      const claimed = { mediaType: 'x', digest: hashBytes(bytes), size: wrong };
      await assert.rejects(repository.pushBlob(claimed, Readable.from([bytes])), isCode('SVC-SIG-002'));
    }
    assert.equal(double.count(/^PUT/), 0);
    assert.equal(double.uploads.size, 0);
    assert.ok(source.destroyed);
  });

test('a source that fails within the stream cancels the upload, and its own error is reported', async (t) => {
  const { double, repository } = await open(t);
  const fault = new Error('the disk is gone');
  const source = Readable.from(
    (async function* () {
      yield randomBytes(2_000_000);
      throw fault;
    })(),
  );
  const blob = { mediaType: 'x', digest: hashBytes('x'), size: 5_000_000 };
  await assert.rejects(repository.pushBlob(blob, source), (error) => error === fault);
  assert.equal(double.count(/^PUT/), 0);
  assert.equal(double.count(/^DELETE/), 1);
  assert.equal(double.uploads.size, 0);
});

test('an upload that breaks is repeated when its source can be opened again', async (t) => {
  const { double, repository } = await open(t);
  const bytes = randomBytes(3_000_000);
  const blob = { mediaType: 'x', digest: hashBytes(bytes), size: bytes.length };
  double.failNext(/^PATCH/, 503);
  double.failNext(/^PUT/, 503);
  let opened = 0;
  await repository.pushBlob(blob, () => {
    opened += 1;
    return Readable.from([bytes]);
  });
  assert.ok(double.blob('team/app', blob.digest)?.equals(bytes));
  assert.equal(opened, 3);
  assert.equal(double.uploads.size, 0);
  const once_ = Readable.from([bytes]);
  double.failNext(/^PATCH/, 503);
  await assert.rejects(repository.pushBlob(blob, once_), isCode('SVC-REG-002'));
  assert.ok(once_.destroyed);
});

for (const when of ['before its bytes', 'amid its bytes', 'after its bytes'])
  test(`a token that a registry refuses ${when} is renewed, and the upload goes again from its source`, async (t) => {
    const account = { username: 'writer', password: 'secret' };
    const { double, repository } = await open(
      t,
      { auth: { kind: 'bearer', ...account } },
      { retries: 0, credentials: (host) => ({ [host]: { kind: 'basic', ...account } }) },
    );
    const bytes = randomBytes(5_000_000);
    const blob = { mediaType: 'x', digest: hashBytes(bytes), size: bytes.length };
    let refusals = 1;
    double.intercept(async (request, response, raw) => {
      if (refusals === 0 || request.method !== 'PATCH') return false;
      refusals -= 1;
      if (when === 'amid its bytes') await once(raw, 'data');
      else if (when === 'after its bytes') await once(raw.resume(), 'end');
      response.writeHead(401, { 'www-authenticate': `Bearer realm="${double.origin}/token",service="s"` });
      response.end();
      raw.resume();
      return true;
    });
    let told = 0;
    let opened = 0;
    const push = () =>
      repository.pushBlob(
        blob,
        () => {
          opened += 1;
          return Readable.from([bytes]);
        },
        { onBytes: (count) => (told += count) },
      );
    await push();
    assert.ok(double.blob('team/app', blob.digest)?.equals(bytes));
    assert.equal(opened, 2);
    assert.equal(told, bytes.length);
    assert.equal(double.count(/^GET \/token/), 2);
    assert.equal(double.count(/^PATCH/), 2);
    assert.equal(double.uploads.size, 0, 'the first upload is cancelled');

    refusals = 99;
    await assert.rejects(push(), isCode('SVC-REG-003'));
    assert.equal(double.count(/^PATCH/), 4, 'a token that is refused again is final');
    assert.equal(double.uploads.size, 0);
  });

test('an upload from a stream that is read only once is refused with its token, and not sent in part', async (t) => {
  const account = { username: 'writer', password: 'secret' };
  const { double, repository } = await open(
    t,
    { auth: { kind: 'bearer', ...account } },
    { credentials: (host) => ({ [host]: { kind: 'basic', ...account } }) },
  );
  const bytes = randomBytes(3_000_000);
  const blob = { mediaType: 'x', digest: hashBytes(bytes), size: bytes.length };
  const source = Readable.from([bytes]);
  double.failNext(/^PATCH/, 401, {
    headers: { 'www-authenticate': `Bearer realm="${double.origin}/token"` },
  });
  await assert.rejects(repository.pushBlob(blob, source), isCode('SVC-REG-003'));
  assert.equal(double.count(/^PATCH/), 1);
  assert.equal(double.blob('team/app', blob.digest), undefined);
  assert.ok(source.destroyed);
});

test('a small upload is repeated whole', async (t) => {
  const { double, repository } = await open(t);
  const bytes = randomBytes(1000);
  const blob = { mediaType: 'x', digest: hashBytes(bytes), size: bytes.length };
  double.failNext(/^POST/, 502);
  double.failNext(/^PUT/, 500);
  await repository.pushBlob(blob, Readable.from([bytes]));
  assert.ok(double.blob('team/app', blob.digest)?.equals(bytes));
  assert.equal(double.uploads.size, 0);
});

test('a last answer that was lost does not fail an upload that has ended', async (t) => {
  const { double, repository } = await open(t);
  const bytes = randomBytes(3_000_000);
  const blob = { mediaType: 'x', digest: hashBytes(bytes), size: bytes.length };
  let lost = false;
  double.intercept((request, response) => {
    if (request.method !== 'PUT' || lost) return false;
    lost = true;
    response.end = (() => {
      response.socket?.destroy();
      return response;
    }) as typeof response.end;
    response.writeHead = (() => response) as typeof response.writeHead;
    return false;
  });
  await repository.pushBlob(blob, Readable.from([bytes]));
  assert.ok(double.blob('team/app', blob.digest));
  assert.equal(double.count(/^PUT/), 2);
});

test('an upload location on another host gets no credentials, and one off the list is refused', async (t) => {
  const other = await createRegistryDouble();
  t.after(() => other.close());
  const auth = { kind: 'basic', username: 'u', password: 'p' } as const;
  const double = await createRegistryDouble({ auth });
  t.after(() => double.close());
  double.intercept((request, response) => {
    if (request.method !== 'POST' || request.headers.authorization === undefined) return false;
    response.writeHead(202, { location: `${other.origin}/v2/team/app/blobs/uploads/x` }).end();
    return true;
  });
  other.intercept((_request, response, raw) => {
    raw.resume().on('end', () => response.writeHead(201).end());
    return true;
  });
  const bytes = Buffer.from('x');
  const blob = { mediaType: 'x', digest: hashBytes(bytes), size: 1 };
  const push = (allowlist?: string[]) =>
    openRemoteRegistry(t, [double.host, other.host], {
      credentials: { [double.host]: auth, [other.host]: auth },
      transport: { allowlist },
    })
      .repository({ host: double.host, repository: 'team/app' }, { access: 'push' })
      .pushBlob(blob, Readable.from([bytes]));
  await push();
  assert.equal(other.requests.length, 1);
  assert.equal(other.requests[0]!.headers.authorization, undefined);
  await assert.rejects(push([double.host]), (error) => {
    assert.ok(isSvcError(error, 'SVC-POL-001'));
    assert.match(String(error.params.hop), /upload location/);
    return true;
  });
  assert.equal(other.requests.length, 1);
});

test('an upload accepted without a place to send it is an error', async (t) => {
  const { double, repository } = await open(t);
  double.failNext(/^POST/, 202);
  const blob = { mediaType: 'x', digest: hashBytes('x'), size: 1 };
  await assert.rejects(repository.pushBlob(blob, Readable.from([Buffer.from('x')])), isCode('SVC-REG-007'));
});

test('a blob of another repository is mounted; where it cannot be, no upload is left open', async (t) => {
  const { double, repository } = await open(t);
  const blob = double.putBlob('team/base', 'shared');
  assert.equal(await repository.mountBlob(blob, 'team/base'), true);
  assert.equal(double.blob('team/app', blob.digest)?.toString(), 'shared');
  assert.equal(await repository.mountBlob({ ...blob, digest: hashBytes('none') }, 'team/base'), false);
  assert.equal(double.uploads.size, 0);
  double.failNext(/^POST/, 403);
  assert.equal(await repository.mountBlob(blob, 'secret/place'), false);
});

test('a mount asks for a token of both repositories', async (t) => {
  const auth = { kind: 'bearer', username: 'u', password: 'p' } as const;
  const double = await createRegistryDouble({ auth });
  t.after(() => double.close());
  const registry = openRemoteRegistry(t, [double.host], {
    credentials: { [double.host]: { kind: 'basic', username: 'u', password: 'p' } },
  });
  const blob = double.putBlob('team/base', 'shared');
  const repository = registry.repository({ host: double.host, repository: 'team/app' }, { access: 'push' });
  assert.equal(await repository.mountBlob(blob, 'team/base'), true);
  const asked = double.requests.find(({ path }) => path.startsWith('/token'))!;
  assert.deepEqual(new URL(asked.path, double.origin).searchParams.getAll('scope'), [
    'repository:team/app:pull,push',
    'repository:team/base:pull',
  ]);
});

test('what counts as progress between two failures is less under a cap', async () => {
  const failure = markTransient(svcError('SVC-REG-007', { reference: 'it', detail: 'cut off' }));
  const { signal } = new AbortController();
  /** How many failures a transfer survives that receives some bytes before each. */
  const count = async (progress: number, rate: number): Promise<number> => {
    const mayResume = toResumption({
      retries: 2,
      retryDelay: 0,
      clock: createHastyClock(),
      onRetry: () => {},
      limiter: { rate },
    });
    for (let failures = 0; failures < 10; failures += 1)
      if (!(await mayResume(failure, progress, signal))) return failures;
    return 10;
  };
  assert.equal(await count(1 << 20, 0), 2);
  assert.equal(await count(8 << 20, 0), 10);
  assert.equal(await count(1 << 20, 1 << 18), 10);
  assert.equal(await count((1 << 20) - 1, 1 << 18), 2);
  assert.equal(await count(8 << 20, 1 << 30), 10);
});
