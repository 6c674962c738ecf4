import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReference, withoutCredentials } from '../../src/oci/reference.ts';

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
