import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { resources } from '../../../src/base/shares/resources.ts';
import { writeRetriever } from '../../kit/content/retriever.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import { openBrowserSession } from '../../kit/web/browser-session.ts';
import {
  createToken,
  fillPairs,
  fillResultBytes,
  fillResults,
  fillSecrets,
  isKept,
  keepResult,
  previewPair,
  refuseForm,
  showsSecret,
} from './held-by-pages.ts';
import { openTimer } from './in-time.ts';
import { pushWide } from './push-wide.ts';

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

/** A draft, of which a pin asks a registry. */
const toDraft = (host: string): string => `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: { name: shop, version: 1.0.0 }
spec: { ingredients: [{ name: app, kind: ContainerImage, ref: "${host}/library/app", version: "1" }] }
`;

/** The first answers of several requests; the others are still awaited. */
function takeFirst(
  answers: readonly Promise<number | undefined>[],
  count: number,
): Promise<readonly (number | undefined)[]> {
  const { promise, resolve } = Promise.withResolvers<readonly (number | undefined)[]>();
  const found: (number | undefined)[] = [];
  for (const answer of answers)
    void answer.then((status) => {
      found.push(status);
      if (found.length === count) resolve(found);
    });
  return promise;
}

test('a viewer, an operator and an anonymous origin who take all they can keep no administrator waiting', async (t) => {
  await using folder = await openTempFolder();
  await using silence = await openSilence();
  const source = join(folder.path, 'zone.yaml');
  const recipes = [{ name: 'shop', version: '^1' }];
  await writeRetriever(source, { cookbook: `${silence.host}/cookbook`, recipes }, 'zone-b');
  await using instance = await startInstance({
    folder: folder.path,
    config: {
      registries: { insecure: [silence.host] },
      retriever: { source },
    },
  });
  const begun = performance.now();
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

  const otto = { name: 'otto', role: 'operator', password: 'a password of otto' };
  assert.equal((await instance.api('POST', '/accounts', otto)).status, 201);
  const eve = { name: 'eve', role: 'admin', password: 'a password of eve' };
  assert.equal((await instance.api('POST', '/accounts', eve)).status, 201);
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
    const ofOperator = openBrowserSession(instance);
    const ofEve = openBrowserSession(instance);
    const ofAda = openBrowserSession(instance);
    await ofOperator.signIn(otto.name, otto.password);
    await ofEve.signIn(eve.name, eve.password);
    await ofAda.signIn(ada.name, ada.password);
    /** Tries an action for administrators, in a form and as a request, as every weak caller. */
    const forbid = async (
      name: 'pairs' | 'secrets',
      method: string,
      path: string,
      body: unknown,
    ): Promise<void> => {
      for (const each of [session, ofOperator])
        await refuseForm(name, each, { page: '/recipes/check', status: 403 });
      await refuseForm(name, openBrowserSession(instance), { page: '/login', status: 401 });
      for (const token of [viewer, operator]) assert.equal(await ask(token, method, path, body), 403);
      assert.equal(await ask('svc_none', method, path, body), 401);
    };
    /** Works that ask a registry which never answers: twenty at once. */
    const places = {
      inspections: () => ask(operator, 'GET', `/import/inspect?reference=${encodeURIComponent(reference)}`),
      plans: () => ask(operator, 'POST', '/plan', {}),
      documents: () => ask(operator, 'POST', '/recipes/pin', { document: toDraft(silence.host) }),
    };
    const fillPlaces = (name: keyof typeof places) =>
      takeFirst(
        Array.from({ length: 20 }, () => places[name]()),
        20 - resources[name].share.account,
      );
    /** The share of the caller waits, and all others are refused. */
    const areRefused = (statuses: readonly (number | undefined)[]): void =>
      assert.deepEqual([...new Set(statuses)], [503]);
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
      answers: async () => {
        await pushWide(instance.url, operator);
        for (let n = 0; n < 300; n += 1) void ask(viewer, 'GET', '/content/wide/-/tags/latest');
      },
      unreadBytes: () => {
        const request = `GET /v2/wide/manifests/latest HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${viewer}\r\n\r\n`;
        for (let n = 0; n < 40; n += 1) {
          const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.6' });
          sockets.push(socket);
          socket.on('error', () => {});
          socket.pause();
          socket.write(request.repeat(8));
        }
      },
      uploads: async () => {
        for (let n = 0; n < 80; n += 1) {
          const headers = { authorization: `Bearer ${operator}` };
          const opened = await fetch(`${instance.url}/v2/a/blobs/uploads/`, { method: 'POST', headers });
          assert.equal(opened.status, 202);
        }
      },
      inspections: async () => areRefused(await fillPlaces('inspections')),
      plans: async () => areRefused(await fillPlaces('plans')),
      documents: async () => {
        const document = toDraft(silence.host);
        assert.equal(await ask(viewer, 'POST', '/recipes/pin', { document }), 403);
        assert.equal(await ask('svc_none', 'POST', '/recipes/pin', { document }), 401);
        areRefused(await fillPlaces('documents'));
      },
      evidence: async () => {
        for (const token of [viewer, operator])
          assert.equal(await ask(token, 'POST', '/evidence', { since: '2020-01-01' }), 403);
        assert.equal(await ask('svc_none', 'POST', '/evidence', { since: '2020-01-01' }), 401);
      },
      exports: async () => {
        for (const token of [viewer, operator])
          assert.equal(await ask(token, 'GET', '/history?format=csv'), 403);
        assert.equal(await ask('svc_none', 'GET', '/history?format=csv'), 401);
      },
      tasks: async () => {
        const queued: (number | undefined)[] = [];
        for (let n = 0; n < 70; n += 1)
          queued.push(await ask(operator, 'POST', '/import', { reference, platforms }));
        assert.deepEqual([queued[0], queued.at(-1)], [201, 429]);
      },
      results: () => fillResults(session),
      resultBytes: () => fillResultBytes(ofOperator),
      said: async () => {
        for (let n = 0; n < 20; n += 1) await session.signIn('vera', vera.password);
      },
      pairs: async () => {
        const { cert, key } = tlsPair;
        await forbid('pairs', 'PUT', '/network/certificate', { certificate: cert, key });
        await fillPairs(ofEve, ofAda);
      },
      secrets: async () => {
        await forbid('secrets', 'POST', '/tokens', { name: 'stolen', role: 'admin' });
        await fillSecrets(ofEve, ofAda);
      },
      refusalRecords: async () => {
        for (let n = 0; n < 100; n += 1) assert.equal(await ask(viewer, 'GET', '/network'), 403);
      },
      auditRecords: async () => {
        for (let n = 0; n < 100; n += 1) assert.equal(await ask(viewer, 'GET', '/network'), 403);
      },
      attemptRecords: async () => {
        for (let n = 0; n < 100; n += 1) assert.equal(await ask(viewer, 'DELETE', '/accounts/nobody'), 403);
      },
    };
    const names = Object.keys(resources) as (keyof typeof resources)[];
    // large documents are sent before others take the room for large bodies
    const order = ['resultBytes', ...names.filter((name) => name !== 'resultBytes')] as const;
    for (const name of order) {
      assert.ok(attempts[name] !== undefined, `nobody tries to take all of ${name}`);
      await attempts[name]();
    }

    // the first guesses were answered meanwhile
    await attempts.signIns();
    // and so were the first works
    const filled = (['inspections', 'plans', 'documents'] as const).map(fillPlaces);

    const timed = openTimer(t);
    const admin = openBrowserSession(instance);
    await timed('signs in', () => admin.signIn(ada.name, ada.password));
    for (const path of ['/', '/tasks', '/content', '/admin/accounts', '/admin/network'])
      assert.equal((await timed(`opens ${path}`, () => admin.get(path))).status, 200);
    const api = async (what: string, method: string, path: string, body?: unknown) =>
      timed(what, () => instance.api(method, path, body));
    assert.equal((await api('revokes a token', 'POST', '/tokens/doomed/revoke', {})).status, 200);
    const pinned = await api('pins', 'POST', '/recipes/pin', { document: toDraft(instance.host) });
    assert.equal(pinned.status, 200, JSON.stringify(pinned.body));
    const kept = await timed('keeps a result', () => keepResult(admin, 'name: of-ada'));
    assert.ok(await timed('opens a result', () => isKept(admin, kept)));
    await timed('previews a certificate', () => previewPair(admin));
    const made = await timed('makes a token', () => createToken(admin, 'of-ada'));
    assert.ok(await timed('sees its secret', () => showsSecret(admin, made)));
    const { body } = await api('lists tasks', 'GET', '/tasks?view=summary&status=pending&pageSize=1');
    const { id } = body.tasks[0];
    assert.equal((await api('cancels a task', 'POST', `/tasks/${id}/cancel`, {})).status, 200);
    const own = encodeURIComponent(`${instance.host}/library/nothing:1`);
    const inspected = await api('inspects', 'GET', `/import/inspect?reference=${own}`);
    assert.notEqual(inspected.body.code, 'SVC-SRV-006', JSON.stringify(inspected.body));
    assert.equal((await api('imports', 'POST', '/import', { reference, platforms })).status, 201);
    for (const statuses of filled) areRefused(await statuses);
    const records = new Map<string, number>();
    for (const [line] of instance.log().matchAll(/^.*"logType":"audit".*"action":"api\.access".*$/gm)) {
      const { actor } = JSON.parse(line) as { actor: string };
      records.set(actor, (records.get(actor) ?? 0) + 1);
    }
    // twelve in a minute, and one record that sums up the others
    const most = 13 * (1 + Math.ceil((performance.now() - begun) / 60_000));
    for (const [actor, count] of records) assert.ok(count <= most, `${count} refusals of ${actor}`);
  } finally {
    clearInterval(drip);
    gone.abort();
    for (const socket of sockets) socket.destroy();
  }
});
