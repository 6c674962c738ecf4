import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInnerAddress, toLiteralAddress } from '../../../src/remote/transport/address.ts';

const inner = [
  '127.0.0.1',
  '127.255.255.254',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fdff::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '64:ff9b::10.0.0.1',
  '2002:7f00:1::',
];
const outer = [
  '8.8.8.8',
  '172.32.0.1',
  '172.15.255.255',
  '203.0.113.5',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::',
];

for (const address of inner)
  test(`${address} is not of the public Internet`, () => assert.ok(isInnerAddress(address)));
for (const address of outer) test(`${address} is public`, () => assert.ok(!isInnerAddress(address)));

test('a host that is an address is recognised however the URL wrote it', () => {
  const of = (url: string) => toLiteralAddress(new URL(url).hostname);
  assert.equal(of('http://0x7f.1/'), '127.0.0.1');
  assert.equal(of('http://2130706433/'), '127.0.0.1');
  assert.equal(of('http://[::1]/'), '::1');
  assert.equal(of('http://localhost/'), '127.0.0.1');
  assert.equal(of('http://a.localhost./'), '127.0.0.1');
  assert.equal(of('http://registry.example/'), undefined);
});
