import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { silentReport } from '../../../src/base/report.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import type { RemoteRepository, Spool } from '../../../src/remote/model.ts';
import { createSpool } from '../../../src/remote/spool/spool.ts';
import { toSpoolFailure } from '../../../src/remote/spool/spool-file.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import {
  createRegistryDouble,
  type RegistryDouble,
  type RegistryDoubleOptions,
} from '../../kit/result/registry-double.ts';

const threshold = 1024 * 1024;

interface Stage {
  readonly root: string;
  readonly double: RegistryDouble;
  readonly bytes: Buffer;
  readonly blob: Descriptor;
  /** A client with a spool of its own over the same folder, as a new process has. */
  start(retries?: number): { spool: Spool; repository: RemoteRepository };
}

async function prepare(t: TestContext, size: number, options: RegistryDoubleOptions = {}): Promise<Stage> {
  const folder = await openTempFolder();
  t.after(() => folder[Symbol.asyncDispose]());
  const double = await createRegistryDouble(options);
  t.after(() => double.close());
  const bytes = randomBytes(size);
  const root = join(folder.path, 'spool');
  return {
    root,
    double,
    bytes,
    blob: double.putBlob('team/app', bytes),
    start(retries = 2) {
      const spool = createSpool({ root, threshold, report: silentReport });
      const registry = openRemoteRegistry(t, [double.host], { spool, retries });
      return { spool, repository: registry.repository({ host: double.host, repository: 'team/app' }) };
    },
  };
}

const isCode = (code: Parameters<typeof isSvcError>[1]) => (error: unknown) => {
  assert.ok(isSvcError(error, code), String(error));
  return true;
};

/** Where a request went on; bytes still buffered when the connection broke are asked for again. */
function startOf(double: RegistryDouble, index: number, size: number): number {
  const range = double.requests.at(index)!.headers.range ?? '';
  const [, from, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  assert.equal(Number(last), size - 1, `the range is closed: ${range}`);
  return Number(from);
}

function assertWentOn(double: RegistryDouble, index: number, size: number, cut: number): void {
  const from = startOf(double, index, size);
  assert.ok(from > cut - 600_000 && from <= cut, `went on from ${from} of ${cut}`);
}

const blobGets = (double: RegistryDouble) => double.requests.filter(({ path }) => path.includes('/blobs/'));

test('a blob of the threshold is spooled completely, a smaller one is not', async (t) => {
  const { double, bytes, blob, root, start } = await prepare(t, threshold);
  const { repository } = start();
  assert.equal(await repository.spoolBlob(double.putBlob('team/app', randomBytes(threshold - 1))), undefined);
  assert.equal(double.requests.length, 0);
  let told = 0;
  const spooled = (await repository.spoolBlob(blob, { onBytes: (count) => (told += count) }))!;
  assert.ok((await readFile(spooled.path)).equals(bytes));
  assert.equal(told, threshold);
  assert.equal((await stat(spooled.path)).mode & 0o077, 0);
  await spooled.release();
  assert.deepEqual(await readdir(root), []);
});

test('a threshold of 0 spools nothing', async (t) => {
  const { root } = await prepare(t, 1);
  const spool = createSpool({ root, threshold: 0, report: silentReport });
  assert.equal(spool.accepts(2 ** 40), false);
});

test('the file may be renamed away by its holder', async (t) => {
  const { bytes, blob, root, start } = await prepare(t, threshold);
  await using spooled = (await start().repository.spoolBlob(blob))!;
  const adopted = join(root, '..', 'adopted');
  await rename(spooled.path, adopted);
  await spooled.release();
  assert.ok((await readFile(adopted)).equals(bytes));
  assert.deepEqual(await readdir(root), []);
});

test('a broken download is resumed in place, with a closed range and the first validator', async (t) => {
  const { double, bytes, blob, start } = await prepare(t, 3_000_000);
  double.cutNext(/blobs/, 2_000_000);
  await using spooled = (await start().repository.spoolBlob(blob))!;
  assert.ok((await readFile(spooled.path)).equals(bytes));
  const [, second] = double.requests;
  assertWentOn(double, 1, 3_000_000, 2_000_000);
  assert.equal(second!.headers['if-range'], `"${blob.digest.slice(7, 19)}"`);
});

test('a failed download is resumed by the next process', async (t) => {
  const { double, bytes, blob, start } = await prepare(t, 3_000_000);
  double.cutNext(/blobs/, 1_500_000);
  await assert.rejects(start(0).repository.spoolBlob(blob), isCode('SVC-REG-007'));
  let told = 0;
  await using spooled = (await start().repository.spoolBlob(blob, { onBytes: (count) => (told += count) }))!;
  assert.ok((await readFile(spooled.path)).equals(bytes));
  assert.equal(told, 3_000_000);
  assertWentOn(double, 1, 3_000_000, 1_500_000);
  assert.equal(double.requests[1]!.status, 206);
});

const program = `
const [spoolModule, registryModule, transportModule, root, host, digest, size] = process.argv.slice(1);
const { createSpool } = await import(spoolModule);
const { createRegistry } = await import(registryModule);
const { createTransport } = await import(transportModule);
const report = { log() {}, audit() {}, meter: { add() {}, set() {} }, child: () => report };
const registry = createRegistry({
  transport: createTransport({ report, insecure: [host] }),
  credentials: { lookup: () => undefined }, retries: 0, report,
  spool: createSpool({ root, threshold: 1, report }),
});
let told = 0;
await registry.repository({ host, repository: 'team/app' }).spoolBlob(
  { mediaType: 'x', digest, size: Number(size) },
  { onBytes: (count) => { told += count; process.stdout.write(told + '\\n'); } },
);
`;

test('a download survives the kill of its process: what was durable is not asked for again', async (t) => {
  const size = 24 * 1024 * 1024;
  const { double, bytes, blob, root, start } = await prepare(t, size);
  const stop = double.intercept((request, response) => {
    if (!request.path.includes('/blobs/')) return false;
    response.writeHead(200, { 'content-length': size, etag: '"first"' });
    // all but the end, so that the process hangs on the rest
    response.write(bytes.subarray(0, size - 1000));
    return true;
  });
  const source = (name: string) => join(import.meta.dirname, '../../../src/remote', name);
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      program,
      source('spool/spool.ts'),
      source('registry/registry.ts'),
      source('transport/transport.ts'),
      root,
      double.host,
      blob.digest,
      String(size),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  while (!output.endsWith(`${size - 1000}\n`))
    output += ((await once(child.stdout, 'data')) as [Buffer])[0].toString();
  // arrived bytes become durable beside it
  const durable = await eventually('a durable part', async () => {
    const [state] = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.state'));
    const record = await readFile(join(root, state!), 'utf8');
    const { received } = JSON.parse(record || '{}') as { received?: number };
    return received !== undefined && received >= 16 * 1024 * 1024 ? received : undefined;
  });
  child.kill('SIGKILL');
  await once(child, 'close');
  stop();

  const seen: (string | undefined)[] = [];
  double.intercept((request) => {
    seen.push(request.headers.range, request.headers['if-range'] as string | undefined);
    delete request.headers['if-range'];
    return false;
  });
  await using spooled = (await start().repository.spoolBlob(blob))!;
  assert.ok((await readFile(spooled.path)).equals(bytes));
  const from = Number(/^bytes=(\d+)-/.exec(seen[0] ?? '')?.[1]);
  assert.ok(from >= durable, `went on from ${from}, not from ${durable}`);
  assert.equal(seen[0], `bytes=${from}-${size - 1}`);
  assert.equal(seen[1], '"first"');
});

test('a source whose validator has changed starts over, and so does one without ranges', async (t) => {
  const { double, bytes, blob, start } = await prepare(t, 3_000_000);
  double.cutNext(/blobs/, 1_500_000);
  await assert.rejects(start(0).repository.spoolBlob(blob), isCode('SVC-REG-007'));
  double.options = { ranges: false };
  let told = 0;
  await using spooled = (await start().repository.spoolBlob(blob, { onBytes: (count) => (told += count) }))!;
  assert.ok((await readFile(spooled.path)).equals(bytes));
  assert.equal(told, 3_000_000);
  assert.equal(double.requests[1]!.status, 200);
});

test('bytes of an earlier process that the disk has damaged are detected by the digest and fetched again', async (t) => {
  const { double, bytes, blob, root, start } = await prepare(t, 3_000_000);
  const part = join(root, `${blob.digest.replace(':', '-')}.part`);
  double.cutNext(/blobs/, 1_500_000);
  await assert.rejects(start(0).repository.spoolBlob(blob), isCode('SVC-REG-007'));
  const spoilt = await readFile(part);
  spoilt[1000]! ^= 1;
  await writeFile(part, spoilt);
  await using spooled = (await start().repository.spoolBlob(blob))!;
  assert.ok((await readFile(spooled.path)).equals(bytes));
  assertWentOn(double, 1, 3_000_000, 1_500_000);
  assert.deepEqual(
    blobGets(double).map(({ status }) => status),
    [undefined, 206, 200],
  );
});

test('a mismatch after a resume is not judged before a fresh download, also within one process', async (t) => {
  for (const etag of [{}, { etag: '"other"' }]) {
    const { double, bytes, blob, start } = await prepare(t, 3_000_000);
    double.cutNext(/blobs/, 1_500_000);
    let rests = 0;
    double.intercept((request, response) => {
      const [, from] = /^bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
      if (from === undefined) return false;
      rests += 1;
      response.writeHead(206, { ...etag, 'content-range': `bytes ${from}-2999999/3000000` });
      response.end(randomBytes(3_000_000 - Number(from)));
      return true;
    });
    await using spooled = (await start().repository.spoolBlob(blob))!;
    assert.ok((await readFile(spooled.path)).equals(bytes));
    assert.equal(rests, 1);
  }
});

test('a torn, foreign or overstated record of progress starts the download over', async (t) => {
  for (const spoil of ['torn', 'other-blob', 'short-file'] as const) {
    const { double, bytes, blob, root, start } = await prepare(t, 2_000_000);
    const name = join(root, blob.digest.replace(':', '-'));
    double.cutNext(/blobs/, 1_500_000);
    await assert.rejects(start(0).repository.spoolBlob(blob), isCode('SVC-REG-007'));
    if (spoil === 'short-file') await truncate(`${name}.part`, 1000);
    else if (spoil === 'torn') await writeFile(`${name}.state`, '{"digest":"sha');
    else
      await writeFile(
        `${name}.state`,
        JSON.stringify({ digest: hashBytes('other'), size: 2_000_000, received: 1_000_000 }),
      );
    await using spooled = (await start().repository.spoolBlob(blob))!;
    assert.ok((await readFile(spooled.path)).equals(bytes));
    assert.equal(double.requests[1]!.headers.range, undefined, spoil);
  }
});

test('a source that sends other bytes is a verification failure, and nothing of them is kept', async (t) => {
  const { double, blob, root, start } = await prepare(t, 2_000_000);
  double.corrupt('team/app', blob.digest, randomBytes(2_000_000));
  await assert.rejects(start().repository.spoolBlob(blob), (error) => {
    assert.ok(isSvcError(error, 'SVC-SIG-002'));
    assert.equal(error.params.expected, blob.digest);
    return true;
  });
  assert.deepEqual(await readdir(root), []);
  assert.equal(double.requests.length, 1);
});

for (const [status, contentRange] of [
  [206, 'bytes 0-1999999/2000000'],
  [206, 'bytes 1-1999999/2000000'],
  [206, 'x'],
  [206, undefined],
  [400, undefined],
  [412, undefined],
  [416, 'bytes */2000000'],
] as const)
  test(`a spooled download whose range is answered ${status} (${contentRange ?? 'no range'}) goes on in the same run: again once, then from the beginning`, async (t) => {
    const headers = contentRange === undefined ? {} : { 'content-range': contentRange };
    // broken off within the run, and in an earlier one
    for (const isEarlier of [false, true])
      for (const wrong of [1, 99]) {
        const { double, bytes, blob, start } = await prepare(t, 2_000_000);
        double.cutNext(/blobs/, 1_500_000);
        if (isEarlier) await assert.rejects(start(0).repository.spoolBlob(blob), isCode('SVC-REG-007'));
        let left = wrong;
        double.intercept((request, response) => {
          if (request.headers.range === undefined || left === 0) return false;
          left -= 1;
          response.writeHead(status, headers).end(bytes.subarray(1_500_000));
          return true;
        });
        let told = 0;
        const spooled = await start(1).repository.spoolBlob(blob, { onBytes: (count) => (told += count) });
        assert.ok((await readFile(spooled!.path)).equals(bytes));
        assert.equal(told, bytes.length);
        const ranges = blobGets(double).map(({ headers: { range } }) =>
          range === undefined ? 'all' : 'rest',
        );
        assert.deepEqual(ranges, ['all', 'rest', 'rest', ...(wrong === 1 ? [] : ['all'])]);
        await spooled!.release();
      }
  });

test('a source that breaks off each time and answers each range wrongly is given up, and its bytes are not kept', async (t) => {
  const { double, blob, root, start } = await prepare(t, 20 * threshold);
  double.cutNext(/blobs/, 19 * threshold, { times: 99 });
  double.intercept((request, response) => {
    if (request.headers.range === undefined) return false;
    response.writeHead(416).end();
    return true;
  });
  await assert.rejects(start(9).repository.spoolBlob(blob), isCode('SVC-REG-007'));
  assert.ok(blobGets(double).length <= 8, `${blobGets(double).length} requests`);
  assert.deepEqual(await readdir(root), []);
});

test('a rest that is longer than requested is fetched again from the beginning', async (t) => {
  const { double, bytes, blob, start } = await prepare(t, 2_000_000);
  double.cutNext(/blobs/, 1_500_000);
  double.intercept((request, response) => {
    const [, from] = /^bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
    if (from === undefined) return false;
    response.writeHead(206, { 'content-range': `bytes ${from}-1999999/2000000` });
    response.write(bytes.subarray(Number(from)));
    response.end('more');
    return true;
  });
  const spooled = await start().repository.spoolBlob(blob);
  assert.ok((await readFile(spooled!.path)).equals(bytes));
  await spooled!.release();
});

test('more and fewer bytes than a blob has are refused', async (t) => {
  const { double, bytes, blob, start } = await prepare(t, 2_000_000);
  for (const size of [1_999_999, 2_000_001]) {
    const stop = double.intercept((_request, response) => {
      response.writeHead(200);
      response.write(Buffer.concat([bytes, Buffer.alloc(1)]).subarray(0, size));
      response.end();
      return true;
    });
    await assert.rejects(start(0).repository.spoolBlob(blob), isCode('SVC-REG-007'));
    stop();
  }
});

test('those who ask for one digest at once share one download, and each has a file of its own', async (t) => {
  const { double, bytes, blob, root, start } = await prepare(t, 3_000_000);
  const { repository } = start();
  const told = [0, 0, 0];
  const all = await Promise.all(
    told.map((_, i) =>
      repository.spoolBlob(blob, {
        onBytes: (count) => {
          told[i]! += count;
        },
      }),
    ),
  );
  assert.equal(double.requests.length, 1);
  assert.deepEqual(told, [3_000_000, 3_000_000, 3_000_000]);
  assert.equal(new Set(all.map((one) => one!.path)).size, 3);
  await rename(all[0]!.path, join(root, '..', 'adopted'));
  await all[0]!.release();
  assert.ok((await readFile(all[1]!.path)).equals(bytes));
  // a caller that comes while it is held gets it without a request
  await using late = (await repository.spoolBlob(blob))!;
  assert.ok((await readFile(late.path)).equals(bytes));
  assert.equal(double.requests.length, 1);
  await all[1]!.release();
  await all[2]!.release();
  await late.release();
  await late.release();
  assert.deepEqual(await readdir(root), []);
});

test('who gives up leaves the download to the others; when all have, it stops and can go on later', async (t) => {
  const { double, bytes, blob, start } = await prepare(t, 3_000_000);
  const proceed = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const stop = double.intercept((_request, response) => {
    response.writeHead(200, { 'content-length': bytes.length, etag: '"e"' });
    response.write(bytes.subarray(0, 2_000_000));
    response.on('close', () => closed.resolve());
    void proceed.promise.then(() => response.end(bytes.subarray(2_000_000)));
    return true;
  });
  const { repository } = start();
  const leaving = new AbortController();
  const arrived = Promise.withResolvers<void>();
  let told = 0;
  const onBytes = (count: number) => {
    told += count;
    if (told === 2_000_000) arrived.resolve();
  };
  const first = repository.spoolBlob(blob, { signal: leaving.signal, onBytes });
  const second = repository.spoolBlob(blob);
  await arrived.promise;
  leaving.abort();
  await assert.rejects(first, { name: 'AbortError' });
  proceed.resolve();
  const spooled = (await second)!;
  assert.ok((await readFile(spooled.path)).equals(bytes));
  await spooled.release();
  await closed.promise;
  stop();
  assert.equal(double.requests.length, 1);

  const silent = double.intercept((_request, response) => {
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, 2_000_000));
    return true;
  });
  const abandoning = new AbortController();
  const reached = Promise.withResolvers<void>();
  let sum = 0;
  const third = repository.spoolBlob(blob, {
    signal: abandoning.signal,
    onBytes: (count) => {
      sum += count;
      if (sum === 2_000_000) reached.resolve();
    },
  });
  await reached.promise;
  abandoning.abort();
  await assert.rejects(third, { name: 'AbortError' });
  silent();
  await using again = (await repository.spoolBlob(blob))!;
  assert.ok((await readFile(again.path)).equals(bytes));
  assert.equal(startOf(double, -1, 3_000_000), 2_000_000);
});

test('a kept file is used by the next process after its bytes were verified again', async (t) => {
  const { double, bytes, blob, start } = await prepare(t, 2_000_000);
  await (await start().repository.spoolBlob(blob))!.release({ keep: true });
  assert.equal(double.requests.length, 1);
  await using spooled = (await start().repository.spoolBlob(blob))!;
  assert.ok((await readFile(spooled.path)).equals(bytes));
  assert.equal(double.requests.length, 1);
});

test('abandoned downloads go, those that pending work names and those under way stay', async (t) => {
  const { double, blob, root, start } = await prepare(t, 2_000_000);
  const other = double.putBlob('team/app', randomBytes(2_000_000));
  for (const each of [blob, other]) {
    double.cutNext(/blobs/, 1_000_000);
    await assert.rejects(start(0).repository.spoolBlob(each), isCode('SVC-REG-007'));
  }
  await writeFile(join(root, 'notes.txt'), 'not ours');
  await writeFile(join(root, `${blob.digest.replace(':', '-')}.part.7`), 'left by a killed holder');
  const { spool, repository } = start();
  const removed = await spool.removeAbandoned(new Set<Digest>([blob.digest]));
  assert.equal(removed.files, 3);
  const name = blob.digest.replace(':', '-');
  assert.deepEqual((await readdir(root)).sort(), [`${name}.part`, `${name}.state`, 'notes.txt'].sort());
  await using held = (await repository.spoolBlob(blob))!;
  await spool.removeAbandoned(new Set());
  assert.ok((await stat(held.path)).isFile());
  await held.release();
  await rm(join(root, 'notes.txt'));
  assert.deepEqual(await spool.removeAbandoned(new Set()), { files: 0, bytes: 0 });
  await rm(root, { recursive: true });
  assert.deepEqual(await spool.removeAbandoned(new Set()), { files: 0, bytes: 0 });
});

test('a spool that cannot be written is its own failure, not the source’s', async (t) => {
  const { blob, root, start } = await prepare(t, 2_000_000);
  await writeFile(root, 'a file where the folder should be');
  await assert.rejects(start().repository.spoolBlob(blob), isCode('SVC-STO-003'));
});

test('a spool in a folder of another user is refused for the user, not as a failing disk', () => {
  const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
  const error = toSpoolFailure(denied, '/state/downloads/x');
  assert.deepEqual(
    [error.code, error.params.problem, error.params.detail],
    ['SVC-STO-003', 'denied', 'EACCES'],
  );
});

test('what cannot be removed after a download is left there, and costs neither it nor the next one', async (t) => {
  const { bytes, blob, start } = await prepare(t, threshold);
  const { repository } = start();
  const first = (await repository.spoolBlob(blob))!;
  // a folder stands where the file was: no file is removed there
  await rm(first.path);
  await mkdir(first.path);
  await first.release();
  await rmdir(first.path);
  const second = (await repository.spoolBlob(blob))!;
  assert.ok((await readFile(second.path)).equals(bytes));
  await second.release();
});

test('sha512 is spooled like the other', async (t) => {
  const { double, bytes, start } = await prepare(t, 2_000_000);
  const digest = `sha512:${createHash('sha512').update(bytes).digest('hex')}` as const;
  double.corrupt('team/app', digest, bytes);
  await using spooled = (await start().repository.spoolBlob({ mediaType: 'x', digest, size: bytes.length }))!;
  assert.ok((await readFile(spooled.path)).equals(bytes));
});

test('a source that starts over after each break is given up, however much it sends each time', async (t) => {
  const { blob, bytes, double, start } = await prepare(t, 20 * threshold, { ranges: false });
  // ends a download that would go on for ever
  double.cutNext(/blobs/, 9 * threshold, { times: 12 });
  const { repository } = start(2);
  await assert.rejects(repository.spoolBlob(blob), isCode('SVC-REG-007'));
  assert.ok(blobGets(double).length <= 5, `${blobGets(double).length} requests`);
  assert.equal(bytes.length, blob.size);
});

test('a source whose parts never fit together is given up', async (t) => {
  const { blob, double, start } = await prepare(t, 20 * threshold);
  double.corrupt('team/app', blob.digest, Buffer.alloc(blob.size, 'x'));
  let asked = 0;
  double.intercept(({ method, path, headers }) => {
    if (method !== 'GET' || !path.includes('/blobs/')) return false;
    asked += 1;
    // the first part of the next download breaks
    if (headers.range !== undefined && asked < 30) double.cutNext(/blobs/, 10 * threshold);
    return false;
  });
  double.cutNext(/blobs/, 10 * threshold);
  const { repository } = start(2);
  await assert.rejects(repository.spoolBlob(blob), isCode('SVC-REG-007'));
  assert.ok(asked <= 8, `${asked} requests`);
});

test('a blob that trickles is given up in a time of its own, however often its connection breaks and retries remain', async (t) => {
  for (const size of [threshold / 2, 2 * threshold]) {
    const { blob, bytes, root, double } = await prepare(t, size);
    let asked = 0;
    double.intercept(({ method, path, headers }, response) => {
      if (method !== 'GET' || !path.includes('/blobs/')) return false;
      asked += 1;
      // ends a download that would go on for long
      if (asked > 40) return false;
      const from = Number(/=(\d+)-/.exec(headers.range ?? '=0-')![1]);
      response.writeHead(from === 0 ? 200 : 206, {
        'content-length': size - from,
        ...(from === 0 ? {} : { 'content-range': `bytes ${from}-${size - 1}/${size}` }),
      });
      let sent = from;
      const timer = setInterval(() => {
        response.write(bytes.subarray(sent, sent + 1));
        sent += 1;
      }, 10);
      // before the time of this answer is over
      const breaking = setTimeout(() => response.destroy(), 80);
      response.once('close', () => {
        clearInterval(timer);
        clearTimeout(breaking);
      });
      return true;
    });
    const spool = createSpool({ root, threshold, report: silentReport });
    const registry = openRemoteRegistry(t, [double.host], {
      spool,
      retries: 1000,
      retryDelay: 0.001,
      transport: { paceTimeout: 150 },
    });
    const repository = registry.repository({ host: double.host, repository: 'team/app' });
    const fetch = async (): Promise<void> => {
      if (size >= threshold) await repository.spoolBlob(blob);
      else await buffer(await repository.fetchBlob(blob));
    };
    await assert.rejects(fetch(), (error) => {
      assert.ok(isSvcError(error, 'SVC-REG-007'), String(error));
      assert.match(String(error.params.detail), /^only \d+ bytes arrived in/);
      return true;
    });
    assert.ok(asked <= 25, `${asked} requests`);
  }
});
