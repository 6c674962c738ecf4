import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { resources } from '../../../src/base/shares/resources.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';

/** Milliseconds in which each request of the administrator is answered. */
const patience = 2000;

/** A registry that takes connections and never answers. */
async function openSilence() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a viewer, an operator and an anonymous origin who take all they can keep no administrator waiting', async (t) => {
  await using folder = await openTempFolder();
  await using silence = await openSilence();
  await using instance = await startInstance({
    folder: folder.path,
    config: { registries: { insecure: [silence.host] } },
  });
  const port = Number(new URL(instance.url).port);
  const sockets: Socket[] = [];
  const gone = new AbortController();
  let drip: NodeJS.Timeout | undefined;
  const viewer = await instance.createToken('viewer');
  const operator = await instance.createToken('operator');
  const doomed = await instance.api('POST', '/tokens', { name: 'doomed', role: 'viewer' });
  assert.equal(doomed.status, 201);
  const vera = { name: 'vera', role: 'viewer', password: 'a password of vera' };
  assert.equal((await instance.api('POST', '/accounts', vera)).status, 201);

  const ada = { name: 'ada', role: 'admin', password: 'a password of ada' };
  assert.equal((await instance.api('POST', '/accounts', ada)).status, 201);

  /** Begins a request from an address of its own and never ends its body. */
  const begin = (localAddress: string, line: string, headers: string, sent: number): void => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.on('error', () => {});
    socket.resume();
    socket.write(`${line} HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n`);
    socket.write(Buffer.alloc(sent, 'a'));
  };
  const ask = (token: string, method: string, path: string, body?: unknown): Promise<number | undefined> =>
    fetch(`${instance.url}/api/v1${path}`, {
      method,
      signal: gone.signal,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => undefined,
    );
  const reference = `${silence.host}/library/app:1`;
  const platforms = [{ name: 'linux/amd64', digest: `sha256:${'1'.repeat(64)}` }];
  try {
    const form = 'content-type: application/x-www-form-urlencoded';
    const session = openBrowserSession(instance);
    /** What is not for the viewer at all. */
    const forbidden = async (path: string): Promise<void> => {
      for (let n = 0; n < 20; n += 1)
        assert.equal((await session.post(path, {}, { page: '/recipes/check' })).status, 403, path);
    };
    const keepResults = async (): Promise<void> => {
      for (let n = 0; n < 20; n += 1)
        assert.equal(
          (await session.post('/recipes/check', { document: `name: ${n}` }, { page: '/recipes/check' }))
            .status,
          303,
        );
    };
    /** One attempt at each row of the table, in its order. */
    const attempts: Readonly<Record<keyof typeof resources, () => void | Promise<void>>> = {
      connections: () => {
        // forms that come byte by byte, of one address and of many
        for (let n = 0; n < 1000; n += 1)
          begin(
            n < 500 ? '127.0.0.5' : `127.1.${n >> 7}.${1 + (n & 127)}`,
            'POST /login',
            `${form}\r\ncontent-length: 1000`,
            1,
          );
        drip = setInterval(() => {
          for (const socket of sockets.slice(0, 1000)) if (socket.writable) socket.write('a');
        }, 1000);
      },
      sessions: async () => {
        for (let n = 0; n < 30; n += 1) {
          session.cookies.clear();
          await session.signIn('vera', vera.password);
        }
      },
      signIns: () => {
        for (let n = 0; n < 200; n += 1) {
          const authorization = `Basic ${Buffer.from(`admin:guess ${n}`).toString('base64')}`;
          begin(`127.2.0.${1 + (n % 100)}`, 'GET /v2/', `authorization: ${authorization}`, 0);
        }
      },
      smallBodies: () => {
        for (let n = 0; n < 250; n += 1) {
          begin('127.0.0.2', 'POST /login', `${form}\r\ncontent-length: 29696`, 29_000);
          const address = `127.0.${1 + (n >> 7)}.${3 + (n & 127)}`;
          begin(address, 'POST /login', `${form}\r\ncontent-length: 29696`, 4096);
        }
      },
      largeBodies: () => {
        const json = 'content-type: application/json\r\ncontent-length:';
        for (let n = 0; n < 60; n += 1) {
          const headers = `authorization: Bearer ${viewer}\r\n${json} 1000000`;
          begin('127.0.0.3', 'POST /api/v1/recipes/lint', headers, 900_000);
        }
        for (let n = 0; n < 4; n += 1) {
          const headers = `authorization: Bearer ${operator}\r\n${json} 16000000`;
          begin('127.0.0.4', 'POST /api/v1/plan', headers, 15_000_000);
        }
      },
      uploads: async () => {
        for (let n = 0; n < 80; n += 1) {
          const headers = { authorization: `Bearer ${operator}` };
          const opened = await fetch(`${instance.url}/v2/a/blobs/uploads/`, { method: 'POST', headers });
          assert.equal(opened.status, 202);
        }
      },
      inspections: () => {
        for (let n = 0; n < 20; n += 1)
          void ask(operator, 'GET', `/import/inspect?reference=${encodeURIComponent(reference)}`);
      },
      plans: () => {
        for (let n = 0; n < 20; n += 1) void ask(operator, 'POST', '/plan', {});
      },
      documents: () => {
        for (let n = 0; n < 20; n += 1) void ask(operator, 'POST', '/recipes/pin', { document: 'name: a' });
      },
      tasks: async () => {
        const queued: (number | undefined)[] = [];
        for (let n = 0; n < 70; n += 1)
          queued.push(await ask(operator, 'POST', '/import', { reference, platforms }));
        assert.deepEqual([queued[0], queued.at(-1)], [201, 429]);
      },
      results: keepResults,
      resultBytes: keepResults,
      said: async () => {
        for (let n = 0; n < 20; n += 1) await session.signIn('vera', vera.password);
      },
      pairs: () => forbidden('/admin/network/certificate'),
      secrets: () => forbidden('/admin/accounts/-/token'),
      refusalRecords: async () => {
        for (let n = 0; n < 100; n += 1) assert.equal(await ask(viewer, 'GET', '/network'), 403);
      },
      auditRecords: async () => {
        for (let n = 0; n < 100; n += 1) assert.equal(await ask(viewer, 'GET', '/network'), 403);
      },
    };
    for (const name of Object.keys(resources) as (keyof typeof resources)[]) {
      assert.ok(attempts[name] !== undefined, `nobody tries to take all of ${name}`);
      await attempts[name]();
    }

    // the first guesses were answered meanwhile
    await attempts.signIns();

    const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      const before = performance.now();
      const result = await work();
      const took = performance.now() - before;
      t.diagnostic(`${what}: ${took.toFixed(0)} ms`);
      assert.ok(took < patience, `${what}: ${took} ms`);
      return result;
    };
    const admin = openBrowserSession(instance);
    await timed('signs in', () => admin.signIn(ada.name, ada.password));
    for (const path of ['/', '/tasks', '/content', '/admin/accounts', '/admin/network'])
      assert.equal((await timed(`opens ${path}`, () => admin.get(path))).status, 200);
    const api = async (what: string, method: string, path: string, body?: unknown) =>
      timed(what, () => instance.api(method, path, body));
    assert.equal((await api('revokes a token', 'POST', '/tokens/doomed/revoke', {})).status, 200);
    const { body } = await api('lists tasks', 'GET', '/tasks?view=summary&status=pending&pageSize=1');
    const { id } = body.tasks[0];
    assert.equal((await api('cancels a task', 'POST', `/tasks/${id}/cancel`, {})).status, 200);
    const own = encodeURIComponent(`${instance.host}/library/nothing:1`);
    const inspected = await api('inspects', 'GET', `/import/inspect?reference=${own}`);
    assert.notEqual(inspected.body.code, 'SVC-SRV-006', JSON.stringify(inspected.body));
    assert.equal((await api('imports', 'POST', '/import', { reference, platforms })).status, 201);
    const refused = [...instance.log().matchAll(/"logType":"audit".*"action":"api\.access"/g)].length;
    assert.ok(refused <= 12, `${refused} audit records of refusals`);
  } finally {
    clearInterval(drip);
    gone.abort();
    for (const socket of sockets) socket.destroy();
  }
});
