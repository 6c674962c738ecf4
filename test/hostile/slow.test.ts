import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { openContext } from '../../src/operation/context.ts';
import type { TransportRequest } from '../../src/remote/model.ts';
import { noCredentials } from '../../src/remote/registry/credentials.ts';
import { createRegistry } from '../../src/remote/registry/registry.ts';
import { createTransport } from '../../src/remote/transport/transport.ts';
import { isSvcError } from '../../src/text/error.ts';
import { misbehave } from '../kit/hostile/misbehave.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { createRegistryDouble, type RegistryDouble } from '../kit/result/registry-double.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

/** The watchdog of these runs, in milliseconds: two minutes in earnest. */
const stall = 700;

/** The parts of a scene's synchronization, with an impatient watchdog. */
async function openImpatient(scene: SyncScene, insecure: readonly string[]) {
  const { report } = scene;
  const config = scene.config({ registries: { insecure } });
  const context = await openContext(config, { report, version: '0.0.0-test' });
  const transport = createTransport({ insecure, report, stallTimeout: stall, paceTimeout: 3 * stall });
  const registry = createRegistry({ transport, credentials: noCredentials, retries: 0, report });
  return {
    ...context,
    transport,
    registry,
    [Symbol.asyncDispose]: async () => {
      await transport[Symbol.asyncDispose]();
      await context[Symbol.asyncDispose]();
    },
  };
}

function drip(response: ServerResponse, byte: string, everyMs: number): void {
  response.on('error', () => {});
  const timer = setInterval(() => response.write(byte), everyMs);
  response.once('close', () => clearInterval(timer));
}

type Answer = (response: ServerResponse, host: RegistryDouble) => void;

const challenge: Answer = (response, host) =>
  misbehave.reply(response, 401, { 'www-authenticate': `Bearer realm="${host.origin}/token"` });

const silences: readonly (readonly [name: string, code: string, pattern: RegExp, answer: Answer])[] = [
  ['before-the-answer', 'SVC-REG-002', /manifests/, (response) => misbehave.freezeAfter(response, '')],
  [
    'in-a-header',
    'SVC-REG-002',
    /manifests/,
    (response) => misbehave.freezeAfter(response, 'HTTP/1.1 200 OK\r\ncontent-le'),
  ],
  [
    'header-by-drops',
    'SVC-REG-002',
    /manifests/,
    (response) => {
      const socket = response.socket!;
      socket.write('HTTP/1.1 200 OK\r\nx-a: ');
      const timer = setInterval(() => socket.write('b'), 50);
      socket.once('close', () => clearInterval(timer));
    },
  ],
  [
    'hints-by-drops',
    'SVC-REG-002',
    /manifests/,
    (response) => {
      const socket = response.socket!;
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 50);
      socket.once('close', () => clearInterval(timer));
    },
  ],
  [
    'in-a-manifest',
    'SVC-REG-007',
    /manifests/,
    (response) => misbehave.freezeAfter(response, 'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{'),
  ],
  [
    'in-a-blob',
    'SVC-REG-007',
    /^GET .*blobs/,
    (response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      response.write('x');
    },
  ],
  [
    'in-a-chunk-header',
    'SVC-REG-007',
    /^GET .*blobs/,
    (response) =>
      misbehave.rawEndlessly(
        response,
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;a=',
        'b'.repeat(65_536),
      ),
  ],
  [
    'manifest-by-drops',
    'SVC-REG-007',
    /manifests/,
    (response) => {
      response.writeHead(200, { 'content-type': 'application/vnd.oci.image.manifest.v1+json' });
      drip(response, ' ', 50);
    },
  ],
  [
    'blob-by-drops',
    'SVC-REG-007',
    /^GET .*blobs/,
    (response) => {
      response.writeHead(200);
      drip(response, 'x', 50);
    },
  ],
  [
    'token-by-drops',
    'SVC-REG-007',
    /token/,
    (response) => {
      response.writeHead(200);
      drip(response, ' ', 50);
    },
  ],
  ['in-a-redirect', 'SVC-REG-002', /moved/, (response) => misbehave.freezeAfter(response, '')],
  [
    'in-a-token',
    'SVC-REG-007',
    /token/,
    (response) => misbehave.freezeAfter(response, 'HTTP/1.1 200 OK\r\n\r\n{'),
  ],
  [
    'in-an-overload',
    'SVC-REG-002',
    /manifests/,
    (response) => {
      response.writeHead(503);
      drip(response, 'x', 50);
    },
  ],
  [
    'in-a-refusal',
    'SVC-REG-003',
    /manifests/,
    (response) => {
      response.writeHead(403);
      drip(response, ' ', 50);
    },
  ],
  [
    'in-an-absence',
    'SVC-REG-005',
    /manifests/,
    (response) => {
      response.writeHead(404);
      drip(response, ' ', 50);
    },
  ],
];

test('a host that falls silent or says nothing slowly is given up at every point, on its own item', async (t) => {
  await using scene = await openSyncScene();
  await using cleanup = new AsyncDisposableStack();
  const image = scene.putImage('library/good', '1.0');
  scene.publish('good', '1.0.0', [toIngredient('app', 'library/good', '1.0', image)]);
  const hosts: string[] = [scene.origin.host];
  const expected = new Map<string, string>();
  const recipes: [string, string][] = [['good', '1.0.0']];
  for (const [name, code, pattern, answer] of silences) {
    const host = cleanup.use(await createRegistryDouble());
    hosts.push(host.host);
    const descriptor = scene.putImage('library/x', '1.0', { registry: host });
    if (name.includes('token')) {
      host.intercept((request, response) => {
        if (!request.path.startsWith('/v2/')) return false;
        challenge(response, host);
        return true;
      });
    }
    if (name === 'in-a-redirect') {
      host.intercept((request, response) => {
        if (!/^\/v2\/.*manifests/.test(request.path)) return false;
        misbehave.reply(response, 307, { location: '/moved' });
        return true;
      });
    }
    host.intercept((request, response) => {
      if (!pattern.test(`${request.method} ${request.path}`)) return false;
      answer(response, host);
      return true;
    });
    scene.publish(name, '1.0.0', [toIngredient('app', 'library/x', '1.0', descriptor, { host: host.host })]);
    recipes.push([name, '1.0.0']);
    expected.set(name, code);
  }
  // one byte at a time is slow, not silent
  const patient = cleanup.use(await createRegistryDouble());
  hosts.push(patient.host);
  const slow = scene.putImage('library/slow', '1.0', { registry: patient });
  const layer = JSON.parse(patient.manifest('library/slow', '1.0')!.bytes.toString()).layers[0];
  patient.intercept((request, response) => {
    if (request.method !== 'GET' || !request.path.endsWith(layer.digest)) return false;
    const bytes = patient.blob('library/slow', layer.digest)!;
    response.writeHead(200, { 'content-length': bytes.length });
    let sent = 0;
    const timer = setInterval(() => {
      response.write(bytes.subarray(sent, sent + 200));
      sent += 200;
      if (sent >= bytes.length) {
        clearInterval(timer);
        response.end();
      }
    }, 200);
    response.once('close', () => clearInterval(timer));
    return true;
  });
  scene.publish('slow', '1.0.0', [toIngredient('app', 'library/slow', '1.0', slow, { host: patient.host })]);
  recipes.push(['slow', '1.0.0']);
  await scene.setRetriever(recipes);
  await using context = await openImpatient(scene, hosts);
  const started = performance.now();
  const { task, outcome } = await scene.run({ context });
  const seconds = (performance.now() - started) / 1000;
  t.diagnostic(`${silences.length} silences, ${seconds.toFixed(1)} s`);
  const found = new Map(
    task.items.flatMap(({ name, error }) =>
      name.endsWith('/app') && error ? [[name.split('@')[0]!, error.code]] : [],
    ),
  );
  assert.deepEqual(found, expected);
  assert.deepEqual(outcome.recipes, { complete: 2, failed: silences.length });
  assert.ok(seconds < 25, `${seconds} s`);
});

test('an upload to a host that stops reading is given up, one that is read slowly is not', async () => {
  const report = createRecordingReport();
  await using double = await createRegistryDouble();
  await using transport = createTransport({ insecure: [double.host], report, stallTimeout: stall });
  const pieces = 1024;
  const piece = Buffer.alloc(65_536);
  const put = (path: string): TransportRequest => ({
    method: 'PATCH',
    url: new URL(`${double.origin}${path}`),
    headers: { 'content-length': String(pieces * piece.length) },
    body: Readable.from(
      (function* () {
        for (let i = 0; i < pieces; i += 1) yield piece;
      })(),
    ),
  });
  let read = 0;
  double.intercept((request, response, raw) => {
    if (request.path === '/frozen') raw.pause();
    else {
      // 64 MiB in about three times the watchdog's patience; the buffer of the kernel is read in a fraction of it
      raw.on('data', (chunk: Buffer) => {
        read += chunk.length;
        raw.pause();
        setTimeout(() => raw.resume(), 2);
      });
      raw.on('end', () => misbehave.reply(response, 201, {}));
    }
    return true;
  });
  await assert.rejects(transport.request(put('/frozen')), (error) => isSvcError(error, 'SVC-REG-002'));
  const started = performance.now();
  assert.equal((await transport.request(put('/slow'))).status, 201);
  assert.equal(read, pieces * piece.length);
  assert.ok(performance.now() - started > stall);
});
