import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Artifact, buildImage } from '../kit/content/content.ts';
import { toBlob } from '../kit/content/oci-content.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { createRawPeer, type RawPeer } from '../kit/hostile/raw-peer.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { type Instance, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder, type TempFolder } from '../kit/instance/temp-folder.ts';
import { processFootprint } from '../kit/result/process-footprint.ts';

/** Mebibytes that the process may ever hold, against any behaviour of its peers. */
const memoryLimit = 400;

let folder: TempFolder;
let instance: Instance;
let peer: RawPeer;
let image: Artifact;
let token: string;
let pid: number;
let restingDescriptors: number;

/** The client that behaves: it pulls and pushes all the time, and nothing of it may fail. */
const client = { running: true, requests: 0, failures: [] as string[], slowest: 0 };
let behaving: Promise<void>;

const manifestPath = () => `/v2/good/image/manifests/1.0`;

async function behave(): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  for (let round = 0; client.running; round += 1) {
    const started = performance.now();
    try {
      const manifest = await fetch(`${instance.url}${manifestPath()}`, { headers });
      const text = await manifest.text();
      if (manifest.status !== 200 || text !== image.manifest.bytes.toString())
        throw new Error(`manifest ${manifest.status}`);
      const layer = image.blobs[1]!;
      const blob = await fetch(`${instance.url}/v2/good/image/blobs/${layer.descriptor.digest}`, { headers });
      if (!Buffer.from(await blob.arrayBuffer()).equals(layer.bytes)) throw new Error(`blob ${blob.status}`);
      if (round % 10 === 0) {
        const { digest, bytes } = { ...toBlob(randomBytes(1000)) };
        const pushed = await fetch(`${instance.url}/v2/good/other/blobs/uploads/?digest=${digest}`, {
          method: 'POST',
          headers,
          body: bytes as never,
        });
        if (pushed.status !== 201) throw new Error(`push ${pushed.status} ${await pushed.text()}`);
        await pushed.arrayBuffer();
      }
      client.requests += 1;
    } catch (error) {
      client.failures.push(String((error as { cause?: unknown }).cause ?? error));
    }
    client.slowest = Math.max(client.slowest, performance.now() - started);
    await pause(10);
  }
}

/** Descriptors return to their earlier number, but for the few of the client that behaves. */
async function settles(): Promise<void> {
  await eventually(
    'descriptors are given back',
    async () => (await processFootprint.descriptors(pid)) <= restingDescriptors + 6,
    30,
  );
}

/** Temporary files of the store, those of the client that behaves aside. */
async function temporaries(): Promise<number> {
  return (await readdir(join(folder.path, 'store', '_svc', 'tmp'))).length;
}

before(async () => {
  folder = await openTempFolder('svc-listener-');
  instance = await startInstance({ folder: folder.path, env: { NODE_OPTIONS: '--max-semi-space-size=16' } });
  pid = instance.process.pid!;
  token = await instance.createToken('admin');
  image = buildImage('good', { ownLayers: 1, layerSize: 300_000 });
  const at = { registry: instance.url, repository: 'good/image', authorization: `Bearer ${token}` };
  await pushArtifactOverHttp(at, image, '1.0');
  peer = createRawPeer(instance.url);
  await pause(200);
  restingDescriptors = await processFootprint.descriptors(pid);
  await processFootprint.resetPeak(pid);
  behaving = behave();
});

after(async () => {
  client.running = false;
  await behaving;
  await instance[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** A request line with the usual headers of an honest client. */
function head(method: string, target: string, headers = ''): string {
  return `${method} ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${headers}\r\n`;
}

const isThere = async (): Promise<boolean> =>
  (await fetch(`${instance.url}${manifestPath()}`, { headers: { authorization: `Bearer ${token}` } })).ok;

test('headers that come by drops are cut, and no headers at all', async () => {
  const sockets = await Promise.all(Array.from({ length: 300 }, () => peer.open()));
  const closed = Promise.all(
    sockets.map((socket) => new Promise((resolve) => void socket.once('close', resolve))),
  );
  const said = new Map<Socket, string>();
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x');
  }, 1000);
  sockets.forEach((socket, i) => {
    socket.on('data', (chunk: Buffer) => said.set(socket, (said.get(socket) ?? '') + chunk));
    if (i % 3 === 0) socket.write('GET /v2/ HTTP/1.1\r\nhost: x\r\nx-slow: ');
    else if (i % 3 === 1) socket.write('GET /v2/');
    else socket.write('PATCH /v2/a/blobs/uploads/x HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\nx-y: ');
  });
  try {
    await Promise.race([closed, pause(40_000).then(() => assert.fail('still open after 40 s'))]);
  } finally {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  }
  for (const text of said.values()) assert.match(text, /^HTTP\/1\.1 408 /);
  await settles();
});

test('two thousand idle connections stand in nobody’s way', async () => {
  const sockets: Socket[] = [];
  for (let batch = 0; batch < 20; batch += 1)
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => peer.open()))));
  // the kernel has taken them all; the process takes them from it as its turns come
  await eventually(
    'the connections are accepted',
    async () => (await processFootprint.descriptors(pid)) > restingDescriptors + 1900,
  );
  assert.deepEqual((await peer.say(head('GET', '/v2/', 'connection: close\r\n'))).statuses, [200]);
  for (const socket of sockets) socket.destroy();
  await settles();
});

test('bodies that come by drops hold nothing up, and leave nothing when they break off', async () => {
  const before = await temporaries();
  const bytes = randomBytes(50_000);
  const { digest } = toBlob(bytes);
  const sockets = await Promise.all(Array.from({ length: 40 }, () => peer.open()));
  for (const socket of sockets) {
    socket.write(head('POST', `/v2/slow/blobs/uploads/?digest=${digest}`, 'content-length: 50000\r\n'));
    socket.write(bytes.subarray(0, 1000));
  }
  await eventually('uploads are open', async () => (await temporaries()) >= before + 40);
  const timer = setInterval(() => {
    for (const socket of sockets) socket.write('x');
  }, 100);
  await pause(1500);
  clearInterval(timer);
  for (const [i, socket] of sockets.entries()) {
    if (i % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
  }
  await eventually('temporary files are gone', async () => (await temporaries()) <= before + 1);
  await settles();
});

test('requests that two readers could cut differently are refused, and what they hide is never done', async (t) => {
  const hidden = head('DELETE', manifestPath());
  const length = Buffer.byteLength(hidden);
  const empty = toBlob('').digest;
  const target = `/v2/a/blobs/uploads/?digest=${empty}`;
  const post = (headers: string, body: string) => head('POST', target, headers) + body;
  const chunked = `0\r\n\r\n${hidden}`;
  const requests: Record<string, string> = {
    'length and chunks': post('content-length: 5\r\ntransfer-encoding: chunked\r\n', chunked),
    'chunks and length': post('transfer-encoding: chunked\r\ncontent-length: 5\r\n', chunked),
    'two lengths': post(`content-length: 0\r\ncontent-length: ${length}\r\n`, hidden),
    'two equal lengths': post('content-length: 0\r\ncontent-length: 0\r\n', hidden),
    'a list of lengths': post('content-length: 0, 0\r\n', hidden),
    'a signed length': post('content-length: +0\r\n', hidden),
    'a negative length': post('content-length: -1\r\n', hidden),
    'a hexadecimal length': post('content-length: 0x0\r\n', hidden),
    'a length beyond numbers': post('content-length: 99999999999999999999999\r\n', hidden),
    'a length of nothing': post('content-length: \r\n', hidden),
    'a space before the colon': post('transfer-encoding : chunked\r\n', chunked),
    'another coding': post('transfer-encoding: xchunked\r\n', chunked),
    'chunks before another coding': post('transfer-encoding: chunked, gzip\r\n', chunked),
    'a coding twice': post('transfer-encoding: chunked\r\ntransfer-encoding: gzip\r\n', chunked),
    'bare line feeds': `POST ${target} HTTP/1.1\nhost: x\nauthorization: Bearer ${token}\ncontent-length: 0\n\n${hidden}`,
    'a bare line feed in a header': post('x-a: b\ncontent-length: 0\r\n', hidden),
    'a bare carriage return': post('x-a: b\rcontent-length: 0\r\n', hidden),
    'a folded header': post('x-a: b\r\n content-length: 0\r\n', hidden),
    'a folded length': post('content-length:\r\n 0\r\n', hidden),
    'a header without a name': post(': x\r\n', hidden),
    'a name with a space': post('x y: z\r\n', hidden),
    'NUL in a value': post('x-a: b\0c\r\n', hidden),
    'NUL in a name': post('x\0a: b\r\n', hidden),
    'a chunk size that overflows': post('transfer-encoding: chunked\r\n', `ffffffffffffffff0\r\n${hidden}`),
    'a chunk size with a prefix': post('transfer-encoding: chunked\r\n', `0x0\r\n\r\n${hidden}`),
    'a negative chunk size': post('transfer-encoding: chunked\r\n', `-1\r\n\r\n${hidden}`),
    'a chunk longer than its size': post('transfer-encoding: chunked\r\n', `1\r\nabc\r\n0\r\n\r\n${hidden}`),
    'a chunk ended by a line feed': post('transfer-encoding: chunked\r\n', `1\na\n0\n\n${hidden}`),
    'a chunk extension without end': post('transfer-encoding: chunked\r\n', `1;${'a'.repeat(40_000)}`),
    'a line feed in an extension': post('transfer-encoding: chunked\r\n', `0;a\n\r\n\r\n${hidden}`),
    'no host': `GET /v2/ HTTP/1.1\r\n\r\n${hidden}`,
    'two hosts': `GET /v2/ HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n${hidden}`,
    'an expectation nobody knows': head('GET', '/v2/', 'expect: 200-maybe\r\n') + hidden,
    'a length behind too many headers': post(
      `${'x-a: b\r\n'.repeat(200)}content-length: ${length}\r\n`,
      hidden,
    ),
    'another version': `GET /v2/ HTTP/1.2\r\nhost: x\r\n\r\n${hidden}`,
    'version 2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'version 0.9': 'GET /v2/\r\n\r\n',
    'no method': ` /v2/ HTTP/1.1\r\nhost: x\r\n\r\n`,
    'an unknown method': `SMUGGLE /v2/ HTTP/1.1\r\nhost: x\r\n\r\n`,
    'a line feed in the target': `GET /v2/\nx HTTP/1.1\r\nhost: x\r\n\r\n`,
    'NUL in the target': `GET /v2/\0 HTTP/1.1\r\nhost: x\r\n\r\n`,
    'a space in the target': `GET /v2/ /x HTTP/1.1\r\nhost: x\r\n\r\n`,
    'the start of TLS': Buffer.from('16030100a5010000a10303', 'hex').toString('latin1').padEnd(200, '\u0001'),
    'trailers without end': post('transfer-encoding: chunked\r\n', `0\r\n${'x-t: y\r\n'.repeat(20_000)}\r\n`),
  };
  let tried = 0;
  for (const [name, text] of Object.entries(requests)) {
    const { statuses, closed } = await peer.say(Buffer.from(text, 'latin1'), { milliseconds: 3000 });
    const last = statuses.at(-1);
    assert.ok(closed, `${name}: the connection stands, after ${statuses}`);
    assert.ok(last !== undefined && last >= 400 && last < 500, `${name}: ${statuses}`);
    assert.ok(!statuses.includes(201) && !statuses.includes(202), `${name}: ${statuses}`);
    // a request taken up after the answer would be done by now
    await pause(100);
    assert.equal(await isThere(), true, `${name}: the hidden request was done`);
    tried += 1;
  }
  t.diagnostic(`${tried} requests`);
});

test('targets that are no paths of ours, and methods that are nobody’s, are refused and never reflected', async () => {
  const close = 'connection: close\r\n';
  const requests: [string, string, string?][] = [
    ['GET', 'http://elsewhere.example/api/v1/system'],
    ['GET', 'ftp://elsewhere.example/v2/'],
    ['GET', '//elsewhere.example/v2/'],
    ['GET', '/api/v1/../../v2/'],
    ['GET', '/api/v1/tasks/..%2f..%2fsystem'],
    ['GET', '/api//v1/system'],
    ['GET', '/api/v1/tasks/%2e%2e/system'],
    ['GET', '/api/v1/tasks/%00'],
    ['GET', '/api/v1/tasks/%'],
    ['GET', '/api/v1/tasks/%ff%fe'],
    ['GET', `/api/v1/tasks/${'a'.repeat(20_000)}`],
    ['GET', `/v2/${'a/'.repeat(8000)}tags/list`],
    ['GET', `/v2/good/image/tags/list?n=${'9'.repeat(5000)}`],
    ['GET', '/v2/good/image/tags/list?n=-1'],
    ['GET', '*'],
    ['OPTIONS', '*'],
    ['TRACE', '/v2/', 'x-secret: canary\r\n'],
    ['PROPFIND', '/v2/'],
    ['GET', `/v2/good/image/blobs/sha256:${'a'.repeat(64)}/../x`],
  ];
  for (const [method, target, headers = ''] of requests) {
    const { text, statuses, closed } = await peer.say(head(method, target, close + headers));
    const name = `${method} ${target.slice(0, 60)}`;
    assert.ok(closed, name);
    assert.equal(statuses.length, 1, `${name}: ${statuses}`);
    assert.ok(statuses[0]! >= 400 && statuses[0]! < 500, `${name}: ${statuses}`);
    assert.ok(!text.includes('canary') && !/^location: (?:https?:)?\/\//im.test(text), name);
  }
  // nobody tunnels through us, and nobody changes the protocol
  const connected = await peer.say('CONNECT elsewhere.example:443 HTTP/1.1\r\nhost: x\r\n\r\n');
  assert.ok(connected.closed && !connected.statuses.includes(200));
  for (const protocol of ['websocket', 'h2c']) {
    const upgrade = `connection: upgrade, close\r\nupgrade: ${protocol}\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n`;
    const { statuses } = await peer.say(head('GET', '/v2/', upgrade));
    assert.ok(!statuses.includes(101) && statuses.length <= 1, `${protocol}: ${statuses}`);
  }
  const two = await peer.say(`GET /v2/ HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n`);
  assert.deepEqual(two.statuses, [400]);
});

test('a request in absolute form is answered as its path is, and its authority is never reflected', async () => {
  const authority = 'elsewhere.example';
  const close = 'connection: close\r\n';
  const ask = async (target: string, method = 'GET', headers = '') => {
    const { text, statuses, closed } = await peer.say(head(method, target, close + headers));
    assert.ok(closed, target);
    return { statuses, text };
  };
  const withoutDate = (text: string) =>
    text.replace(/^date: .*\r\n/im, '').replace(/^x-request-id: .*\r\n/im, '');

  const direct = await ask('/v2/');
  assert.deepEqual(direct.statuses, [200]);
  for (const scheme of ['http', 'https']) {
    const absolute = await ask(`${scheme}://${authority}/v2/`);
    assert.equal(withoutDate(absolute.text), withoutDate(direct.text));
  }
  const opened = await ask(
    `http://${authority}/v2/good/image/blobs/uploads/`,
    'POST',
    'content-length: 0\r\n',
  );
  assert.deepEqual(opened.statuses, [202]);
  assert.match(opened.text, /^location: \/v2\/good\/image\/blobs\/uploads\//im);
  assert.ok(!opened.text.includes(authority));
  const [, session] = /^location: (.*)\r\n/im.exec(opened.text)!;
  assert.deepEqual((await ask(session!, 'DELETE')).statuses, [204]);
  for (const path of ['/v2/', '/api/v1/tasks', '/files/x/', '/nowhere']) {
    const stranger = await peer.say(`GET http://${authority}${path} HTTP/1.1\r\nhost: x\r\n${close}\r\n`);
    assert.ok(stranger.statuses[0] === 401 || stranger.statuses[0] === 404, `${path}: ${stranger.statuses}`);
    assert.ok(!stranger.text.includes(authority), `${path}: ${stranger.text}`);
  }
});

test('headers beyond every measure are refused', async () => {
  for (const headers of [
    `x-a: ${'b'.repeat(100_000)}\r\n`,
    'x-a: b\r\n'.repeat(20_000),
    `${'n'.repeat(100_000)}: b\r\n`,
    `cookie: ${'a=b; '.repeat(20_000)}\r\n`,
  ]) {
    const { statuses, closed } = await peer.say(head('GET', '/v2/', headers));
    assert.ok(closed);
    assert.deepEqual(statuses, [431]);
  }
  const { statuses } = await peer.say(head('GET', `/v2/${'a'.repeat(100_000)}`));
  assert.deepEqual(statuses, [431]);
  // within the bytes and beyond the count: nothing is left out in silence
  const many = await peer.say(
    `GET /v2/ HTTP/1.1\r\nhost: x\r\n${'x-a: b\r\n'.repeat(500)}authorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
  );
  assert.deepEqual(many.statuses, [431]);
});

test('pipelined requests are answered in their order, and a flood of them ends its connection', async () => {
  const targets = ['/v2/', '/healthz', '/v2/good/image/tags/list', '/nowhere'];
  const wanted = [200, 200, 200, 404];
  const batch = targets.map((target) => head('GET', target)).join('');
  const { statuses } = await peer.say(batch.repeat(4) + head('GET', '/v2/', 'connection: close\r\n'));
  assert.deepEqual(statuses, [...Array.from({ length: 4 }, () => wanted).flat(), 200]);

  const flooding = await Promise.all(Array.from({ length: 6 }, () => peer.open()));
  const request = head('GET', manifestPath());
  for (const socket of flooding) {
    socket.pause();
    socket.write(request.repeat(10_000));
  }
  await pause(2000);
  assert.equal(await isThere(), true);
  assert.ok((await processFootprint.peakMebibytes(pid)) < memoryLimit);
  for (const socket of flooding) socket.destroy();
  await settles();
});

test('HTTP/1.0, and expectations of every kind, are met or refused', async () => {
  const old = await peer.say(`GET /v2/ HTTP/1.0\r\nauthorization: Bearer ${token}\r\n\r\n`);
  assert.ok(old.closed);
  assert.deepEqual(old.statuses, [200]);
  const chunked = await peer.say(
    `POST /v2/a/blobs/uploads/?digest=${toBlob('').digest} HTTP/1.0\r\nauthorization: Bearer ${token}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${head('DELETE', manifestPath())}`,
  );
  assert.ok(chunked.closed);
  assert.equal(await isThere(), true);
  const nonsense = await peer.say(head('GET', '/v2/', 'expect: 200-maybe\r\n'));
  assert.deepEqual(nonsense.statuses, [417]);

  const before = await temporaries();
  const { digest } = toBlob('never sent');
  const waiting = await Promise.all(Array.from({ length: 30 }, () => peer.open()));
  await Promise.all(
    waiting.map(async (socket) => {
      socket.write(
        head(
          'POST',
          `/v2/waits/blobs/uploads/?digest=${digest}`,
          'content-length: 10\r\nexpect: 100-continue\r\n',
        ),
      );
      const [chunk] = await once(socket, 'data');
      assert.match(String(chunk), /^HTTP\/1\.1 100 /);
    }),
  );
  for (const socket of waiting) socket.destroy();
  await eventually('temporary files are gone', async () => (await temporaries()) <= before + 1);
  // a client that may not push is refused before a byte is asked for
  const stranger = await peer.say(
    'POST /v2/a/blobs/uploads/ HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\nexpect: 100-continue\r\n\r\n',
    { milliseconds: 4000 },
  );
  assert.equal(stranger.statuses[0], 401);
  await settles();
});

test('peers that leave in the middle, on either side, leave nothing behind', async () => {
  const before = await temporaries();
  const large = toBlob(randomBytes(24 << 20));
  const pushed = await fetch(`${instance.url}/v2/large/blobs/uploads/?digest=${large.digest}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: large.bytes as never,
  });
  assert.equal(pushed.status, 201);
  await pushed.arrayBuffer();
  const get = head('GET', `/v2/large/blobs/${large.digest}`);
  const { hostname, port } = new URL(instance.url);

  // readers that never read, and readers that go after the first bytes
  const readers = await Promise.all(Array.from({ length: 60 }, () => peer.open()));
  for (const [i, socket] of readers.entries()) {
    if (i % 3 === 0) socket.pause();
    if (i % 3 === 1) socket.once('data', () => socket.resetAndDestroy());
    if (i % 3 === 2) socket.once('data', () => socket.destroy());
    socket.write(get);
  }
  await pause(1000);
  for (const socket of readers) socket.destroy();

  // readers that close their side after the request: answered or cut, and gone
  const half = await Promise.all(
    Array.from({ length: 10 }, () => {
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      socket.on('error', () => {});
      socket.resume();
      socket.end(get);
      return socket;
    }),
  );
  await Promise.all(half.map((socket) => Promise.race([once(socket, 'end'), once(socket, 'close')])));
  for (const socket of half) socket.destroy();

  // writers that go in the middle of a session; the session stays until it is given up
  const locations: string[] = [];
  for (let i = 0; i < 20; i += 1) {
    const opened = await fetch(`${instance.url}/v2/large/blobs/uploads/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    locations.push(opened.headers.get('location')!);
    await opened.arrayBuffer();
  }
  const writers = await Promise.all(locations.map(() => peer.open()));
  for (const [i, socket] of writers.entries()) {
    socket.resume();
    socket.write(head('PATCH', locations[i]!, 'transfer-encoding: chunked\r\n'));
    socket.write('10000\r\n');
    socket.write(Buffer.alloc(30_000));
    setTimeout(() => (i % 2 === 0 ? socket.resetAndDestroy() : socket.end()), 200);
  }
  await Promise.all(writers.map((socket) => (socket.destroyed ? undefined : once(socket, 'close'))));
  // one after the other: the connections of this client count too
  for (const location of locations)
    await eventually('a session is given up', async () => {
      const { status } = await fetch(`${instance.url}${location}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      });
      return status === 204 || status === 404;
    });
  await eventually('temporary files are gone', async () => (await temporaries()) <= before + 1);
  await settles();
});

test('documents that are too large or too deep are refused by the API', async () => {
  const at = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${instance.url}/api/v1/sync/plan`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body,
    });
  const shapes: [string, string][] = [
    ['deep', '['.repeat(10_000_000)],
    ['wide', `[${'{},'.repeat(4_000_000)}{}]`],
    ['long', `{"document":"${'x'.repeat(20_000_000)}"}`],
    ['no JSON', '{'],
    ['null', 'null'],
    ['a prototype', '{"__proto__":{"prune":true},"constructor":{}}'],
  ];
  for (const [name, body] of shapes) {
    const response = await at(body).catch((error: unknown) => {
      throw new Error(`${name}: ${(error as Error).cause ?? error}`);
    });
    const text = await response.text();
    assert.ok(response.status >= 400 && response.status < 500, `${name}: ${response.status} ${text}`);
  }
});

test('all the while nobody else was harmed', async (t) => {
  const peak = await processFootprint.peakMebibytes(pid);
  t.diagnostic(
    `${client.requests} rounds of the client that behaves, the slowest ${client.slowest.toFixed(0)} ms, peak ${peak.toFixed(0)} MiB`,
  );
  assert.deepEqual(client.failures, []);
  assert.ok(client.requests > 100);
  assert.ok(client.slowest < 15_000, `${client.slowest} ms`);
  assert.ok(peak < memoryLimit, `${peak} MiB`);
  client.running = false;
  await behaving;
  await settles();
  await eventually('temporary files are gone', async () => (await temporaries()) === 0);
  const unexpected = instance
    .log()
    .split('\n')
    .filter((line) => line.includes('SVC-SRV-001') || line.includes('unhandled'));
  assert.deepEqual(unexpected, []);
});
