import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createSelfSigned } from '../../../src/certificate/self-signed.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openMemoryFolder } from '../../kit/instance/memory-folder.ts';
import { expectAlerts } from '../../kit/program/alerts.ts';
import { parseScrape, type Scrape, scrape } from '../../kit/program/scrape.ts';
import { takeFreePort } from '../../kit/web/follow-page.ts';

test('refused credentials, refusals by policy, failed requests and a certificate near its end raise alerts', async (t) => {
  await using folder = await openMemoryFolder('svc-monitoring-');
  const days = 3;
  const pair = createSelfSigned(['localhost', '127.0.0.1'], days);
  setDefaultCACertificates([...getCACertificates('default'), pair.cert]);
  const [certFile, keyFile] = [join(folder.path, 'tls.crt'), join(folder.path, 'tls.key')];
  await writeFile(certFile, pair.cert);
  await writeFile(keyFile, pair.key, { mode: 0o600 });
  const absent = `127.0.0.1:${await takeFreePort()}`;
  await using instance = await startInstance({
    folder: folder.path,
    config: {
      server: { addr: '127.0.0.1:0', tls: { certFile, keyFile } },
      registries: { allowlist: [absent], insecure: [absent] },
      sync: { retries: 0, interval: '0' },
      storage: { root: join(folder.path, 'store'), occupancyThreshold: '1' },
    },
  });
  assert.match(instance.url, /^https:/);
  const scrapes: Scrape[] = [await scrape(instance)];
  const [first] = scrapes;
  const expiry = first!.value('svc_listener_certificate_expiry_timestamp_seconds{source="configured"}');
  assert.ok(Math.abs(expiry - (Date.now() / 1000 + days * 86_400)) < 86_400 / 2, `${expiry}`);
  assert.equal(first!.value('svc_authentication_failures_total{reason="wrong"}'), 0);
  assert.equal(first!.value('svc_store_occupancy_threshold_bytes'), 1);
  assert.equal(first!.value('svc_store_occupancy_exceeded'), 0);

  // fails for as long as the rule asks
  for (let round = 0; round < 4; round += 1) {
    for (let left = 8; left > 0; left -= 1) {
      const inspected = await instance.api('GET', `/import/inspect?reference=${absent}/app:v1`);
      assert.equal(inspected.status, 502, JSON.stringify(inspected.body));
      const refused = await instance.api('GET', '/import/inspect?reference=elsewhere.example/app:v1');
      assert.deepEqual([refused.status, refused.body.code], [403, 'SVC-POL-001']);
    }
    scrapes.push(await scrape(instance));
  }
  for (let left = 24; left > 0; left -= 1) {
    const wrong = await fetch(`${instance.url}/v2/`, {
      headers: { authorization: `Bearer svc_${'x'.repeat(43)}` },
    });
    assert.ok([401, 429].includes(wrong.status));
    await wrong.text();
  }
  const upload = await fetch(`${instance.url}/v2/app/blobs/uploads/?digest=sha256:${'0'.repeat(64)}`, {
    method: 'POST',
    headers: { authorization: instance.authorization },
    body: 'not what it says',
  });
  assert.equal(upload.status, 400, 'altered on its way');
  const last = await scrape(instance);
  scrapes.push(last);
  assert.equal(last.value('svc_http_requests_total{surface="api",method="GET",status="502"}'), 32);
  assert.ok(last.value('svc_http_request_duration_seconds_count{surface="api"}') >= 64);
  assert.equal(last.value('svc_policy_rejections_total{code="SVC-POL-001"}'), 32);
  assert.ok(last.value('svc_authentication_failures_total{reason="wrong"}') >= 10);
  assert.equal(
    last.value('svc_authentication_failures_total{reason="wrong"}') +
      last.value('svc_authentication_failures_total{reason="throttled"}'),
    24,
  );
  const among = [
    'SvcAuthenticationFailures',
    'SvcPolicyRejections',
    'SvcServerErrors',
    'SvcCertificateExpiring',
    'SvcCertificateNotYetValid',
    'SvcCertificateExpired',
  ];
  await expectAlerts(t, scrapes, [
    { minute: 2, firing: [], among },
    { minute: 22, firing: ['SvcPolicyRejections', 'SvcServerErrors'], among },
    { minute: 28, firing: ['SvcAuthenticationFailures', 'SvcPolicyRejections', 'SvcServerErrors'], among },
    { minute: 100, firing: ['SvcCertificateExpiring'], among },
  ]);
  await expectAlerts(
    t,
    [last, last],
    [{ minute: (days + 3) * 24 * 60, firing: ['SvcCertificateExpired', 'SvcCertificateExpiring'], among }],
    60,
  );
  // the same samples as they would be read a day before the certificate begins
  const start = last.value('svc_listener_certificate_start_timestamp_seconds{source="configured"}');
  assert.ok(Math.abs(start - (Date.now() / 1000 - 3600)) < 600, `${start}`);
  const early = parseScrape(last.text, start - 86_400);
  await expectAlerts(
    t,
    [early, early],
    [{ minute: 5, firing: ['SvcCertificateNotYetValid'], among: ['SvcCertificateNotYetValid'] }],
  );
});
