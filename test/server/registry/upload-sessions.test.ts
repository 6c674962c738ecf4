import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { UploadSessions } from '../../../server/registry/upload-sessions.ts';
import { WireError } from '../../../server/registry/wire-error.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import { createBlobWriter } from '../../../src/store/write-blob.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openTempStore, type TempStore } from '../../kit/instance/temp-store.ts';

const isRefused = (error: unknown): boolean => error instanceof WireError && error.status === 429;

const toBounds = (total: number, each: number, reserve = 0) => ({
  total,
  reserve,
  share: { origin: 0, account: each, admin: each },
});

const as = (actor: string) => ({ actor, role: 'operator', via: 'basic' }) as const;

const open = (uploads: UploadSessions, { store }: TempStore, actor: string) =>
  uploads.open({ repository: 'r', identity: as(actor), mediaId: store.mediaId }, () =>
    createBlobWriter(store, { algorithm: 'sha256' }),
  );

test('an upload that a request is writing to never ends for another one', async () => {
  await using temp = await openTempStore();
  await using uploads = new UploadSessions({ bounds: toBounds(9, 2) });
  const [busy, idle] = [await open(uploads, temp, 'ann'), await open(uploads, temp, 'ann')];
  busy.busy = true;
  const next = await open(uploads, temp, 'ann');
  assert.deepEqual(
    [busy, idle, next].map(({ id }) => uploads.find(id, 'r', as('ann')) !== undefined),
    [true, false, true],
  );
  next.busy = true;
  await assert.rejects(open(uploads, temp, 'ann'), isRefused);
  await open(uploads, temp, 'ben');
});

test('when every place is taken, only an upload that was idle for minutes ends for another', async () => {
  await using temp = await openTempStore();
  await using uploads = new UploadSessions({ bounds: toBounds(2, 2) });
  const [first, second] = [await open(uploads, temp, 'ann'), await open(uploads, temp, 'ben')];
  await assert.rejects(open(uploads, temp, 'cid'), isRefused);
  second.lastUsed -= 300_000;
  await open(uploads, temp, 'cid');
  assert.equal(uploads.find(second.id, 'r', as('ben')), undefined);
  assert.equal(uploads.find(first.id, 'r', as('ann')), first);
});

test('an administrator opens an upload while operators have all they can have', async () => {
  await using temp = await openTempStore();
  await using uploads = new UploadSessions({ bounds: toBounds(4, 2, 1) });
  for (const actor of ['ann', 'ann', 'ben']) (await open(uploads, temp, actor)).busy = true;
  await assert.rejects(open(uploads, temp, 'cid'), isRefused);
  const place = {
    repository: 'r',
    identity: { ...as('root'), role: 'admin' },
    mediaId: temp.store.mediaId,
  } as const;
  const own = await uploads.open(place, () => createBlobWriter(temp.store, { algorithm: 'sha256' }));
  assert.equal(uploads.find(own.id, 'r', place.identity), own);
});

test('an upload that has received nothing expires in minutes, one with bytes in an hour', async () => {
  await using temp = await openTempStore();
  await using uploads = new UploadSessions({ emptyIdle: 10 });
  const [empty, begun] = [await open(uploads, temp, 'ann'), await open(uploads, temp, 'ann')];
  await begun.writer.write(Buffer.from('some bytes'));
  await eventually('the empty upload expires', () => uploads.find(empty.id, 'r', as('ann')) === undefined);
  assert.equal(uploads.find(begun.id, 'r', as('ann')), begun);
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
  // the answer can be lost to a client that is still writing: it only counts that no more bytes are accepted
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

interface Sender {
  readonly authorization: string;
  remove(): Promise<unknown>;
}

const password = 'a long password';

const addToken = async ({ accounts }: TestServer): Promise<Sender> => {
  const { secret } = await accounts.tokens.create({ name: 'ci', role: 'operator' });
  return { authorization: `Bearer ${secret}`, remove: () => accounts.tokens.revoke('ci') };
};

const addAccount = async ({ accounts }: TestServer): Promise<Sender> => {
  await accounts.create({ name: 'ann', role: 'operator', password });
  const authorization = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;
  return { authorization, remove: () => accounts.delete('ann') };
};

/** Sends a body of which the last byte leaves once the sender is removed, and returns the status of the answer. */
async function sendWhileRemoved(
  server: TestServer,
  sender: Sender,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: Buffer },
): Promise<number | undefined> {
  const asked = request(`${server.url}${path}`, {
    method,
    headers: {
      authorization: sender.authorization,
      'content-type': 'application/vnd.oci.image.manifest.v1+json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  asked.flushHeaders();
  // the request was authenticated before its body was asked for
  await once(asked, 'continue');
  asked.write(body.subarray(0, -1));
  await sender.remove();
  asked.end(body.subarray(-1));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

for (const [kind, add] of [
  ['token was revoked', addToken],
  ['account was deleted', addAccount],
] as const) {
  test(`a push whose ${kind} while its body arrived is refused and leaves nothing`, async () => {
    const body = Buffer.from('a short blob');
    const digest = hashBytes(body);
    const config = Buffer.from('{}');
    const manifest = Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        config: {
          mediaType: 'application/vnd.oci.empty.v1+json',
          digest: hashBytes(config),
          size: config.length,
        },
        layers: [],
      }),
    );
    for (const way of ['POST', 'PATCH', 'PUT', 'manifest'] as const) {
      await using folder = await openTempFolder();
      await using server = await startTestServer({ folder: folder.path });
      const sender = await add(server);
      const post = (query: string, init: RequestInit = {}) =>
        server.fetch(`/v2/a/blobs/uploads/${query}`, {
          method: 'POST',
          headers: { authorization: sender.authorization },
          ...init,
        });
      let status: number | undefined;
      let location: string | undefined;
      if (way === 'POST')
        status = await sendWhileRemoved(server, sender, {
          method: 'POST',
          path: `/v2/a/blobs/uploads/?digest=${digest}`,
          body,
        });
      else if (way === 'manifest') {
        assert.equal((await post(`?digest=${hashBytes(config)}`, { body: config })).status, 201);
        status = await sendWhileRemoved(server, sender, {
          method: 'PUT',
          path: '/v2/a/manifests/one',
          body: manifest,
        });
      } else {
        location = (await post('')).headers.get('location')!;
        const path = way === 'PATCH' ? location : `${location}?digest=${digest}`;
        status = await sendWhileRemoved(server, sender, { method: way, path, body });
      }
      assert.equal(status, 401, way);
      assert.equal(server.store.index.isBlobIn('a', digest), false, way);
      assert.equal(server.store.index.tag('a', 'one'), undefined, way);
      assert.equal(server.store.index.sizeOf(digest), undefined, way);
    }
  });
}

test('an upload ends with the account that opened it, and is none of the next account of that name', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const { authorization, remove } = await addAccount(server);
  const opened = await server.fetch('/v2/a/blobs/uploads/', { method: 'POST', headers: { authorization } });
  const location = opened.headers.get('location')!;
  const files = async () =>
    (await readdir(join(server.store.root, '_svc/tmp'))).filter((name) => !name.startsWith('.'));
  const ask = async () => (await server.fetch(location, { headers: { authorization } })).status;
  assert.equal(await ask(), 204);
  assert.equal((await files()).length, 1);
  await remove();
  await eventually('its file is removed', async () => (await files()).length === 0);
  await addAccount(server);
  assert.equal(await ask(), 404);
});
