import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { Turns } from '../../server/shares/turns.ts';
import type { Bounds, Holder } from '../../src/base/shares/shares.ts';

const answers: Bounds = {
  total: 4,
  reserve: 1,
  share: { origin: 1, account: 2, admin: 2 },
  origins: 2,
};
const unreadBytes: Bounds = {
  total: 96 << 20,
  reserve: 0,
  share: { origin: 40 << 20, account: 40 << 20, admin: 40 << 20 },
};

const viewer: Holder = { name: 'vera', rank: 'account' };
const other: Holder = { name: 'otto', rank: 'account' };
const admin: Holder = { name: 'ada', rank: 'admin' };
const nobody: Holder = { name: 'origin 127.0.0.9', rank: 'origin' };

/** Requests whose answers are made when the test says so. */
async function openStage(lease = 60_000) {
  const turns = new Turns({ answers, unreadBytes, lease });
  /** Names of the requests in the order in which their turns began. */
  const begun: string[] = [];
  const events = new EventEmitter();
  const finish = new Map<string, (body?: Buffer) => void>();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];

  const onRequest = async (holder: Holder, origin: string, req: IncomingMessage, res: ServerResponse) => {
    const name = req.url!.slice(1);
    const asked = { origin, res };
    res.once('close', () => turns.end(asked));
    const waiting = turns.take(holder, asked);
    if (waiting !== undefined) await waiting;
    begun.push(name);
    events.emit(name);
    const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
    finish.set(name, resolve);
    res.end(await promise);
    turns.end(asked);
  };
  return {
    turns,
    begun,
    /** Asks, and waits until the request has arrived. */
    ask: async (holder: Holder, name: string, origin = '127.0.0.1') => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      sockets.push(socket);
      const next = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
      socket.write(`GET /${name} HTTP/1.1\r\nhost: x\r\n\r\n`);
      const [req, res] = await next;
      const begins = once(events, name);
      void onRequest(holder, origin, req, res);
      return { socket, res, begins };
    },
    /** Finishes an answer, and waits until the waiting answers have begun. */
    finish: async (name: string, body?: Buffer) => {
      finish.get(name)!(body);
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      turns[Symbol.dispose]();
    },
  };
}

test('a caller has a number of turns at once; the others of its requests wait in their order', async () => {
  await using stage = await openStage();
  for (const name of ['a', 'b', 'c', 'd']) await stage.ask(viewer, name);
  assert.deepEqual(stage.begun, ['a', 'b']);
  await stage.finish('b');
  assert.deepEqual(stage.begun, ['a', 'b', 'c']);
  await stage.finish('a');
  assert.deepEqual(stage.begun, ['a', 'b', 'c', 'd']);
  assert.equal(stage.turns.waiting, 0);
});

test('callers take turns, however many requests of one wait', async () => {
  await using stage = await openStage();
  for (const name of ['a', 'b', 'c', 'd', 'e']) await stage.ask(viewer, name);
  await stage.ask(nobody, 'page');
  await stage.ask(other, 'x');
  await stage.ask(other, 'y');
  assert.deepEqual(stage.begun, ['a', 'b', 'page']);
  await stage.finish('page');
  assert.deepEqual(stage.begun.at(-1), 'x', 'the reserve is not for accounts');
  await stage.finish('a');
  await stage.finish('b');
  assert.deepEqual(stage.begun.slice(4).sort(), ['c', 'y']);
});

test('an administrator has a turn whatever the others have', async () => {
  await using stage = await openStage();
  for (const name of ['a', 'b', 'c']) await stage.ask(viewer, name);
  await stage.ask(other, 'x');
  await stage.ask(nobody, 'page');
  assert.deepEqual(stage.begun, ['a', 'b', 'x']);
  await stage.ask(admin, 'work');
  assert.deepEqual(stage.begun.at(-1), 'work');
});

test('the origins of one account take turns', async () => {
  await using stage = await openStage();
  for (const name of ['a', 'b', 'c', 'd']) await stage.ask(viewer, name, '127.0.0.2');
  await stage.ask(viewer, 'elsewhere', '127.0.0.3');
  await stage.finish('a');
  await stage.finish('b');
  assert.deepEqual(stage.begun.slice(2).sort(), ['c', 'elsewhere']);
});

test('a request whose client has left gets no turn', async () => {
  await using stage = await openStage();
  await stage.ask(viewer, 'a');
  await stage.ask(viewer, 'b');
  const left = await stage.ask(viewer, 'left');
  await stage.ask(viewer, 'c');
  left.socket.destroy();
  await once(left.res, 'close');
  assert.equal(stage.turns.waiting, 1);
  await stage.finish('a');
  assert.deepEqual(stage.begun, ['a', 'b', 'c']);
});

test('a client that leaves gives its turn to the next', async () => {
  await using stage = await openStage();
  const { socket, res } = await stage.ask(viewer, 'a');
  await stage.ask(viewer, 'b');
  await stage.ask(viewer, 'c');
  socket.destroy();
  await once(res, 'close');
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  assert.deepEqual(stage.begun, ['a', 'b', 'c']);
});

test('the place of a request that waits for something else goes to the next', async () => {
  await using stage = await openStage(20);
  await stage.ask(viewer, 'a');
  await stage.ask(viewer, 'b');
  const { res, begins } = await stage.ask(viewer, 'c');
  // a and b are never finished
  await begins;
  stage.finish('c');
  await once(res, 'close');
});

test('a request whose client does not read gives its place to the next', async () => {
  await using stage = await openStage();
  for (const name of ['a', 'b']) {
    const { socket, res } = await stage.ask(viewer, name);
    socket.pause();
    // more than the buffers of the system take, in an answer that has not ended
    res.write(Buffer.alloc(32 << 20));
  }
  const { res, begins } = await stage.ask(viewer, 'c');
  await begins;
  stage.finish('c');
  await once(res, 'close');
});

test('of answers that an origin does not read, the oldest is broken off; those of others stay', async () => {
  await using stage = await openStage();
  // more than the buffers of the system take
  const large = Buffer.alloc(32 << 20);
  const quiet = await stage.ask(other, 'quiet', '127.0.0.3');
  quiet.socket.pause();
  await stage.finish('quiet', large);
  const first = await stage.ask(viewer, 'first', '127.0.0.2');
  first.socket.pause();
  await stage.finish('first', large);
  assert.equal(first.res.closed, false);
  const second = await stage.ask(viewer, 'second', '127.0.0.2');
  second.socket.pause();
  const broken = once(first.res, 'close');
  await stage.finish('second', large);
  await broken;
  assert.equal(first.res.writableFinished, false);
  assert.equal(second.res.closed, false);
  assert.equal(quiet.res.closed, false);
  quiet.socket.resume();
  await once(quiet.res, 'close');
  assert.equal(quiet.res.writableFinished, true);
});
