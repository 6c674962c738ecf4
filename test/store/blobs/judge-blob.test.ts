import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toReadError } from '../../../src/disk/read-error.ts';
import { isDamage } from '../../../src/store/blobs/judge-blob.ts';
import { svcError } from '../../../src/text/error.ts';

const failed = (code: string) => toReadError(Object.assign(new Error(code), { code }), 'blobs/sha256/x');

test('a read that fails for descriptors, memory or a device is not damage, and has its own code', () => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO', 'ENODEV', 'ESTALE']) {
    assert.equal(failed(code).code, 'SVC-STO-014', code);
    assert.equal(isDamage(failed(code)), false, code);
  }
});

test('missing permissions prove nothing about the bytes of a file', () => {
  assert.equal(failed('EACCES').code, 'SVC-STO-001');
  assert.equal(isDamage(failed('EACCES')), false);
});

test('other bytes, another size, no file and a file that the disk has lost are damage', () => {
  for (const code of ['ENOENT', 'ELOOP', 'EUCLEAN']) assert.equal(isDamage(failed(code)), true, code);
  assert.equal(isDamage(svcError('SVC-STO-001', { path: 'x', detail: '1 bytes instead of 2' })), true);
  assert.equal(isDamage(svcError('SVC-SIG-002', { reference: 'x', expected: 'a', actual: 'b' })), true);
});
