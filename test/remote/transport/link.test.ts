import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { RateLimiter } from '../../../src/base/link/rate-limiter.ts';
import { silentReport } from '../../../src/base/report.ts';
import { type Link, openLink } from '../../../src/link/link.ts';
import type { RemoteRepository, Spool } from '../../../src/remote/model.ts';
import { noCredentials } from '../../../src/remote/registry/credentials.ts';
import { createRegistry } from '../../../src/remote/registry/registry.ts';
import { createSpool } from '../../../src/remote/spool/spool.ts';
import { gateTransport } from '../../../src/remote/transport/gate-transport.ts';
import { createTransport } from '../../../src/remote/transport/transport.ts';
import { createManualClock, type ManualClock } from '../../kit/instance/clock.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';

const hour = 3_600_000;
const mebi = 2 ** 20;

interface Scene {
  readonly double: RegistryDouble;
  readonly clock: ManualClock;
  readonly link: Link;
  /** A repository whose transfers run from 22:00 to 06:00; it is midnight. */
  readonly repository: RemoteRepository;
}

async function open(t: TestContext, { spool }: { readonly spool?: Spool } = {}): Promise<Scene> {
  const double = await createRegistryDouble();
  t.after(() => double.close());
  const clock = createManualClock();
  const link = await openLink({
    configured: { windows: ['22:00-06:00'], timeZone: 'UTC' },
    report: silentReport,
    clock,
  });
  const transport = createTransport({ report: silentReport, insecure: [double.host] });
  t.after(() => transport[Symbol.asyncDispose]());
  const registry = createRegistry({
    transport: gateTransport(transport, link.gate),
    credentials: noCredentials,
    retries: 0,
    report: silentReport,
    spool,
  });
  const repository = registry.repository({ host: double.host, repository: 'team/app' });
  return { double, clock, link, repository };
}

/** Resolves when the first transfer waits. */
const untilWaiting = (link: Link): Promise<void> =>
  new Promise((resolve) => {
    link.onChange(() => link.waiting > 0 && resolve());
  });

/** Serves a blob to its `half`, and the rest on command; the range of a later request is served at once. */
function serveInHalves(double: RegistryDouble, bytes: Buffer, half: number) {
  const begun = Promise.withResolvers<{ readonly response: ServerResponse; readonly raw: IncomingMessage }>();
  const ranges: (string | undefined)[] = [];
  double.intercept((request, response, raw) => {
    if (request.method !== 'GET') return false;
    ranges.push(request.headers.range);
    if (request.headers.range !== undefined) return false;
    response.writeHead(200, { 'content-length': String(bytes.length), etag: '"one"' });
    response.write(bytes.subarray(0, half));
    begun.resolve({ response, raw });
    return true;
  });
  return { begun: begun.promise, ranges };
}

for (const way of ['streamed', 'spooled'] as const) {
  test(`a blob that is ${way} pauses when the window closes, holds no connection, and goes on from where it was`, async (t) => {
    await using folder = await openTempFolder();
    const spool =
      way === 'spooled'
        ? createSpool({ root: join(folder.path, 'downloads'), threshold: 1, report: silentReport })
        : undefined;
    const { double, clock, link, repository } = await open(t, spool === undefined ? {} : { spool });
    const bytes = randomBytes(4 * mebi);
    const blob = double.putBlob('team/app', bytes);
    const half = 2 * mebi;
    const { begun, ranges } = serveInHalves(double, bytes, half);

    let received = 0;
    const reached = Promise.withResolvers<void>();
    const count = (length: number): void => {
      received += length;
      if (received >= half) reached.resolve();
    };
    const whole = (async () => {
      if (spool !== undefined) {
        await using file = (await repository.spoolBlob(blob, { onBytes: count }))!;
        return await readFile(file.path);
      }
      const stream = await repository.fetchBlob(blob);
      const chunks: Buffer[] = [];
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        count(chunk.length);
      }
      return Buffer.concat(chunks);
    })();
    const { response, raw } = await begun;
    await reached.promise;
    const closed = once(raw.socket, 'close');
    const waits = untilWaiting(link);
    clock.advance(6 * hour);
    // the bytes under way are the sign to look at the window
    response.write(bytes.subarray(half, half + 1000));
    await Promise.all([closed, waits]);
    assert.deepEqual(ranges, [undefined]);
    assert.equal(link.waiting, 1);

    clock.advance(16 * hour);
    assert.ok((await whole).equals(bytes));
    const asked = Number(/^bytes=(\d+)-/.exec(ranges[1] ?? '')?.[1]);
    assert.equal(ranges.length, 2);
    // received bytes are not fetched again
    assert.ok(asked >= half && asked <= half + 1000, String(asked));
  });
}

test('no request is sent before the window opens', async (t) => {
  const { double, clock, link, repository } = await open(t);
  double.putManifest('team/app', { schemaVersion: 2 }, { tag: 'v1' });
  clock.advance(12 * hour);
  const waits = untilWaiting(link);
  const found = repository.resolve('v1');
  await waits;
  assert.equal(double.requests.length, 0);
  clock.advance(10 * hour);
  assert.notEqual(await found, undefined);
});

test('a paused transfer ends when it is cancelled', async (t) => {
  const { double, clock, link, repository } = await open(t);
  const blob = double.putBlob('team/app', randomBytes(1000));
  clock.advance(12 * hour);
  const ending = new AbortController();
  const waits = untilWaiting(link);
  const fetched = repository.fetchBlob(blob, { signal: ending.signal });
  await waits;
  ending.abort(new Error('cancelled'));
  await assert.rejects(fetched, /cancelled/);
  assert.equal(link.waiting, 0);
});

test('an upload that has begun runs to its end', async (t) => {
  const { double, clock, link } = await open(t);
  const transport = createTransport({ report: silentReport, insecure: [double.host] });
  t.after(() => transport[Symbol.asyncDispose]());
  const registry = createRegistry({
    transport: gateTransport(transport, link.gate),
    credentials: noCredentials,
    retries: 0,
    report: silentReport,
  });
  const target = registry.repository({ host: double.host, repository: 'team/app' }, { access: 'push' });
  const bytes = randomBytes(3 * mebi);
  const source = createRegistryDouble();
  await using other = await source;
  const blob = other.putBlob('team/app', bytes);
  double.intercept((request) => {
    if (request.method === 'PATCH') clock.advance(6 * hour);
    return false;
  });
  await target.pushBlob(blob, () => Readable.from([bytes]));
  assert.equal(link.gate.isOpen, false);
  assert.ok(double.blob('team/app', blob.digest)?.equals(bytes));
});

test('a peer counts no more bytes in any second than the cap and a tenth, received and sent together', async (t) => {
  const rate = 4 * mebi;
  const limiter = new RateLimiter(rate);
  const double = await createRegistryDouble();
  t.after(() => double.close());
  const registry = openRemoteRegistry(t, [double.host], { transport: { limiter } });
  const place = { host: double.host, repository: 'team/app' };
  const up = registry.repository(place, { access: 'push' });
  const down = registry.repository(place);
  const begun = performance.now();
  /** Bytes that the peer received and sent, by tenths of a second. */
  const counted: number[] = [];
  const count = (bytes: number): void => {
    const at = Math.floor((performance.now() - begun) / 100);
    counted[at] = (counted[at] ?? 0) + bytes;
  };
  const received: Buffer[] = [];
  double.intercept(async ({ method, path }, response, raw) => {
    if (method === 'PUT') {
      response.writeHead(201).end();
      return true;
    }
    if (method !== 'PATCH') return false;
    const chunks: Buffer[] = [];
    for await (const chunk of raw as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      count(chunk.length);
    }
    received.push(Buffer.concat(chunks));
    response.writeHead(202, { location: path }).end();
    return true;
  });
  const sent = [randomBytes(5 * mebi), randomBytes(2 * mebi)];
  const other = await createRegistryDouble();
  t.after(() => other.close());
  const blobs = sent.map((bytes) => other.putBlob('team/app', bytes));
  const fetched = double.putBlob('team/app', randomBytes(mebi));
  const [, , read] = await Promise.all([
    up.pushBlob(blobs[0]!, () => Readable.from([sent[0]])),
    up.pushBlob(blobs[1]!, () => Readable.from([sent[1]])),
    buffer(await down.fetchBlob(fetched)),
  ]);
  const seconds = (performance.now() - begun) / 1000;
  assert.equal(read.length, mebi);
  // the small one arrives first, since both get the same rate
  assert.ok(received[0]?.equals(sent[1]!) && received[1]?.equals(sent[0]!));
  assert.deepEqual(limiter.moved, { received: mebi, sent: 7 * mebi });
  // 8 MiB at 4 MiB a second, less the bytes that may be saved up at the start
  assert.ok(seconds >= 1.8, `${seconds} s`);
  const tenths = Array.from(counted, (bytes) => bytes ?? 0);
  for (let at = 0; at < tenths.length; at += 1) {
    const second = tenths.slice(at, at + 10).reduce((sum, bytes) => sum + bytes, 0);
    assert.ok(second <= rate * 1.25, `${second} bytes in the second from ${at / 10} s`);
  }
});

test('a cap that outlasts the patience of a peer without ranges costs no byte of a blob', async (t) => {
  await using folder = await openTempFolder();
  const double = await createRegistryDouble({ ranges: false, keepAlive: 50 });
  t.after(() => double.close());
  const spool = createSpool({
    root: join(folder.path, 'downloads'),
    threshold: 1_000_000,
    report: silentReport,
  });
  const limiter = new RateLimiter(4 * mebi);
  const registry = openRemoteRegistry(t, [double.host], { transport: { limiter }, spool, retries: 0 });
  const repository = registry.repository({ host: double.host, repository: 'team/app' });
  // the end of a body falls at different places of a read
  const streamed = Array.from({ length: 6 }, (_, index) => randomBytes(500_000 + index * 13_000));
  const spooled = randomBytes(1_000_000);
  const [file, ...read] = await Promise.all([
    repository.spoolBlob(double.putBlob('team/app', spooled)),
    ...streamed.map(async (bytes) => buffer(await repository.fetchBlob(double.putBlob('team/app', bytes)))),
  ]);
  await using held = file!;
  assert.ok((await readFile(held.path)).equals(spooled));
  for (const [index, bytes] of streamed.entries()) assert.ok(read[index]!.equals(bytes));
  assert.equal(double.count(/^GET/), 7);
});
