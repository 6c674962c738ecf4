import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { BodyRoom } from '../../server/body-room.ts';
import { isSvcError } from '../../src/base/error.ts';
import { createRawPeer } from '../kit/hostile/raw-peer.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { askLiveMemory, toProbedEnvironment } from '../kit/result/live-memory.ts';

const open = () => Object.assign(new EventEmitter(), { closed: false });
const isBusy = (error: unknown): boolean => isSvcError(error, 'SVC-SRV-006');

test('bodies share one room; small ones have a part of their own, and what an answer took is given back', () => {
  const room = new BodyRoom({ total: 1000, actor: 500, small: 10, reserved: 100 });
  const answers = [open(), open(), open()] as const;
  const shares = [
    room.open('ann', answers[0]),
    room.open('ben', answers[1]),
    room.open('cay', answers[2]),
  ] as const;
  shares[0].take(10);
  shares[0].take(490);
  assert.throws(() => shares[0].take(1), isBusy);
  assert.throws(() => room.open('ann', open()).take(11), isBusy);
  room.open('ann', open()).take(10);
  shares[1].take(390);
  assert.throws(() => shares[2].take(11), isBusy);
  shares[2].take(10);
  assert.equal(room.taken, 910);
  answers[0].emit('close');
  assert.equal(room.taken, 410);
  room.open('ann', open()).take(490);
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
