import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentReport } from '../../src/base/report.ts';
import { openListenerCertificate, readKeptCertificate } from '../../src/certificate/listener-certificate.ts';
import { createSelfSigned } from '../../src/certificate/self-signed.ts';
import type { TlsPair } from '../../src/certificate/tls-pair.ts';
import { isSvcError } from '../../src/text/error.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const report = silentReport;

test('a generated certificate names its hosts and loopback, and verifies itself', () => {
  const { cert } = createSelfSigned(['svc.example', 'localhost', '10.0.0.1', '2001:db8::1'], 30);
  const certificate = new X509Certificate(cert);
  assert.ok(certificate.verify(certificate.publicKey));
  for (const host of ['svc.example', 'localhost']) assert.equal(certificate.checkHost(host), host);
  for (const address of ['10.0.0.1', '2001:db8::1'])
    assert.ok(certificate.checkIP(address) !== undefined, address);
  assert.equal(certificate.checkHost('other.example'), undefined);
  const days = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 86_400_000;
  assert.ok(days > 30 && days < 30.1);
});

test('a validity that passes the year 2050 still parses', () => {
  const certificate = new X509Certificate(createSelfSigned(['x'], 40 * 365).cert);
  assert.ok(Date.parse(certificate.validTo) > Date.UTC(2060, 0));
});

test('the pair of the state root keeps its fingerprint until the hosts change', async () => {
  await using folder = await openTempFolder();
  const open = (hosts: readonly string[]) =>
    openListenerCertificate({ stateRoot: folder.path, hosts, report });
  const first = await open(['svc.example', '2001:DB8::1']);
  assert.equal(first.description.selfSigned, true);
  assert.equal(first.description.source, 'generated');
  const again = await open(['svc.example', '2001:DB8::1']);
  assert.equal(again.description.fingerprintSha256, first.description.fingerprintSha256);
  assert.equal(await readKeptCertificate(folder.path), first.pair.cert);
  const other = await open(['other.example']);
  assert.notEqual(other.description.fingerprintSha256, first.description.fingerprintSha256);
  const names = await readdir(join(folder.path, 'tls'));
  assert.deepEqual(names, ['generated-2']);
  const { mode } = await stat(join(folder.path, 'tls', 'generated-2', 'key.pem'));
  assert.equal(mode & 0o077, 0);
});

test('without a state root a pair is made at each start', async () => {
  const first = await openListenerCertificate({ hosts: [], report });
  const second = await openListenerCertificate({ hosts: [], report });
  assert.notEqual(first.description.fingerprintSha256, second.description.fingerprintSha256);
  assert.equal(first.replaceable, false);
});

test('a replacement is kept over a restart, whatever the hosts, and told to the listener', async () => {
  await using folder = await openTempFolder();
  const certificate = await openListenerCertificate({ stateRoot: folder.path, hosts: [], report });
  const told: TlsPair[] = [];
  const stop = certificate.watch((pair) => told.push(pair));
  const next = createSelfSigned(['chosen.example'], 10);
  const description = await certificate.replace(next);
  stop();
  assert.equal(description.source, 'adopted');
  assert.deepEqual(told, [next]);
  const again = await openListenerCertificate({ stateRoot: folder.path, hosts: ['changed'], report });
  assert.deepEqual(again.pair, next);
});

test('of two replacements that rest on the same certificate the second is refused', async () => {
  await using folder = await openTempFolder();
  const certificate = await openListenerCertificate({ stateRoot: folder.path, hosts: [], report });
  const shown = { fingerprint: certificate.description.fingerprintSha256 };
  const [first, second] = ['one.example', 'two.example'].map((host) => createSelfSigned([host], 10));
  const [done, refused] = await Promise.allSettled([
    certificate.replace(first!, shown),
    certificate.replace(second!, shown),
  ]);
  assert.equal(done.status, 'fulfilled');
  assert.ok(refused.status === 'rejected' && isSvcError(refused.reason, 'SVC-SRV-007'));
  assert.deepEqual(certificate.pair, first);
});

test('a replacement that cannot serve is refused and changes nothing', async () => {
  await using folder = await openTempFolder();
  const certificate = await openListenerCertificate({ stateRoot: folder.path, hosts: [], report });
  const before = certificate.description.fingerprintSha256;
  const one = createSelfSigned(['a'], 1);
  const two = createSelfSigned(['b'], 1);
  const expired = createSelfSigned(['c'], 1, new Date(Date.now() - 3 * 86_400_000));
  const early = createSelfSigned(['d'], 1, new Date(Date.now() + 3 * 86_400_000));
  for (const pair of [{ cert: one.cert, key: two.key }, { cert: 'no', key: 'no' }, expired, early]) {
    await assert.rejects(certificate.replace(pair), (error) => isSvcError(error, 'SVC-NET-004'));
  }
  assert.equal(certificate.description.fingerprintSha256, before);
});

test('a supplied pair is read again when its files change, and half a change keeps the old one', async () => {
  await using folder = await openTempFolder();
  const certFile = join(folder.path, 'cert.pem');
  const keyFile = join(folder.path, 'key.pem');
  const first = createSelfSigned(['first'], 1);
  const second = createSelfSigned(['second'], 1);
  const put = async (path: string, text: string) => {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  };
  await put(certFile, first.cert);
  await put(keyFile, first.key);
  const certificate = await openListenerCertificate({ certFile, keyFile, hosts: [], report, interval: 5 });
  assert.equal(certificate.description.source, 'configured');
  let told: (pair: TlsPair) => void = () => {};
  const changed = new Promise<TlsPair>((resolve) => {
    told = resolve;
  });
  // The timer of the watch does not keep the process: the test does.
  const alive = setInterval(() => {}, 1000);
  const stop = certificate.watch((pair) => told(pair));
  try {
    await put(certFile, second.cert);
    await put(keyFile, second.key);
    assert.deepEqual(await changed, second);
    assert.match(certificate.description.subject, /second/);
  } finally {
    stop();
    clearInterval(alive);
  }
  await assert.rejects(certificate.replace(first), (error) => isSvcError(error, 'SVC-CFG-001'));
});

test('a supplied pair that does not fit together is refused at start', async () => {
  await using folder = await openTempFolder();
  const certFile = join(folder.path, 'cert.pem');
  const keyFile = join(folder.path, 'key.pem');
  await writeFile(certFile, createSelfSigned(['a'], 1).cert);
  await writeFile(keyFile, createSelfSigned(['b'], 1).key);
  await assert.rejects(openListenerCertificate({ certFile, keyFile, hosts: [], report }), (error) =>
    isSvcError(error, 'SVC-NET-003'),
  );
  await assert.rejects(
    openListenerCertificate({ certFile, keyFile: join(folder.path, 'none'), hosts: [], report }),
    (error) => isSvcError(error, 'SVC-NET-003'),
  );
});

test('of a certificate and a key in one file, only the certificates are the chain', async () => {
  await using folder = await openTempFolder();
  const { cert, key } = createSelfSigned(['a'], 1);
  const file = join(folder.path, 'combined.pem');
  const combined = `# comment\r\n${key}${cert}`;
  await writeFile(file, combined);
  const supplied = await openListenerCertificate({ certFile: file, keyFile: file, hosts: [], report });
  assert.deepEqual(supplied.pair, { cert, key });
  const own = await openListenerCertificate({ stateRoot: folder.path, hosts: [], report });
  await own.replace({ cert: combined, key: combined });
  assert.deepEqual(own.pair, { cert, key });
  assert.equal(await readKeptCertificate(folder.path), cert);
});

test('a pair that an earlier version kept with its key in the chain is served without the key', async () => {
  await using folder = await openTempFolder();
  const { cert, key } = createSelfSigned(['a'], 1);
  const first = await openListenerCertificate({ stateRoot: folder.path, hosts: [], report });
  await first.replace({ cert, key });
  const [name] = await readdir(join(folder.path, 'tls'));
  await writeFile(join(folder.path, 'tls', name!, 'certificate.pem'), `${cert}${key}`);
  const again = await openListenerCertificate({ stateRoot: folder.path, hosts: [], report });
  assert.deepEqual(again.pair, { cert, key });
});

test('a chain that clients refuse, one with strangers, and an encrypted key are refused with their reason', async () => {
  await using folder = await openTempFolder();
  const { cert, key } = createSelfSigned(['a'], 1);
  const stranger = createSelfSigned(['stranger'], 1);
  const encrypted = createPrivateKey(key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' })
    .toString();
  const certificate = await openListenerCertificate({ stateRoot: folder.path, hosts: [], report });
  const cases: readonly (readonly [TlsPair, RegExp])[] = [
    [{ cert: cert.repeat(300), key }, /the chain has 300 certificates/],
    [{ cert: `${cert}${stranger.cert}`, key }, /issued none of it: .*stranger/],
    [{ cert, key: encrypted }, /the key is encrypted/],
    [{ cert: key, key }, /the certificate is not PEM/],
    [{ cert, key: cert }, /the key is not PEM/],
  ];
  for (const [pair, reason] of cases)
    await assert.rejects(certificate.replace(pair), (error) => {
      assert.ok(isSvcError(error, 'SVC-NET-004'));
      assert.match(String(error.cause), reason);
      return true;
    });
  await writeFile(join(folder.path, 'long.pem'), cert.repeat(300));
  await writeFile(join(folder.path, 'key.pem'), key);
  await assert.rejects(
    openListenerCertificate({
      certFile: join(folder.path, 'long.pem'),
      keyFile: join(folder.path, 'key.pem'),
      hosts: [],
      report,
    }),
    (error) => isSvcError(error, 'SVC-NET-003'),
  );
});

const inTenYears = () => new Date(Date.now() + 3650 * 86_400_000);

test('a certificate that was generated while the clock was ahead is replaced once the clock is right', async (t) => {
  await using folder = await openTempFolder();
  const open = () => openListenerCertificate({ stateRoot: folder.path, hosts: [], report, interval: 5 });
  t.mock.timers.enable({ apis: ['Date'], now: inTenYears() });
  const ahead = await open();
  const early = ahead.description;
  t.mock.timers.reset();
  // the clock is put right while the instance runs
  const alive = setInterval(() => {}, 1000);
  const renewed = Promise.withResolvers<void>();
  const stop = ahead.watch(() => renewed.resolve());
  await renewed.promise;
  stop();
  clearInterval(alive);
  assert.ok(Date.parse(ahead.description.notBefore) <= Date.now());
  assert.notEqual(ahead.description.fingerprintSha256, early.fingerprintSha256);
  const again = await open();
  assert.equal(again.description.fingerprintSha256, ahead.description.fingerprintSha256);
});

test('a generated certificate of the future is replaced at the next start', async (t) => {
  await using folder = await openTempFolder();
  const open = () => openListenerCertificate({ stateRoot: folder.path, hosts: [], report });
  t.mock.timers.enable({ apis: ['Date'], now: inTenYears() });
  const { fingerprintSha256 } = (await open()).description;
  t.mock.timers.reset();
  const { description } = await open();
  assert.notEqual(description.fingerprintSha256, fingerprintSha256);
  assert.ok(Date.parse(description.notBefore) <= Date.now());
});

test('a supplied certificate that is not valid yet, or no more, is served and logged', async () => {
  await using folder = await openTempFolder();
  const [certFile, keyFile] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
  for (const [at, message] of [
    [inTenYears(), 'listener certificate is not valid yet; check the clock'],
    [new Date(Date.now() - 3 * 86_400_000), 'listener certificate has expired'],
  ] as const) {
    const pair = createSelfSigned(['a'], 1, at);
    await writeFile(certFile, pair.cert);
    await writeFile(keyFile, pair.key);
    const recording = createRecordingReport();
    await openListenerCertificate({ certFile, keyFile, hosts: [], report: recording });
    assert.deepEqual(
      recording.records.map(({ level, message: text }) => [level, text]),
      [['warn', message]],
    );
  }
});
