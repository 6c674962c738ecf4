import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { UploadRoom } from '../../../server/registry/upload-room.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { toBlob } from '../../kit/content/oci-content.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const mib = 1 << 20;

test('space taken by an upload is released when it ends, however it ends', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path, freeBytes: async () => 10 * mib });
  const open = async (): Promise<string> => {
    const opened = await server.fetch('/v2/room/blobs/uploads/', { method: 'POST' });
    assert.equal(opened.status, 202, await opened.text());
    return opened.headers.get('location')!;
  };
  const same = toBlob(randomBytes(4 * mib));
  const push = async ({ bytes, digest }: { bytes: Buffer; digest: string }) => {
    const response = await server.fetch(`${await open()}?digest=${digest}`, {
      method: 'PUT',
      body: bytes as never,
    });
    await response.text();
    return response.status;
  };
  for (let round = 0; round < 3; round += 1) {
    assert.equal(await push(toBlob(randomBytes(4 * mib))), 201, `new content, round ${round}`);
    assert.equal(await push(same), 201, `known content, round ${round}`);
    assert.equal(await push({ ...same, bytes: randomBytes(4 * mib) }), 400, `wrong content, round ${round}`);
    const location = await open();
    const patched = await server.fetch(location, { method: 'PATCH', body: randomBytes(4 * mib) as never });
    assert.equal(patched.status, 202, `a chunk, round ${round}: ${await patched.text()}`);
    assert.equal((await server.fetch(location, { method: 'DELETE' })).status, 204);
    const whole = toBlob(randomBytes(4 * mib));
    const { status } = await server.fetch(`/v2/room/blobs/uploads/?digest=${whole.digest}`, {
      method: 'POST',
      body: whole.bytes as never,
    });
    assert.equal(status, 201, `one request, round ${round}`);
  }
});

test('bytes written while the free space is read are not counted as free', async () => {
  let answer: (free: number) => void = () => {};
  let pending = 0;
  const room = new UploadRoom({
    path: '/store',
    reserve: 0,
    freeBytes: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
    pending: () => pending,
  });
  const first = room.take(60);
  answer(100);
  await first;
  pending = 60;
  const second = room.require(50);
  // written after the disk has answered, before the answer is read
  pending = 0;
  answer(100);
  await assert.rejects(second, (error) => isSvcError(error, 'SVC-STO-004') && error.params.usable === 40);
  const third = room.require(50);
  answer(40);
  await assert.rejects(third, (error) => isSvcError(error, 'SVC-STO-004') && error.params.usable === 40);
});

test('parallel uploads do not get the last free space twice', async () => {
  const room = new UploadRoom({ path: '/store', reserve: 0, freeBytes: async () => 100, pending: () => 0 });
  const taken = await Promise.allSettled([room.take(60), room.take(60)]);
  assert.deepEqual(
    taken.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
});

test('the space is full when the smallest upload does not fit', async () => {
  let [free, pending] = [10_000, 0];
  const room = new UploadRoom({
    path: '/store',
    reserve: 5000,
    freeBytes: async () => free,
    pending: () => pending,
  });
  assert.equal(await room.isFull(), false);
  free = 9000;
  assert.equal(await room.isFull(), true);
  free = 20_000;
  assert.equal(await room.isFull(), false);
  pending = 12_000;
  assert.equal(await room.isFull(), true);
  pending = 0;
  assert.equal(await room.isFull(), false);
});
