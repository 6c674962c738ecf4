import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { resources } from '../../../src/base/shares/resources.ts';
import { toBlob } from '../../kit/content/oci-content.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path, freeBytes: async () => 1_000_000 });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** Sends a request as it is written, no client in between, and returns the answer up to its end. */
async function raw(text: string, { end = true } = {}): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let answer = '';
  socket.on('data', (chunk: string) => {
    answer += chunk;
  });
  socket.on('error', () => {});
  socket.write(text);
  if (end) socket.end();
  await once(socket, 'close');
  return answer;
}

function request(method: string, target: string, headers = ''): string {
  return `${method} ${target} HTTP/1.1\r\nhost: x\r\nauthorization: ${server.as.admin}\r\nconnection: close\r\n${headers}\r\n`;
}

test('ambiguous paths are refused', async () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  for (const target of [
    '/v2/a%2fb/tags/list',
    '/v2/a%2Fb/tags/list',
    '/v2//a/tags/list',
    '/v2/a/../b/tags/list',
    '/v2/a/%2e%2e/b/tags/list',
    '/v2/a\\b/tags/list',
    '/v2/a/blobs/%00',
    `/v2/../v2/a/blobs/${digest}`,
    '/v2/a/manifests/%zz',
    '/v2/%61/tags/list',
  ]) {
    const answer = await raw(request('GET', target));
    assert.match(answer, /^HTTP\/1\.1 4\d\d /, target);
    assert.doesNotMatch(answer, /^HTTP\/1\.1 401/, target);
    assert.match(answer, /"errors":\[\{"code":/, target);
  }
});

test('malformed digests and names are the fault of the client, never of the server', async () => {
  for (const target of [
    '/v2/a/blobs/sha256:',
    `/v2/a/blobs/sha256:${'A'.repeat(64)}`,
    `/v2/a/blobs/${'x'.repeat(500)}`,
    '/v2/a/manifests/@',
    `/v2/${'a'.repeat(300)}/manifests/x`,
    '/v2/Ä/manifests/x',
    '/v2/a/referrers/sha256:1',
    '/v2/a/blobs/uploads/../../x',
  ]) {
    const answer = await raw(request('GET', target));
    assert.match(answer, /^HTTP\/1\.1 4(00|04|05) /, target);
  }
});

test('a body that the volume cannot hold is refused before a byte of it is sent', async () => {
  const digest = toBlob('x').digest;
  const post = await raw(
    request(
      'POST',
      `/v2/full/blobs/uploads/?digest=${digest}`,
      'content-length: 2000000\r\nexpect: 100-continue\r\n',
    ),
  );
  assert.match(post, /^HTTP\/1\.1 413 /);
  assert.match(post, /SVC-STO-004/);
  const opened = await server.fetch('/v2/full/blobs/uploads/', { method: 'POST' });
  const patch = await raw(
    request('PATCH', opened.headers.get('location')!, 'content-length: 2000000\r\nexpect: 100-continue\r\n'),
  );
  assert.match(patch, /^HTTP\/1\.1 413 /);
});

test('after an aborted chunk the session ends at the last received byte', async () => {
  const bytes = randomBytes(100_000);
  const { digest } = toBlob(bytes);
  const opened = await server.fetch('/v2/broken/blobs/uploads/', { method: 'POST' });
  const location = opened.headers.get('location')!;
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(request('PATCH', location, `content-length: ${bytes.length}\r\n`));
  socket.write(bytes.subarray(0, 40_000));
  const stands = async (): Promise<number> => {
    const status = await server.fetch(location);
    return Number(status.headers.get('range')?.split('-')[1] ?? 0) + 1;
  };
  while ((await stands()) < 40_000);
  socket.destroy();
  let rest: Response;
  do {
    rest = await server.fetch(`${location}?digest=${digest}`, {
      method: 'PUT',
      headers: { 'content-range': '40000-99999' },
      body: bytes.subarray(40_000) as never,
    });
    await rest.text();
    // The server may not have seen yet that the first client has gone.
  } while (rest.status === 409);
  assert.equal(rest.status, 201);
});

test('a session belongs to the identity and the repository that opened it', async () => {
  const opened = await server.fetch('/v2/own/blobs/uploads/', {
    method: 'POST',
    headers: { authorization: server.as.operator },
  });
  const location = opened.headers.get('location')!;
  assert.equal(
    (await server.fetch(location, { headers: { authorization: server.as.operator } })).status,
    204,
  );
  assert.equal((await server.fetch(location)).status, 404);
  const moved = location.replace('/own/', '/other/');
  assert.equal((await server.fetch(moved, { headers: { authorization: server.as.operator } })).status, 404);
  const cancelled = await server.fetch(location, {
    method: 'DELETE',
    headers: { authorization: server.as.operator },
  });
  assert.equal(cancelled.status, 204);
});

test('at the limit of open uploads the longest idle one of the identity ends', async () => {
  const open = async () => {
    const opened = await server.fetch('/v2/many/blobs/uploads/', { method: 'POST' });
    assert.equal(opened.status, 202, await opened.text());
    return opened.headers.get('location')!;
  };
  const opened: string[] = [];
  while (opened.length < resources.uploads.share.admin) opened.push(await open());
  // used again: another one is the longest idle now
  assert.equal((await server.fetch(opened[0]!, { method: 'PATCH', body: 'some bytes' })).status, 202);
  const next = await open();
  assert.equal((await server.fetch(opened[1]!)).status, 404);
  for (const location of [opened[0]!, ...opened.slice(2), next])
    assert.equal((await server.fetch(location, { method: 'DELETE' })).status, 204);
});

test('a request smuggled by two lengths never reaches a handler', async () => {
  const answer = await raw(
    request('POST', '/v2/a/blobs/uploads/', 'content-length: 5\r\ntransfer-encoding: chunked\r\n'),
  );
  assert.match(answer, /^HTTP\/1\.1 400 /);
});

test('a truncated blob file is never sent as complete', async () => {
  const { truncate } = await import('node:fs/promises');
  const { join } = await import('node:path');
  const blob = toBlob(randomBytes(50_000));
  const pushed = await server.fetch(`/v2/cut/blobs/uploads/?digest=${blob.digest}`, {
    method: 'POST',
    body: blob.bytes as never,
  });
  assert.equal(pushed.status, 201);
  await truncate(join(server.store.root, 'blobs', 'sha256', blob.digest.slice(7)), 10_000);
  await assert.rejects(async () => {
    const response = await server.fetch(`/v2/cut/blobs/${blob.digest}`);
    if (!response.ok) throw new Error('refused');
    await response.arrayBuffer();
  });
});
