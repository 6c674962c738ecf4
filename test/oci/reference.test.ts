import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHost, parseReference, withoutCredentials } from '../../src/oci/reference.ts';

test('a reference is told without the credentials that were written before its host', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const cases = [
    ['user:password@reg.example/x:1', 'reg.example/x:1'],
    ['user:pa/ss@word@reg.example/x:1', 'reg.example/x:1'],
    [`user:password@reg.example/x@${digest}`, `reg.example/x@${digest}`],
    ['oci://user:password@reg.example/x', 'oci://reg.example/x'],
    [`reg.example/x:1@${digest}`, `reg.example/x:1@${digest}`],
    ['reg.example/x', 'reg.example/x'],
  ] as const;
  for (const [given, shown] of cases) assert.equal(withoutCredentials(given), shown);
  assert.throws(
    () => parseReference('user:password@reg.example/x:1'),
    (error: Error) => {
      assert.doesNotMatch(JSON.stringify(error), /password/);
      return true;
    },
  );
});

test('a host is a name or an address that a URL reads as it is written', () => {
  const hosts = ['registry', 'localhost:5000', 'a.example', '1.a', '127.0.0.1:5000', 'xn--bcher-kva.example'];
  for (const host of hosts) assert.equal(isHost(host), true, host);
  const others = ['1.8.0.0.1:5901', '127.1', '0x7f.1', '0177.0.0.1', '10.0.0.256', 'a.1', '1.2.3'];
  for (const host of others) assert.equal(isHost(host), false, host);
  for (const host of others)
    assert.throws(() => parseReference(`${host}/x:1`), { code: 'SVC-REG-001' }, host);
});
