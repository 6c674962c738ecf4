import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { FileStream } from '../../../src/disk/file-stream.ts';
import type { RemoteRepository } from '../../../src/remote/model.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';

const bytes = randomBytes(24 << 20);
const blob = { mediaType: 'x', digest: hashBytes(bytes), size: bytes.length };

/** Opens the file anew as often as it is asked for, and remembers each reading. */
async function openReadings(path: string) {
  await writeFile(path, bytes);
  const readings: { readonly file: FileHandle; readonly stream: FileStream }[] = [];
  return {
    readings,
    read: async () => {
      const file = await open(path);
      const stream = new FileStream(file, bytes.length);
      readings.push({ file, stream });
      return stream;
    },
    /** Waits until every reading has let go of its file. */
    async closed() {
      for (const { file, stream } of readings) {
        if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve));
        assert.equal(file.fd, -1);
      }
    },
  };
}

function toRepository(t: TestContext, double: RegistryDouble, retries = 0): RemoteRepository {
  const isSecure = double.origin.startsWith('https:');
  const registry = openRemoteRegistry(t, isSecure ? [] : [double.host], {
    retries,
    ...(isSecure ? { transport: { tls: { ca: [tlsPair.ca] } } } : {}),
  });
  return registry.repository({ host: double.host, repository: 'team/app' }, { access: 'push' });
}

/** Does something of the test's own with each PATCH. */
function onPatch(double: RegistryDouble, act: (raw: IncomingMessage, response: ServerResponse) => void) {
  double.intercept((request, response, raw) => {
    if (request.method !== 'PATCH') return false;
    act(raw, response);
    return true;
  });
}

for (const scheme of ['http', 'https'] as const) {
  test(`${scheme}: a file arrives as it is at a peer that takes it in small pieces`, async (t) => {
    await using folder = await openTempFolder();
    const file = await openReadings(join(folder.path, 'blob'));
    await using double = await createRegistryDouble(scheme === 'https' ? { tls: tlsPair } : {});
    const hash = createHash('sha256');
    onPatch(double, (raw, response) => {
      raw.on('data', (chunk: Buffer) => {
        hash.update(chunk);
        // the sender has long read on when this one is taken
        raw.pause();
        setImmediate(() => setImmediate(() => raw.resume()));
      });
      // the double finishes an upload that it saw nothing of
      raw.on('end', () => response.writeHead(400).end());
    });
    await assert.rejects(toRepository(t, double).pushBlob(blob, file.read));
    assert.equal(`sha256:${hash.digest('hex')}`, blob.digest);
    await file.closed();
  });
}

test('a file that is sent again is read again, and counted once', async (t) => {
  await using folder = await openTempFolder();
  const file = await openReadings(join(folder.path, 'blob'));
  await using double = await createRegistryDouble();
  double.failNext(/^PATCH/, 503);
  let sent = 0;
  const onBytes = (count: number) => {
    sent += count;
  };
  await toRepository(t, double, 1).pushBlob(blob, file.read, { onBytes });
  assert.ok(double.blob('team/app', blob.digest)?.equals(bytes));
  assert.equal(file.readings.length, 2);
  assert.equal(sent, bytes.length);
  await file.closed();
});

const ends: Record<string, (raw: IncomingMessage, response: ServerResponse) => void> = {
  'refused at once': (_raw, response) => void response.writeHead(400, { connection: 'close' }).end(),
  'refused in the middle': (raw, response) =>
    void raw.once('data', () => response.writeHead(400, { connection: 'close' }).end()),
  'reset in the middle': (raw) => void raw.once('data', () => raw.socket.resetAndDestroy()),
  'redirected in the middle': (raw, response) =>
    void raw.once('data', () => response.writeHead(307, { location: '/elsewhere' }).end()),
};

for (const [name, act] of Object.entries(ends)) {
  test(`an upload that is ${name} lets go of its file`, async (t) => {
    await using folder = await openTempFolder();
    const file = await openReadings(join(folder.path, 'blob'));
    await using double = await createRegistryDouble();
    onPatch(double, act);
    await assert.rejects(toRepository(t, double).pushBlob(blob, file.read));
    await file.closed();
  });
}

test('an aborted upload closes its file and reports the reason', async (t) => {
  await using folder = await openTempFolder();
  const file = await openReadings(join(folder.path, 'blob'));
  await using double = await createRegistryDouble();
  const abort = new AbortController();
  onPatch(double, (raw) => void raw.once('data', () => abort.abort(new Error('enough'))));
  const { signal } = abort;
  await assert.rejects(toRepository(t, double).pushBlob(blob, file.read, { signal }), /enough/);
  await file.closed();
});
