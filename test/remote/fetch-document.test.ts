import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentReport } from '../../src/base/report.ts';
import { type DocumentRequest, fetchDocument } from '../../src/remote/fetch-document.ts';
import { createTransport } from '../../src/remote/transport/transport.ts';
import { isSvcError } from '../../src/text/error.ts';
import { tlsPair } from '../kit/program/tls-pair.ts';
import { createRegistryDouble, type RegistryDouble } from '../kit/result/registry-double.ts';

async function open(t: TestContext): Promise<RegistryDouble> {
  const double = await createRegistryDouble({ tls: tlsPair });
  t.after(() => double.close());
  return double;
}

function fetch(
  t: TestContext,
  url: string,
  more: Partial<DocumentRequest> & { insecure?: string[]; paceTimeout?: number } = {},
): Promise<Buffer> {
  const { insecure = [], paceTimeout, ...request } = more;
  const transport = createTransport({
    report: silentReport,
    tls: { ca: [tlsPair.ca] },
    insecure,
    paceTimeout,
  });
  t.after(() => transport[Symbol.asyncDispose]());
  return fetchDocument(transport, { url, limit: 1000, purpose: 'Retriever', ...request });
}

const isCode = (code: Parameters<typeof isSvcError>[1]) => (error: unknown) => {
  assert.ok(isSvcError(error, code), String(error));
  return true;
};

test('a document is read over https, up to its limit', async (t) => {
  const double = await open(t);
  let body = 'kind: Retriever';
  double.intercept((_request, response) => {
    response.writeHead(200).end(body);
    return true;
  });
  assert.equal((await fetch(t, `${double.origin}/zone.yaml`)).toString(), body);
  body = 'x'.repeat(1001);
  await assert.rejects(fetch(t, `${double.origin}/zone.yaml`), isCode('SVC-VAL-002'));
});

test('a document that arrives too slowly is aborted', async (t) => {
  const double = await open(t);
  double.intercept((_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
    return true;
  });
  await assert.rejects(fetch(t, `${double.origin}/zone.yaml`, { paceTimeout: 300 }), isCode('SVC-REG-007'));
});

test('http is refused even to a listed host, at first and after a redirect', async (t) => {
  const double = await open(t);
  const plain = await createRegistryDouble();
  t.after(() => plain.close());
  const insecure = [plain.host];
  await assert.rejects(fetch(t, `${plain.origin}/zone.yaml`, { insecure }), isCode('SVC-REG-001'));
  double.intercept((_request, response) => {
    response.writeHead(302, { location: `${plain.origin}/zone.yaml` }).end();
    return true;
  });
  await assert.rejects(fetch(t, `${double.origin}/zone.yaml`, { insecure }), isCode('SVC-POL-001'));
  assert.equal(plain.requests.length, 0);
  for (const url of [
    'ftp://a.test/x',
    'https://u:p@a.test/x',
    'zone.yaml',
    `https://a.test/${'x'.repeat(5000)}`,
  ])
    await assert.rejects(fetch(t, url), isCode('SVC-REG-001'));
});

test('each kind of refusal has its code, and no error shows the query', async (t) => {
  const double = await open(t);
  for (const [status, code, requests] of [
    [404, 'SVC-REG-005', 1],
    [410, 'SVC-REG-005', 1],
    [401, 'SVC-REG-003', 1],
    [403, 'SVC-REG-003', 1],
    [400, 'SVC-REG-002', 1],
    [503, 'SVC-REG-002', 2],
  ] as const) {
    const before = double.requests.length;
    double.failNext(/./, status, { times: 2 });
    await assert.rejects(fetch(t, `${double.origin}/zone.yaml?token=hidden`, { retries: 1 }), (error) => {
      isCode(code)(error);
      const { params, detail } = error as { params: object; detail?: string };
      assert.ok(!JSON.stringify([params, detail]).includes('hidden'));
      return true;
    });
    assert.equal(double.requests.length - before, requests);
    // use up the remaining attempts
    while (double.requests.length - before < 2) await fetch(t, `${double.origin}/`).catch(() => undefined);
  }
});

test('a password is sent to its own host when it is asked for, and only then', async (t) => {
  const double = await open(t);
  double.intercept((request, response) => {
    if (request.headers.authorization === undefined)
      response.writeHead(401, { 'www-authenticate': 'Basic realm="docs"' }).end();
    else response.writeHead(200).end(Buffer.from(request.headers.authorization.slice(6), 'base64'));
    return true;
  });
  const credentials = {
    lookup: (host: string) =>
      host === double.host ? ({ kind: 'basic', username: 'u', password: 'p' } as const) : undefined,
  };
  assert.equal((await fetch(t, `${double.origin}/zone.yaml`, { credentials })).toString(), 'u:p');
  assert.equal(double.requests[0]!.headers.authorization, undefined);
  assert.equal(double.requests.length, 2);
});

test('a document in an encoding that was not requested is refused', async (t) => {
  const double = await open(t);
  double.intercept((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    return true;
  });
  await assert.rejects(fetch(t, `${double.origin}/zone.yaml`), isCode('SVC-REG-007'));
});
