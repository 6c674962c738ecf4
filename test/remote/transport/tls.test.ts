import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import { createSelfSigned } from '../../../src/certificate/self-signed.ts';
import type { TransportOptions } from '../../../src/remote/model.ts';
import { loadCertificates } from '../../../src/remote/transport/certificates.ts';
import { toEnvironment } from '../../../src/remote/transport/environment.ts';
import { createTransport } from '../../../src/remote/transport/transport.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { renderError } from '../../../src/text/message.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { createTestProxy } from '../../kit/program/proxy.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';

async function ask(t: TestContext, url: string, options: Partial<TransportOptions>): Promise<number> {
  const transport = createTransport({ report: silentReport, ...options });
  t.after(() => transport[Symbol.asyncDispose]());
  const answer = await transport.request({ method: 'GET', url: new URL(url) });
  answer.body.resume();
  return answer.status;
}

const isUntrusted = (error: unknown) => {
  assert.ok(isSvcError(error, 'SVC-REG-002'));
  assert.match(String(error.params.detail), /UNABLE_TO|SELF_SIGNED|CERT/);
  return true;
};

test('a private authority is trusted when given, with and beside the public roots', async (t) => {
  await using double = await createRegistryDouble({ tls: tlsPair });
  const url = `${double.origin}/v2/`;
  await assert.rejects(ask(t, url, {}), isUntrusted);
  await assert.rejects(ask(t, url, { tls: { ca: [tlsPair.otherCa] } }), isUntrusted);
  await assert.rejects(ask(t, url, { tls: { exclusiveTrust: true } }), isUntrusted);
  assert.equal(double.requests.length, 0);
  assert.equal(await ask(t, url, { tls: { ca: [tlsPair.ca] } }), 200);
  assert.equal(await ask(t, url, { tls: { ca: [tlsPair.otherCa, tlsPair.ca], exclusiveTrust: true } }), 200);
});

test('a trusted certificate for another name is refused', async (t) => {
  await using double = await createRegistryDouble({ tls: tlsPair });
  const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }];
  const tls = { ca: [tlsPair.ca] };
  const url = (name: string) => `https://${name}:${double.port}/v2/`;
  assert.equal(await ask(t, url('registry.test'), { tls, resolve }), 200);
  assert.equal(await ask(t, url('a.registry.test'), { tls, resolve }), 200);
  await assert.rejects(ask(t, url('other.test'), { tls, resolve }), (error) => {
    assert.ok(isSvcError(error, 'SVC-REG-002'));
    assert.match(String(error.params.detail), /ALTNAME/);
    return true;
  });
});

test('a host in the insecure list is spoken to plainly, its certificate is never just ignored', async (t) => {
  await using double = await createRegistryDouble({ tls: tlsPair });
  await assert.rejects(ask(t, `${double.origin}/v2/`, { insecure: [double.host] }), isUntrusted);
});

test('bundles are read from files and from the document, and a bad one is named', async () => {
  await using folder = await openTempFolder();
  assert.deepEqual(
    await loadCertificates({ caFiles: [tlsPair.caFile], ca: tlsPair.otherCa }),
    [tlsPair.ca, tlsPair.otherCa].map((pem) => new X509Certificate(pem).toString()),
  );
  assert.deepEqual(await loadCertificates({}), []);
  const bad: Record<string, string> = {
    'empty.pem': '',
    'key.pem': tlsPair.key,
    'broken.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    'second.pem': `${tlsPair.ca}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
  };
  for (const [name, text] of Object.entries(bad)) {
    const path = join(folder.path, name);
    await writeFile(path, text);
    await assert.rejects(loadCertificates({ caFiles: [path] }), (error) => {
      assert.ok(isSvcError(error, 'SVC-NET-002'), name);
      assert.equal(error.params.path, path);
      return true;
    });
  }
  const absent = join(folder.path, 'absent.pem');
  await assert.rejects(loadCertificates({ caFiles: [absent] }), (error) => isSvcError(error, 'SVC-NET-002'));
  await assert.rejects(loadCertificates({ ca: 'nonsense' }), (error) => isSvcError(error, 'SVC-NET-002'));
});

test('each certificate of a bundle joined without a line end is trusted', async (t) => {
  await using folder = await openTempFolder();
  await using double = await createRegistryDouble({ tls: tlsPair });
  const path = join(folder.path, 'joined.pem');
  await writeFile(path, tlsPair.otherCa.trim() + tlsPair.ca.trim());
  const ca = await loadCertificates({ caFiles: [path] });
  assert.equal(ca.length, 2);
  assert.equal(await ask(t, `${double.origin}/v2/`, { tls: { ca, exclusiveTrust: true } }), 200);
});

test('a bundle of which a certificate would be passed over is refused, and what is wrong with it is named', async () => {
  await using folder = await openTempFolder();
  const cut = tlsPair.otherCa.replace('-----END CERTIFICATE-----', '');
  const refused: readonly (readonly [text: string | Buffer, detail: RegExp])[] = [
    [`\ufeff${tlsPair.ca}`, /byte order mark/],
    [Buffer.from(`\ufeff${tlsPair.ca}`, 'utf16le'), /UTF-16/],
    [tlsPair.ca.replace(/^/gm, '  '), /indented/],
    [`${tlsPair.ca}${cut}`, /2 certificates begin in it and only 1 can be read/],
    [tlsPair.ca.replaceAll('BEGIN CERT', 'BEGIN TRUSTED CERT'), /1 certificates begin in it and only 0/],
  ];
  for (const [text, detail] of refused) {
    const path = join(folder.path, 'bundle.pem');
    await writeFile(path, text);
    await assert.rejects(loadCertificates({ caFiles: [path] }), (error) => {
      assert.ok(isSvcError(error, 'SVC-NET-002'), String(error));
      assert.match(String(error.params.detail), detail);
      return true;
    });
  }
});

test('a peer that serves plain HTTP is reported in a sentence, not in the words of OpenSSL', async (t) => {
  await using double = await createRegistryDouble();
  await assert.rejects(ask(t, `https://${double.host}/v2/`, {}), (error) => {
    assert.ok(isSvcError(error, 'SVC-REG-002'));
    assert.match(String(error.params.detail), /: it does not answer in TLS: it may serve plain HTTP$/);
    assert.doesNotMatch(JSON.stringify(error.params), /error:|\\n|openssl/i);
    return true;
  });
});

test('a peer that serves TLS and is listed as insecure is reported as such, whatever it answers to plain HTTP', async (t) => {
  await using cutting = await createRegistryDouble({ tls: tlsPair });
  // as registries written in Go answer: the first byte of a handshake is 22, no method begins with it
  const answering = createServer((socket) => {
    socket.once('data', (bytes) => {
      if (bytes[0] !== 22)
        return void socket.end(
          'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
        );
      const inner = connect({ host: '127.0.0.1', port: cutting.port });
      inner.write(bytes);
      socket.pipe(inner).pipe(socket);
      for (const each of [inner, socket]) each.on('error', () => each.destroy());
    });
  });
  t.after(() => answering.close());
  answering.listen(0, '127.0.0.1');
  await once(answering, 'listening');
  const { port } = answering.address() as AddressInfo;
  for (const host of [cutting.host, `127.0.0.1:${port}`])
    for (const tls of [{}, { ca: [tlsPair.ca] }])
      await assert.rejects(ask(t, `http://${host}/v2/`, { insecure: [host], tls }), (error) => {
        assert.ok(isSvcError(error, 'SVC-REG-002'), String(error));
        assert.match(String(error.params.detail), /answers in TLS/);
        assert.match(
          renderError(error, 'en').action,
          new RegExp(`Remove ${host} from registries\\.insecure`),
        );
        return true;
      });
  assert.equal(cutting.requests.length, 0);
});

for (const [since, said] of [
  ['2040-01-01', 'is not valid yet'],
  ['2001-01-01', 'has expired'],
] as const)
  test(`a certificate that ${said} makes the error ask for the clock`, async (t) => {
    const { cert, key } = createSelfSigned(['127.0.0.1'], 90, new Date(since));
    const pair = { ...tlsPair, cert, key };
    await using double = await createRegistryDouble({ tls: pair });
    await assert.rejects(ask(t, `${double.origin}/v2/`, { tls: { ca: [cert] } }), (error) => {
      assert.ok(isSvcError(error, 'SVC-REG-002'));
      assert.match(String(error.params.detail), new RegExp(said));
      assert.match(renderError(error, 'en').cause, /The clock of this machine says \d{4}-\d\d-\d\dT/);
      return true;
    });
  });

test('what the environment names and nothing uses is named where it would have mattered, and only there', async (t) => {
  await using folder = await openTempFolder();
  await using secure = await createRegistryDouble({ tls: tlsPair });
  const environment = toEnvironment({
    HTTPS_PROXY: 'proxy.test:3128',
    NODE_EXTRA_CA_CERTS: tlsPair.caFile,
    DOCKER_CONFIG: folder.path,
  });
  const failureOf = async (url: string, options: Partial<TransportOptions>) => {
    const error = await ask(t, url, { environment, ...options }).catch((caught: unknown) => caught);
    assert.ok(isSvcError(error), String(error));
    return renderError(error, 'en').action;
  };
  const proxied = / HTTPS_PROXY is set and not used; network.proxy.url is\./;
  const trusted = / NODE_EXTRA_CA_CERTS is set and not used; network.tls.caFiles is\./;
  const unknown = await failureOf('https://registry.invalid/v2/', {});
  assert.match(unknown, proxied);
  assert.doesNotMatch(unknown, trusted);
  const untrusted = await failureOf(`${secure.origin}/v2/`, {});
  assert.match(untrusted, trusted);
  assert.doesNotMatch(untrusted, proxied);
  const exempt = toEnvironment({ HTTPS_PROXY: 'http://proxy.test', NO_PROXY: 'a.test,.invalid' });
  assert.doesNotMatch(await failureOf('https://registry.invalid/v2/', { environment: exempt }), proxied);
});

const program = `
const { createTransport } = await import(process.argv[1]);
const report = { log() {}, audit() {}, meter: { add() {}, set() {} }, child: () => report };
const transport = createTransport({ report, insecure: [process.argv[3]] });
const outcome = (url) => transport.request({ method: 'GET', url: new URL(url) }).then(
  (answer) => { answer.body.resume(); return String(answer.status); },
  (error) => error.code + ' ' + error.params.detail,
);
console.log(JSON.stringify([await outcome(process.argv[2]), await outcome('http://' + process.argv[3] + '/v2/')]));
await transport[Symbol.asyncDispose]();
`;

test('the environment and the home folder change nothing', async () => {
  await using folder = await openTempFolder();
  await using secure = await createRegistryDouble({ tls: tlsPair });
  await using plain = await createRegistryDouble();
  await using proxy = await createTestProxy();
  await mkdir(join(folder.path, '.docker'));
  const auth = Buffer.from('user:password').toString('base64');
  await writeFile(
    join(folder.path, '.docker', 'config.json'),
    JSON.stringify({ auths: { [plain.host]: { auth } }, proxies: { default: { httpProxy: proxy.url } } }),
  );
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      program,
      join(import.meta.dirname, '../../../src/remote/transport/transport.ts'),
      `${secure.origin}/v2/`,
      plain.host,
    ],
    {
      env: {
        ...process.env,
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
        NODE_EXTRA_CA_CERTS: tlsPair.caFile,
        SSL_CERT_FILE: tlsPair.caFile,
        HTTP_PROXY: proxy.url,
        http_proxy: proxy.url,
        HTTPS_PROXY: proxy.url,
        https_proxy: proxy.url,
        ALL_PROXY: proxy.url,
        NODE_USE_ENV_PROXY: '1',
        NO_PROXY: '',
        no_proxy: '',
        HOME: folder.path,
        DOCKER_CONFIG: join(folder.path, '.docker'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  let complaints = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  await once(child, 'close');
  const [untrusted, reached] = JSON.parse(output || `["${complaints}"]`) as string[];
  assert.match(untrusted!, /^SVC-REG-002 .*(UNABLE_TO|SELF_SIGNED)/);
  assert.equal(reached, '200');
  assert.equal(secure.requests.length, 0);
  assert.equal(plain.requests[0]!.headers.authorization, undefined);
  assert.deepEqual(proxy.records, []);
});
