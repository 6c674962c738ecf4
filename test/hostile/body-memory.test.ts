import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { BodyRoom } from '../../server/shares/body-room.ts';
import type { Holder } from '../../src/base/shares/shares.ts';
import { isSvcError } from '../../src/text/error.ts';
import { createRawPeer } from '../kit/hostile/raw-peer.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { askLiveMemory, toProbedEnvironment } from '../kit/result/live-memory.ts';

function open({ complete = false } = {}) {
  const res = Object.assign(new EventEmitter(), { closed: false });
  const req = { complete, isDestroyed: false, destroy: () => undefined as never };
  req.destroy = () => {
    req.isDestroyed = true;
    return undefined as never;
  };
  return { req, res };
}
const account = (name: string): Holder => ({ name, rank: 'account' });
const origin = (name: string): Holder => ({ name, rank: 'origin' });
const root: Holder = { name: 'root', rank: 'admin' };
const share = { origin: 40, account: 500, admin: 600 };
const limits = {
  small: 10,
  smallBodies: { total: 100, reserve: 20, share, origins: 60 },
  largeBodies: { total: 1000, reserve: 100, share, origins: 200 },
};
const isBusy = (error: unknown): boolean => isSvcError(error, 'SVC-SRV-006');

test('bodies share one room; small ones have a part of their own, and what an answer took is given back', () => {
  const room = new BodyRoom(limits);
  const ann = open();
  const body = room.open(account('ann'), ann);
  body.take(10);
  body.take(490);
  assert.throws(() => body.take(1), isBusy, 'the share of one account');
  assert.throws(() => room.open(account('ann'), open()).take(11), isBusy);
  room.open(account('ann'), open()).take(10);
  room.open(account('ben'), open()).take(400);
  assert.throws(() => room.open(account('cay'), open()).take(11), isBusy, 'the reserve of administrators');
  room.open(root, open()).take(100);
  room.open(account('cay'), open()).take(10);
  assert.equal(room.taken, 1020);
  ann.res.emit('close');
  assert.equal(room.taken, 520);
  room.open(account('ann'), open()).take(400);
});

test('unfinished bodies of one origin give way to its next one, and never take what others need', () => {
  const room = new BodyRoom(limits);
  const begun = Array.from({ length: 20 }, () => open());
  for (const each of begun) room.open(origin('far'), each).take(10);
  assert.equal(room.taken, 40);
  assert.deepEqual(
    begun.map(({ req }) => req.isDestroyed),
    begun.map((_, at) => at < 16),
    'its own oldest',
  );
  room.open(origin('near'), open()).take(10);
  room.open(account('ann'), open()).take(10);
  room.open(root, open()).take(10);
});

test('unfinished bodies of many origins give way to a new origin, finished ones do not', () => {
  const room = new BodyRoom(limits);
  const sent = open({ complete: true });
  room.open(origin('a'), sent).take(10);
  const begun = Array.from({ length: 20 }, (_, at) => ({ at, ...open() }));
  for (const each of begun) room.open(origin(`o${each.at}`), each).take(10);
  assert.equal(room.taken, 60);
  assert.equal(sent.req.isDestroyed, false);
  assert.equal(begun.at(-1)!.req.isDestroyed, false);
  assert.equal(begun.filter(({ req }) => req.isDestroyed).length, 15);
});

test('many large bodies together take bounded memory, and small requests are served meanwhile', async (t) => {
  await using folder = await openTempFolder();
  const probe = join(folder.path, 'live');
  await using instance = await startInstance({ folder: folder.path, env: toProbedEnvironment(probe) });
  const pid = instance.process.pid!;
  const peer = createRawPeer(instance.url);
  const token = await instance.createToken('admin');
  const head = (line: string, headers: string): string =>
    `${line} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${headers}\r\n\r\n`;
  const sockets: Socket[] = [];
  const statuses: number[] = [];
  const begin = async (text: string): Promise<Socket> => {
    const socket = await peer.open();
    sockets.push(socket);
    socket.on('data', (chunk: Buffer) => {
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1')) ?? [];
      if (status !== undefined) statuses.push(Number(status));
    });
    socket.write(text);
    return socket;
  };
  const grown = async (what: string, work: () => Promise<void>): Promise<void> => {
    const before = await askLiveMemory(pid, probe);
    await work();
    const mebibytes = ((await askLiveMemory(pid, probe)) - before) / (1 << 20);
    t.diagnostic(`${what}: ${mebibytes.toFixed(0)} MiB more are alive`);
    assert.ok(mebibytes < 64, `${what}: ${mebibytes} MiB`);
  };
  try {
    await grown('24 plans of 16 MiB', async () => {
      const all = 16 << 20;
      for (let n = 0; n < 24; n += 1) {
        const socket = await begin(head('POST /api/v1/plan', `content-length: ${all}`));
        socket.write(Buffer.alloc(all - 1, ' '));
      }
      await eventually('all is received or refused', () =>
        sockets.every(({ writableLength }) => writableLength === 0),
      );
      const { status } = await instance.api('POST', '/tokens', { name: 'meanwhile', role: 'viewer' });
      assert.equal(status, 201);
    });
    assert.ok(statuses.length >= 20, `${statuses}`);
    assert.deepEqual(new Set(statuses), new Set([503]));
    for (const socket of sockets) socket.destroy();
    await eventually('the memory of bodies is given back', async () => {
      const { status } = await instance.api('POST', '/plan', { document: 'x'.repeat(1 << 20) });
      return status === 200 || status === 409 || status === 422;
    });
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});
