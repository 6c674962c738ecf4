import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { createClientAddress } from '../../server/client-address.ts';
import { loadAssets } from '../../server/ui/load-assets.ts';
import { startTestServer } from '../kit/instance/server.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const toClient = createClientAddress(['10.0.0.0/8', '192.0.2.7', '2001:db8::/64']);

function from(peer: string, headers: Record<string, string> = {}): string {
  return toClient({ socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage);
}

test('forwarding headers are used from a trusted proxy only', () => {
  const headers = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' };
  assert.equal(from('203.0.113.5', headers), '203.0.113.5');
  assert.equal(from('10.1.2.3', headers), '198.51.100.1');
  assert.equal(from('::ffff:10.1.2.3', headers), '198.51.100.1');
  assert.equal(from('10.1.2.3'), '10.1.2.3');
});

test('hops are read from the right and only through trusted proxies, so that a client cannot choose its address', () => {
  const list = (value: string) => from('10.1.2.3', { 'x-forwarded-for': value });
  assert.equal(list('1.1.1.1, 198.51.100.1'), '198.51.100.1');
  assert.equal(list('1.1.1.1, 198.51.100.1, 192.0.2.7'), '198.51.100.1');
  assert.equal(list('198.51.100.1:4711'), '198.51.100.1');
  assert.equal(list('[2001:db9::1]:4711'), '2001:db9::1');
  assert.equal(list('2001:db9::1, 2001:db8::5'), '2001:db9::1');
  for (const nonsense of ['unknown', '_hidden', '', ' , ', 'a.example', '999.1.1.1'])
    assert.equal(list(nonsense), '10.1.2.3', nonsense);
  assert.equal(list('198.51.100.1, unknown, 192.0.2.7'), '192.0.2.7');
});

test('Forwarded is parsed as in RFC 7239; when the two headers differ neither is used', () => {
  const forwarded = (value: string) => from('10.1.2.3', { forwarded: value });
  assert.equal(forwarded('for=1.1.1.1, For="198.51.100.1:80";proto=https;by=10.1.2.3'), '198.51.100.1');
  assert.equal(forwarded('proto=https;for="[2001:db9::1]:80"'), '2001:db9::1');
  assert.equal(forwarded('proto=https'), '10.1.2.3');
  const both = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.2' };
  assert.equal(from('10.1.2.3', both), '10.1.2.3');
});

test('behind a trusted proxy the failures of one client refuse no other one', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path, trustedProxies: ['127.0.0.1'] });
  const ask = async (client: string, password: string) => {
    const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
    const response = await fetch(`${server.url}/v2/`, {
      headers: { authorization, 'x-forwarded-for': client },
    });
    await response.arrayBuffer();
    return response.status;
  };
  for (let n = 0; n < 10; n += 1) assert.equal(await ask(`1.1.1.${n}, 198.51.100.1`, `wrong ${n}`), 401);
  assert.equal(await ask('198.51.100.1', 'admin password'), 429);
  assert.equal(await ask('198.51.100.2', 'admin password'), 200);
  const origins = new Set(server.report.audits.map(({ origin }) => origin));
  assert.deepEqual([...origins], ['198.51.100.1']);
});

test('the scheme of the browser decides about the opener policy, and only a trusted proxy may tell it', async () => {
  const asset = (await loadAssets()).pathOf('app.css');
  for (const [trustedProxies, headers, expected] of [
    [['127.0.0.1'], { 'x-forwarded-proto': 'https' }, 'same-origin'],
    [['127.0.0.1'], { 'x-forwarded-proto': 'https, http' }, 'same-origin'],
    [['127.0.0.1'], { forwarded: 'for=192.0.2.1;proto=https' }, 'same-origin'],
    [['127.0.0.1'], { 'x-forwarded-proto': 'http' }, null],
    [['127.0.0.1'], {}, null],
    [['10.0.0.0/8'], { 'x-forwarded-proto': 'https' }, null],
    [[], { 'x-forwarded-proto': 'https' }, null],
  ] as const) {
    await using folder = await openTempFolder();
    await using server = await startTestServer({ folder: folder.path, trustedProxies });
    for (const path of ['/login', '/', '/no/such/page', asset]) {
      const answer = await fetch(`${server.url}${path}`, {
        redirect: 'manual',
        headers: { accept: 'text/html', ...headers },
      });
      await answer.arrayBuffer();
      const name = `${path} ${JSON.stringify([trustedProxies, headers])}`;
      assert.equal(answer.headers.get('cross-origin-opener-policy'), expected, name);
    }
  }
});
