import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import type { TransportOptions } from '../../../src/remote/model.ts';
import type { ProxyOptions } from '../../../src/remote/transport/proxy-route.ts';
import { createTransport } from '../../../src/remote/transport/transport.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { createTestProxy } from '../../kit/program/proxy.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';

async function ask(
  t: TestContext,
  url: string,
  proxy: ProxyOptions,
  options: Partial<TransportOptions> = {},
): Promise<number> {
  const transport = createTransport({
    report: silentReport,
    proxy,
    tls: { ca: [tlsPair.ca] },
    ...options,
  });
  t.after(() => transport[Symbol.asyncDispose]());
  const headers = { authorization: 'Bearer for-the-registry' };
  const answer = await transport.request({ method: 'GET', url: new URL(url), headers });
  answer.body.resume();
  return answer.status;
}

const account = { username: 'mule', password: 'hay:and:oats' };
const expected = `Basic ${Buffer.from('mule:hay:and:oats').toString('base64')}`;

for (const kind of ['http', 'https'] as const) {
  const secured = kind === 'https' ? { tls: tlsPair } : {};

  test(`an https destination is reached by a tunnel through an authenticating ${kind} proxy`, async (t) => {
    await using double = await createRegistryDouble({ tls: tlsPair });
    await using proxy = await createTestProxy({ ...account, ...secured });
    assert.equal(await ask(t, `${double.origin}/v2/`, { url: proxy.url, ...account }), 200);
    assert.deepEqual(
      proxy.records.map(({ method, target }) => [method, target]),
      [['CONNECT', double.host]],
    );
    assert.equal(proxy.records[0]!.headers['proxy-authorization'], expected);
    assert.equal(proxy.records[0]!.headers.authorization, undefined);
    assert.equal(double.requests[0]!.headers['proxy-authorization'], undefined);
    assert.equal(double.requests[0]!.headers.authorization, 'Bearer for-the-registry');
  });

  test(`an http destination is asked for by its whole URL at an authenticating ${kind} proxy`, async (t) => {
    await using double = await createRegistryDouble();
    await using proxy = await createTestProxy({ ...account, ...secured });
    const insecure = [double.host];
    assert.equal(await ask(t, `${double.origin}/v2/?a=b`, { url: proxy.url, ...account }, { insecure }), 200);
    assert.deepEqual(
      proxy.records.map(({ method, target }) => [method, target]),
      [['GET', `${double.origin}/v2/?a=b`]],
    );
    assert.equal(double.requests[0]!.headers.host, double.host);
    assert.equal(double.requests[0]!.headers['proxy-authorization'], undefined);
  });
}

test('a proxy that refuses the password is named, and the password is not', async (t) => {
  await using secure = await createRegistryDouble({ tls: tlsPair });
  await using plain = await createRegistryDouble();
  await using proxy = await createTestProxy(account);
  for (const url of [`${secure.origin}/v2/`, `${plain.origin}/v2/`])
    await assert.rejects(
      ask(t, url, { url: proxy.url, username: 'mule', password: 'wrong-one' }, { insecure: [plain.host] }),
      (error) => {
        assert.ok(isSvcError(error, 'SVC-NET-001'));
        assert.equal(error.params.proxy, `127.0.0.1:${proxy.port}`);
        assert.match(String(error.params.detail), /407/);
        assert.ok(!JSON.stringify([error.params, error.detail]).includes('wrong-one'));
        return true;
      },
    );
  assert.equal(secure.requests.length + plain.requests.length, 0);
});

test('a proxy that is down or not trusted is a proxy failure', async (t) => {
  await using double = await createRegistryDouble({ tls: tlsPair });
  const gone = await createTestProxy();
  await gone[Symbol.asyncDispose]();
  await using untrusted = await createTestProxy({ tls: tlsPair });
  for (const [url, tls] of [
    [gone.url, { ca: [tlsPair.ca] }],
    [untrusted.url, {}],
  ] as const)
    await assert.rejects(ask(t, `${double.origin}/v2/`, { url }, { tls }), (error) =>
      isSvcError(error, 'SVC-NET-001'),
    );
});

test('a gateway error of a tunnel is reported for the target, another refusal for the proxy', async (t) => {
  for (const [refuseTunnels, code] of [
    [502, 'SVC-REG-002'],
    [504, 'SVC-REG-002'],
    [403, 'SVC-NET-001'],
  ] as const) {
    await using proxy = await createTestProxy({ refuseTunnels });
    await assert.rejects(ask(t, 'https://registry.test/v2/', { url: proxy.url }), (error) =>
      isSvcError(error, code),
    );
  }
});

test('names are sent to the proxy unresolved; the allowlist still applies', async (t) => {
  await using double = await createRegistryDouble({ tls: tlsPair });
  await using proxy = await createTestProxy({ loopback: true });
  const resolve = async () => {
    throw new Error('nothing is resolved here');
  };
  const url = `https://registry.test:${double.port}/v2/`;
  assert.equal(await ask(t, url, { url: proxy.url }, { resolve }), 200);
  await assert.rejects(ask(t, url, { url: proxy.url }, { resolve, allowlist: ['other.test'] }), (error) =>
    isSvcError(error, 'SVC-POL-001'),
  );
  assert.equal(proxy.records.length, 1);
});

test('through a proxy a public host still cannot lead to a literal inner address', async (t) => {
  await using double = await createRegistryDouble({ tls: tlsPair });
  await using proxy = await createTestProxy({ loopback: true });
  double.intercept((_request, response) => {
    response.writeHead(302, { location: `https://127.0.0.1:${double.port}/v2/` }).end();
    return true;
  });
  await assert.rejects(ask(t, `https://registry.test:${double.port}/x`, { url: proxy.url }), (error) =>
    isSvcError(error, 'SVC-POL-001'),
  );
  assert.equal(double.requests.length, 1);
});

test('what noProxy names is reached directly, and https may have a proxy of its own', async (t) => {
  await using secure = await createRegistryDouble({ tls: tlsPair });
  await using plain = await createRegistryDouble();
  await using first = await createTestProxy();
  await using second = await createTestProxy();
  const proxy = { url: first.url, httpsURL: second.url };
  const options = { insecure: [plain.host] };
  assert.equal(await ask(t, `${secure.origin}/v2/`, proxy, options), 200);
  assert.equal(await ask(t, `${plain.origin}/v2/`, proxy, options), 200);
  assert.deepEqual([first.records.length, second.records.length], [1, 1]);
  for (const noProxy of [['127.0.0.1'], ['127.0.0.0/8'], ['*']]) {
    assert.equal(await ask(t, `${secure.origin}/v2/`, { ...proxy, noProxy }, options), 200);
    assert.equal(await ask(t, `${plain.origin}/v2/`, { ...proxy, noProxy }, options), 200);
  }
  assert.deepEqual([first.records.length, second.records.length], [1, 1]);
});
