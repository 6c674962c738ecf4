import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import type { Transport, TransportOptions, TransportRequest } from '../../../src/remote/model.ts';
import { readBody } from '../../../src/remote/transport/read-body.ts';
import { createTransport } from '../../../src/remote/transport/transport.ts';
import { isSvcError, type SvcError } from '../../../src/text/error.ts';
import { renderError } from '../../../src/text/message.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import {
  createRegistryDouble,
  type RegistryDouble,
  type RegistryDoubleOptions,
} from '../../kit/result/registry-double.ts';

async function open(t: TestContext, options: RegistryDoubleOptions = {}): Promise<RegistryDouble> {
  const double = await createRegistryDouble(options);
  t.after(() => double.close());
  return double;
}

function make(t: TestContext, options: Partial<TransportOptions> = {}): Transport {
  const transport = createTransport({ report: silentReport, ...options });
  t.after(() => transport[Symbol.asyncDispose]());
  return transport;
}

async function listen(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as { port: number }).port;
}

const get = (transport: Transport, url: string | URL, more: Partial<TransportRequest> = {}) =>
  transport.request({ method: 'GET', url: new URL(url), ...more });

const isPolicy = (hop?: RegExp, detail?: RegExp) => (error: unknown) => {
  assert.ok(isSvcError(error, 'SVC-POL-001'), String(error));
  if (hop) assert.match(String(error.params.hop), hop);
  if (detail) assert.match(error.detail ?? '', detail);
  return true;
};

test('a host off the list is refused before its name is resolved or a socket opens', async (t) => {
  let connections = 0;
  const port = await listen(
    t,
    createServer((socket) => {
      connections += 1;
      socket.destroy();
    }),
  );
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return [{ address: '127.0.0.1', family: 4 as const }];
  };
  const host = `registry.test:${port}`;
  for (const allowlist of [[], ['registry.test'], ['*.test'], ['**:1']]) {
    const transport = make(t, { allowlist, insecure: [host], resolve });
    await assert.rejects(get(transport, `http://${host}/v2/`), (error) => {
      assert.ok(isSvcError(error, 'SVC-POL-001'));
      assert.equal(error.params.host, host);
      assert.equal(error.params.hop, undefined);
      return true;
    });
    assert.deepEqual([...transport.requested], [host], 'a refused host counts as needed');
  }
  assert.deepEqual(asked, []);
  assert.equal(connections, 0);
  const open = make(t, { allowlist: [`*.test:${port}`], insecure: [host], resolve });
  await assert.rejects(get(open, `http://${host}/v2/`), (error) => isSvcError(error, 'SVC-REG-002'));
  assert.deepEqual(asked, ['registry.test']);
  assert.equal(connections, 2, 'the request, and the look whether the host answers in TLS');
});

test('plain http is for listed hosts only', async (t) => {
  const double = await open(t);
  await assert.rejects(get(make(t), `${double.origin}/v2/`), isPolicy(undefined, /plain http/));
  await assert.rejects(
    get(make(t, { insecure: ['127.0.0.1'] }), `${double.origin}/v2/`),
    isPolicy(undefined, /plain http/),
  );
  const listed = make(t, { insecure: [double.host] });
  assert.equal((await get(listed, `${double.origin}/v2/`)).status, 200);
  await assert.rejects(
    get(listed, `${double.origin}/v2/`, { httpsOnly: true }),
    isPolicy(undefined, /only https/),
  );
  assert.equal(double.requests.length, 1);
});

test('the scheme follows the insecure list, and Docker Hub is contacted at its registry', (t) => {
  const transport = make(t, { insecure: ['127.0.0.1:5000'] });
  assert.equal(transport.toUrl('127.0.0.1:5000', '/v2/').href, 'http://127.0.0.1:5000/v2/');
  assert.equal(transport.toUrl('127.0.0.1:5001', '/v2/').href, 'https://127.0.0.1:5001/v2/');
  for (const name of ['docker.io', 'index.docker.io'])
    assert.equal(transport.toUrl(name, '/v2/').href, 'https://registry-1.docker.io/v2/');
});

test('a host written with the port of its scheme is judged as it was written', async (t) => {
  const refusesConnections = async () => {
    throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  };
  const transport = make(t, { allowlist: ['a.test:443'], resolve: refusesConnections });
  const isAdmitted = (error: unknown) => isSvcError(error, 'SVC-REG-002');
  await assert.rejects(get(transport, 'https://a.test/', { host: 'a.test:443' }), isAdmitted);
  await assert.rejects(get(transport, 'https://a.test/', { host: 'a.test' }), isPolicy());
  // a name that is not the URL's own counts for nothing
  await assert.rejects(get(transport, 'https://b.test/', { host: 'a.test:443' }), isPolicy());
});

test('identity encoding is requested, and the answer has its final URL', async (t) => {
  const double = await open(t);
  double.intercept((request, response) => {
    if (request.path !== '/from') return false;
    response.writeHead(307, { location: '/v2/' }).end();
    return true;
  });
  const answer = await get(make(t, { insecure: [double.host] }), `${double.origin}/from`);
  assert.equal(answer.status, 200);
  assert.equal(answer.url.pathname, '/v2/');
  assert.equal(double.requests[0]!.headers['accept-encoding'], 'identity');
});

test('five redirects are followed, a sixth is not', async (t) => {
  const double = await open(t);
  double.intercept((request, response) => {
    const left = Number(/^\/hop\/(\d+)$/.exec(request.path)?.[1] ?? -1);
    if (left < 0) return false;
    if (left === 0) response.writeHead(200).end('there');
    else response.writeHead(302, { location: `/hop/${left - 1}` }).end();
    return true;
  });
  const transport = make(t, { insecure: [double.host] });
  const answer = await get(transport, `${double.origin}/hop/5`);
  assert.equal((await readBody(answer, 100, 'x')).toString(), 'there');
  await assert.rejects(get(transport, `${double.origin}/hop/6`), (error) => isSvcError(error, 'SVC-REG-007'));
});

test('the authorization does not follow a redirect to another host, though it stays on its own', async (t) => {
  const [first, second] = [await open(t), await open(t)];
  first.intercept((request, response) => {
    if (request.path === '/own') response.writeHead(307, { location: '/away' }).end();
    else if (request.path === '/away') response.writeHead(307, { location: `${second.origin}/v2/` }).end();
    else return false;
    return true;
  });
  const transport = make(t, { insecure: [first.host, second.host] });
  const headers = { authorization: 'Bearer secret', range: 'bytes=0-1' };
  assert.equal((await get(transport, `${first.origin}/own`, { headers })).status, 200);
  assert.deepEqual(
    first.requests.map((request) => request.headers.authorization),
    ['Bearer secret', 'Bearer secret'],
  );
  assert.equal(second.requests[0]!.headers.authorization, undefined);
  assert.equal(second.requests[0]!.headers.range, 'bytes=0-1');
});

test('a redirect to a host off the list is refused before a socket opens, and names the hop', async (t) => {
  const double = await open(t);
  let connections = 0;
  const port = await listen(
    t,
    createServer((socket) => {
      connections += 1;
      socket.destroy();
    }),
  );
  double.intercept((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${port}/blob?signature=hidden` }).end();
    return true;
  });
  const insecure = [double.host, `127.0.0.1:${port}`];
  const transport = make(t, { insecure, allowlist: [double.host] });
  await assert.rejects(get(transport, `${double.origin}/blob`), (error) => {
    assert.ok(isSvcError(error, 'SVC-POL-001'));
    assert.equal(error.params.host, `127.0.0.1:${port}`);
    assert.equal(error.params.hop, `redirect of ${double.host}`);
    assert.ok(!JSON.stringify(error.params).includes('hidden'));
    return true;
  });
  assert.equal(connections, 0);
});

test('a redirect never leads from https down to http, not even to a listed host', async (t) => {
  const [secure, plain] = [await open(t, { tls: tlsPair }), await open(t)];
  secure.intercept((_request, response) => {
    response.writeHead(302, { location: `${plain.origin}/v2/` }).end();
    return true;
  });
  const transport = make(t, { insecure: [plain.host], tls: { ca: [tlsPair.ca] } });
  await assert.rejects(get(transport, `${secure.origin}/v2/`), (error) => {
    isPolicy(/redirect/, /https down to http/)(error);
    const { what, action } = renderError(error as SvcError, 'en');
    assert.match(what, /was not contacted \(reason: downgrade\) \(named by: redirect of /);
    assert.doesNotMatch(`${what} ${action}`, /not on the allowlist|add .* to registries.allowlist/);
    return true;
  });
  assert.equal(plain.requests.length, 0);
});

test('redirects to other schemes, with user information, or to nonsense are refused', async (t) => {
  const double = await open(t);
  let location = '';
  double.intercept((_request, response) => {
    response.writeHead(302, { location }).end();
    return true;
  });
  const transport = make(t, { insecure: [double.host] });
  for (const target of [
    'file:///etc/passwd',
    'ftp://a.test/',
    'data:text/plain,x',
    `http://u:p@${double.host}/`,
  ]) {
    location = target;
    await assert.rejects(get(transport, `${double.origin}/x`), isPolicy(/redirect/));
  }
  location = 'http://[';
  await assert.rejects(get(transport, `${double.origin}/x`), (error) => isSvcError(error, 'SVC-REG-007'));
});

test('a public host leads to no loopback, private or link-local address, by name or by number', async (t) => {
  const double = await open(t);
  const addresses: Record<string, string[]> = {
    'public.test': ['203.0.113.5'],
    'rebound.test': ['127.0.0.1'],
    'mixed.test': ['203.0.113.6', '10.0.0.1'],
    'inner.test': ['10.0.0.9'],
    localhost: ['127.0.0.1'],
  };
  const resolve = async (name: string) =>
    (addresses[name] ?? []).map((address) => ({ address, family: 4 as const }));
  const insecure = [double.host, ...Object.keys(addresses), '169.254.169.254', '[::1]'];
  const port = `:${double.port}`;
  const transport = make(t, { insecure: insecure.flatMap((name) => [name, `${name}${port}`]), resolve });
  const from = (name: string) => ({ kind: 'redirect', from: new URL(`http://${name}/`) }) as const;
  for (const target of ['rebound.test', 'mixed.test', '127.0.0.1', '169.254.169.254', '[::1]', 'localhost'])
    await assert.rejects(
      get(transport, `http://${target}${port}/v2/`, { hop: from('public.test') }),
      isPolicy(/redirect of public.test/, /not public/),
      target,
    );
  const chart = { kind: 'chart URL', from: new URL('http://public.test/') } as const;
  const inner = new URL(`http://rebound.test${port}/v2/`);
  await assert.rejects(transport.checkHop(inner, chart), isPolicy(/chart URL of public.test/, /not public/));
  await transport.checkHop(new URL('http://public.test/v2/'), chart);
  assert.equal(double.requests.length, 0);
  for (const origin of ['inner.test', '127.0.0.1']) {
    await transport.checkHop(inner, from(origin));
    assert.equal((await get(transport, inner, { hop: from(origin) })).status, 200);
  }
});

test('a delayed redirect is judged by the addresses that were used for its sender, wherever its name leads by then', async (t) => {
  const double = await open(t);
  const sender = `rebound.test:${double.port}`;
  let asked = 0;
  const resolve = async (name: string) => {
    if (name === 'rebound.test') asked += 1;
    const addresses = asked < 2 ? ['203.0.113.5', '127.0.0.1'] : ['127.0.0.1'];
    return addresses.map((address) => ({ address, family: 4 as const }));
  };
  const transport = make(t, { insecure: [sender, double.host], resolve });
  const chart = { kind: 'chart URL', from: new URL('http://203.0.113.9/') } as const;
  double.intercept((request, response) => {
    if (request.path !== '/delayed') return false;
    void (async () => {
      // more names than are remembered: the one of the sender is resolved anew from here on
      for (let i = 0; i < 1100; i += 1)
        await transport.checkHop(new URL(`https://n${i}.test/`), chart).catch(() => {});
      response.writeHead(302, { location: `http://127.0.0.1:${double.port}/v2/` }).end();
    })();
    return true;
  });
  const delayed = get(transport, `http://${sender}/delayed`);
  await assert.rejects(delayed, isPolicy(/redirect of rebound.test/, /not public/));
  // from here on its name leads inside alone
  const known = { kind: 'redirect', from: new URL(`http://${sender}/`) } as const;
  const inner = new URL(`http://127.0.0.1:${double.port}/v2/`);
  await assert.rejects(
    get(transport, inner, { hop: known }),
    isPolicy(/redirect of rebound.test/, /not public/),
  );
  assert.equal(double.count(/v2/), 0);
});

test('a name is resolved once and the socket goes to the address that was checked', async (t) => {
  const double = await open(t);
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    // a second answer would lead to where nobody listens
    return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 as const }];
  };
  const host = `registry.test:${double.port}`;
  const transport = make(t, { insecure: [host], resolve });
  for (let i = 0; i < 3; i += 1) assert.equal((await get(transport, `http://${host}/v2/`)).status, 200);
  assert.equal(asked, 1);
});

test('HEAD does not cost a connection each', async (t) => {
  const double = await open(t);
  const ports = new Set<number | undefined>();
  double.intercept((_request, _response, raw) => {
    ports.add(raw.socket.remotePort);
    return false;
  });
  const transport = make(t, { insecure: [double.host] });
  for (let i = 0; i < 12; i += 1) {
    const answer = await transport.request({ method: 'HEAD', url: new URL(`${double.origin}/v2/`) });
    await readBody(answer, 10, 'x');
  }
  // the pool may open a second one while the first is being freed
  assert.ok(ports.size <= 2);
});

test('a silent server is disconnected, before its headers and within its body', async (t) => {
  const port = await listen(
    t,
    createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (request) => {
        if (request.toString().includes('GET /body'))
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nstart');
      });
    }),
  );
  const transport = make(t, { insecure: [`127.0.0.1:${port}`], stallTimeout: 200 });
  await assert.rejects(get(transport, `http://127.0.0.1:${port}/headers`), (error) => {
    assert.ok(isSvcError(error, 'SVC-REG-002'));
    assert.match(String(error.params.detail), /no byte/);
    return true;
  });
  const answer = await get(transport, `http://127.0.0.1:${port}/body`);
  await assert.rejects(readBody(answer, 1000, 'thing'), (error) => isSvcError(error, 'SVC-REG-007'));
});

test('a slow server that keeps sending is not disconnected', async (t) => {
  const double = await open(t);
  double.intercept((_request, response) => {
    response.writeHead(200);
    let left = 12;
    const timer = setInterval(() => {
      left -= 1;
      if (left > 0) response.write('x');
      else {
        clearInterval(timer);
        response.end();
      }
    }, 50);
    return true;
  });
  const transport = make(t, { insecure: [double.host], stallTimeout: 300 });
  const started = performance.now();
  const body = await readBody(await get(transport, `${double.origin}/slow`), 100, 'slow');
  assert.equal(body.length, 11);
  assert.ok(performance.now() - started > 300);
});

test('an answer below the minimum rate is aborted after its time, one above it is not', async (t) => {
  const double = await open(t);
  double.intercept((request, response) => {
    response.writeHead(200);
    const bytes = request.path === '/trickle' ? 'x' : Buffer.alloc(2000);
    let left = 30;
    const timer = setInterval(() => {
      left -= 1;
      if (left > 0 || request.path === '/trickle') response.write(bytes);
      else response.end();
    }, 25);
    response.once('close', () => clearInterval(timer));
    return true;
  });
  const transport = make(t, { insecure: [double.host], paceTimeout: 300 });
  const answer = await get(transport, `${double.origin}/trickle`);
  await assert.rejects(readBody(answer, 1000, 'thing'), (error) => {
    assert.ok(isSvcError(error, 'SVC-REG-007'));
    assert.match(String(error.params.detail), /^only \d+ bytes arrived in/);
    return true;
  });
  const pace = await get(transport, `${double.origin}/pace`);
  assert.equal((await readBody(pace, 100_000, 'thing')).length, 58_000);
});

test('small slow answers of one origin do not each get the complete time', async (t) => {
  const double = await open(t);
  double.intercept((_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 10);
    response.once('close', () => clearInterval(timer));
    return true;
  });
  const transport = make(t, { insecure: [double.host], paceTimeout: 1000 });
  const timeOf = async (): Promise<number> => {
    const answer = await get(transport, `${double.origin}/trickle`);
    let time = 0;
    await assert.rejects(readBody(answer, 1000, 'thing'), (error) => {
      assert.ok(isSvcError(error, 'SVC-REG-007'));
      time = answer.paceTimeout;
      return true;
    });
    return time;
  };
  assert.equal(await timeOf(), 1000);
  assert.equal(await timeOf(), 50);
  assert.equal(await timeOf(), 50);
});

test('a document beyond its limit is refused, announced or not', async (t) => {
  const double = await open(t);
  double.intercept((request, response) => {
    response.writeHead(200, request.path === '/announced' ? { 'content-length': 2000 } : {});
    response.end(Buffer.alloc(2000));
    return true;
  });
  const transport = make(t, { insecure: [double.host] });
  for (const path of ['/announced', '/chunked'])
    await assert.rejects(
      get(transport, `${double.origin}${path}`).then((answer) => readBody(answer, 1999, 'doc')),
      (error) => isSvcError(error, 'SVC-VAL-002') && error.params.limit === 1999,
    );
  const whole = await readBody(await get(transport, `${double.origin}/chunked`), 2000, 'doc');
  assert.equal(whole.length, 2000);
});

test('an abort ends a request at once with its own reason', async (t) => {
  const port = await listen(
    t,
    createServer((socket) => void socket.on('error', () => {})),
  );
  const transport = make(t, { insecure: [`127.0.0.1:${port}`] });
  const controller = new AbortController();
  const reason = new Error('enough');
  const waiting = get(transport, `http://127.0.0.1:${port}/`, { signal: controller.signal });
  setImmediate(() => controller.abort(reason));
  await assert.rejects(waiting, (error) => error === reason);
});

test('an unreachable host is named', async (t) => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  const transport = make(t, { insecure: [`127.0.0.1:${port}`] });
  await assert.rejects(get(transport, `http://127.0.0.1:${port}/`), (error) => {
    assert.ok(isSvcError(error, 'SVC-REG-002'));
    assert.equal(error.params.host, `127.0.0.1:${port}`);
    assert.match(String(error.params.detail), /ECONNREFUSED/);
    return true;
  });
});

test('an upload under way is not redirected, a repeatable one is, with its method', async (t) => {
  const double = await open(t);
  double.intercept((request, response, raw) => {
    raw.resume();
    if (request.path === '/moved') response.writeHead(307, { location: '/new' }).end();
    else if (request.path === '/seeother') response.writeHead(303, { location: '/new' }).end();
    else response.writeHead(201).end();
    return true;
  });
  const transport = make(t, { insecure: [double.host] });
  const put = (path: string, body: Buffer | Readable) =>
    transport.request({ method: 'PUT', url: new URL(`${double.origin}${path}`), body });
  assert.equal((await put('/moved', Buffer.from('x'))).status, 201);
  assert.equal(double.count(/^PUT \/new/), 1);
  const isBroken = (error: unknown) => isSvcError(error, 'SVC-REG-007');
  await assert.rejects(put('/moved', Readable.from([Buffer.from('x')])), isBroken);
  await assert.rejects(put('/seeother', Buffer.from('x')), isBroken);
  assert.equal(double.count(/^PUT \/new/), 1);
});

test('an upload that is not read is aborted; a slow one that is read is not', async (t) => {
  const port = await listen(
    t,
    createServer((socket) => {
      socket.on('error', () => {});
      socket.pause();
      t.after(() => socket.destroy());
    }),
  );
  const stuck = make(t, { insecure: [`127.0.0.1:${port}`], stallTimeout: 300 });
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1 << 20);
    })(),
  );
  await assert.rejects(
    stuck.request({ method: 'PATCH', url: new URL(`http://127.0.0.1:${port}/`), body: endless }),
    (error) => isSvcError(error, 'SVC-REG-002'),
  );
  assert.ok(endless.destroyed);

  const double = await open(t);
  double.intercept((_request, response, raw) => {
    raw.resume().on('end', () => response.writeHead(202).end());
    return true;
  });
  const slow = Readable.from(
    (async function* () {
      for (let i = 0; i < 14; i += 1) {
        yield Buffer.from('x');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })(),
  );
  const patient = make(t, { insecure: [double.host], stallTimeout: 300 });
  const url = new URL(`${double.origin}/upload`);
  assert.equal((await patient.request({ method: 'PATCH', url, body: slow })).status, 202);
});

test('a secret body is not sent along to another host', async (t) => {
  const [first, second] = [await open(t), await open(t)];
  first.intercept((request, response, raw) => {
    raw.resume();
    const location = request.path === '/away' ? `${second.origin}/x` : '/away';
    response.writeHead(308, { location }).end();
    return true;
  });
  const transport = make(t, { insecure: [first.host, second.host] });
  const url = new URL(`${first.origin}/token`);
  const body = Buffer.from('refresh_token=secret');
  await assert.rejects(
    transport.request({ method: 'POST', url, body, secretBody: true }),
    isPolicy(/redirect/, /secret/),
  );
  assert.equal(first.requests.length, 2);
  assert.equal(second.requests.length, 0);
});

test('a host written with the port of its scheme remains the listed one on its own redirects', async (t) => {
  const double = await open(t);
  double.intercept((request, response) => {
    if (!request.path.endsWith('/from')) response.writeHead(200).end();
    else response.writeHead(302, { location: '/to' }).end();
    return true;
  });
  // the double stands for the proxy here: only so a name with port 80 can be asked for without being root
  const transport = make(t, { insecure: ['a.test:80'], proxy: { url: double.origin } });
  const answer = await transport.request({
    method: 'GET',
    url: transport.toUrl('a.test:80', '/from'),
    host: 'a.test:80',
  });
  assert.equal(answer.url.href, 'http://a.test/to');
});

test('a proxy that is no URL is refused when the transport is made', () => {
  for (const url of ['nonsense', 'ftp://proxy.test', 'proxy.test:3128'])
    assert.throws(
      () => createTransport({ report: silentReport, proxy: { url } }),
      (error) => isSvcError(error, 'SVC-NET-001'),
    );
});
