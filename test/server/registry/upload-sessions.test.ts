import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { UploadSessions } from '../../../server/registry/upload-sessions.ts';
import { WireError } from '../../../server/registry/wire-error.ts';
import { createBlobWriter } from '../../../src/store/write-blob.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openTempStore, type TempStore } from '../../kit/instance/temp-store.ts';

const isRefused = (error: unknown): boolean => error instanceof WireError && error.status === 429;

const open = (uploads: UploadSessions, { store }: TempStore, actor: string) =>
  uploads.open(
    { repository: 'r', identity: { actor, role: 'operator', via: 'basic' }, mediaId: store.mediaId },
    () => createBlobWriter(store, { algorithm: 'sha256' }),
  );

test('an upload that a request is writing to never ends for another one', async () => {
  await using temp = await openTempStore();
  await using uploads = new UploadSessions({ perIdentity: 2 });
  const [busy, idle] = [await open(uploads, temp, 'ann'), await open(uploads, temp, 'ann')];
  busy.busy = true;
  const next = await open(uploads, temp, 'ann');
  assert.deepEqual(
    [busy, idle, next].map(({ id }) => uploads.find(id, 'r', 'ann') !== undefined),
    [true, false, true],
  );
  next.busy = true;
  await assert.rejects(open(uploads, temp, 'ann'), isRefused);
  await open(uploads, temp, 'ben');
});

test('when every place is taken, only an upload that was idle for minutes ends for another', async () => {
  await using temp = await openTempStore();
  await using uploads = new UploadSessions({ sessions: 2 });
  const [first, second] = [await open(uploads, temp, 'ann'), await open(uploads, temp, 'ben')];
  await assert.rejects(open(uploads, temp, 'cid'), isRefused);
  second.lastUsed -= 300_000;
  await open(uploads, temp, 'cid');
  assert.equal(uploads.find(second.id, 'r', 'ben'), undefined);
  assert.equal(uploads.find(first.id, 'r', 'ann'), first);
});

test('an upload that has received nothing expires in minutes, one with bytes in an hour', async () => {
  await using temp = await openTempStore();
  await using uploads = new UploadSessions({ emptyIdle: 10 });
  const [empty, begun] = [await open(uploads, temp, 'ann'), await open(uploads, temp, 'ann')];
  await begun.writer.write(Buffer.from('some bytes'));
  await eventually('the empty upload expires', () => uploads.find(empty.id, 'r', 'ann') === undefined);
  assert.equal(uploads.find(begun.id, 'r', 'ann'), begun);
});

test('an upload under way ends when its token is revoked', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const { secret } = await server.accounts.tokens.create({ name: 'ci', role: 'operator' });
  const authorization = `Bearer ${secret}`;
  const opened = await server.fetch('/v2/a/blobs/uploads/', { method: 'POST', headers: { authorization } });
  assert.equal(opened.status, 202);
  const asked = request(`${server.url}${opened.headers.get('location')}`, {
    method: 'PATCH',
    headers: { authorization },
  });
  // the answer can be lost to a client that is still writing: what counts is that nothing more is taken
  const ended = Promise.race([
    once(asked, 'response').then(([response]) => (response as IncomingMessage).resume().statusCode),
    once(asked, 'error').then(([error]) => (error as NodeJS.ErrnoException).code),
  ]);
  asked.write(Buffer.alloc(3 << 20));
  await server.accounts.tokens.revoke('ci');
  asked.end(Buffer.alloc(3 << 20));
  assert.ok([401, 'ECONNRESET', 'EPIPE'].includes((await ended) ?? ''));
  const state = await server.fetch(opened.headers.get('location')!, {
    headers: { authorization: server.as.operator },
  });
  assert.equal(state.status, 404);
});
