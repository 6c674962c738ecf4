import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findNewPasswordFlaw,
  findPasswordFlaw,
  parseName,
  parsePassword,
  parseRole,
} from '../../src/account/credential-rules.ts';
import { leastPasswordLength } from '../../src/base/least-password-length.ts';

test('names of letters, digits and . _ @ - up to 64 characters are accepted', () => {
  for (const name of ['a', '0', 'Ana.B_c@zone-1', 'x'.repeat(64)]) assert.equal(parseName(name), name);
});

test('any other name is refused', () => {
  for (const name of [
    '',
    '.a',
    '-a',
    'a b',
    'a/b',
    'a:b',
    'é',
    'x'.repeat(65),
    'a\n',
    'anonymous',
    'Anonymous',
    'system',
    'Schedule',
    'unauthenticated',
    'token',
    'local',
    7,
  ]) {
    assert.throws(() => parseName(name), { code: 'SVC-AUTH-008' }, JSON.stringify(name));
  }
});

test('a role is one of the three', () => {
  assert.equal(parseRole('operator'), 'operator');
  for (const role of ['', 'root', 'Admin', undefined])
    assert.throws(() => parseRole(role), { code: 'SVC-AUTH-008' });
});

test('passwords of 1 to 1024 bytes are accepted', () => {
  for (const password of ['x', 'pass word', 'ü'.repeat(512), '密'.repeat(341), 'svc', 'SVC_x']) {
    assert.equal(findPasswordFlaw(password), undefined);
  }
});

test('any other password is refused', () => {
  const refused = [
    '',
    'x'.repeat(1025),
    'ü'.repeat(513),
    'a\nb',
    'a\0',
    '\x7f',
    '\u0085',
    'svc_',
    'svc_abc',
    '\ud800',
    5,
  ];
  for (const password of refused) {
    assert.throws(() => parsePassword(password, 1), { code: 'SVC-AUTH-007' }, JSON.stringify(password));
  }
});

test('a new password has at least the characters that are asked for, whatever bytes they take', () => {
  const flaw = 'a password must have at least 12 characters';
  for (const password of ['x', 'eleven char', '密'.repeat(11), '🔑'.repeat(11)])
    assert.equal(String(findNewPasswordFlaw(password, leastPasswordLength)), flaw, password);
  for (const password of ['twelve chars', '密'.repeat(12), '🔑'.repeat(12)])
    assert.equal(findNewPasswordFlaw(password, leastPasswordLength), undefined, password);
  assert.match(String(findNewPasswordFlaw('twelve chars', 13)), /at least 13/);
});
