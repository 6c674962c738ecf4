import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectProxy } from '../../../src/remote/transport/proxy-route.ts';

const url = 'http://proxy.example:3128';
const route = (target: string, options: Parameters<typeof selectProxy>[1]) =>
  selectProxy(new URL(target), options)?.href;

test('one proxy takes everything, a second one the https destinations', () => {
  assert.equal(route('http://a.example/', { url }), `${url}/`);
  assert.equal(route('https://a.example/', { url }), `${url}/`);
  const httpsURL = 'https://secure.example:8443';
  assert.equal(route('https://a.example/', { url, httpsURL }), `${httpsURL}/`);
  assert.equal(route('http://a.example/', { url, httpsURL }), `${url}/`);
  assert.equal(route('http://a.example/', { httpsURL }), undefined);
  assert.equal(route('https://a.example/', {}), undefined);
});

test('loopback goes through the proxy too unless it is excepted', () => {
  assert.equal(route('http://127.0.0.1/', { url }), `${url}/`);
  assert.equal(route('http://localhost/', { url }), `${url}/`);
});

const table: readonly [entry: string, target: string, direct: boolean][] = [
  ['*', 'https://any.example/', true],
  ['a.example', 'https://a.example/', true],
  ['A.Example', 'https://a.example/', true],
  ['a.example', 'https://a.example:5000/', true],
  ['a.example:5000', 'https://a.example:5000/', true],
  ['a.example:443', 'https://a.example/', true],
  ['a.example:5000', 'https://a.example:5001/', false],
  ['a.example', 'https://b.a.example/', false],
  ['.example', 'https://b.a.example/', true],
  ['.a.example', 'https://a.example/', false],
  ['.example', 'https://badexample/', false],
  ['10.0.0.0/8', 'https://10.20.30.40/', true],
  ['10.0.0.0/8', 'https://11.0.0.1/', false],
  ['10.0.0.0/33', 'https://10.0.0.1/', false],
  ['10.0.0.0/', 'https://10.0.0.1/', false],
  ['10.0.0.0/8', 'https://name.example/', false],
  ['127.0.0.0/8', 'https://localhost/', false],
  ['fd00::/8', 'https://[fd12::1]/', true],
  ['fd00::/8', 'https://10.0.0.1/', false],
  ['10.0.0.7', 'https://10.0.0.7:8443/', true],
  ['', 'https://a.example/', false],
];
for (const [entry, target, direct] of table)
  test(`noProxy ${JSON.stringify(entry)} sends ${target} ${direct ? 'directly' : 'through the proxy'}`, () => {
    assert.equal(route(target, { url, noProxy: [entry] }), direct ? undefined : `${url}/`);
  });
