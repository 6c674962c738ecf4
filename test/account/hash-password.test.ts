import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPasswordHasher } from '../../src/account/hash-password.ts';

const quick = { timeCost: 1, memoryCost: 64, parallelism: 1 };

test('a hash names argon2id with three passes, 64 MiB and two limiter', async () => {
  const hasher = createPasswordHasher();
  const encoded = await hasher.hash('correct horse');
  assert.match(encoded, /^\$argon2id\$v=19\$m=65536,t=3,p=2\$/);
  assert.match(hasher.decoy, /^\$argon2id\$v=19\$m=65536,t=3,p=2\$/);
  assert.equal(await hasher.verify(encoded, 'ann', 'correct horse'), true);
  assert.equal(await hasher.verify(encoded, 'ann', 'correct horse '), false);
});

test('the decoy is a hash that can be verified and that no password matches', async () => {
  const hasher = createPasswordHasher(quick);
  assert.equal(await hasher.verify(hasher.decoy, 'ann', ''), false);
  assert.equal(await hasher.verify(hasher.decoy, 'ann', 'anything'), false);
});

test('two hashes run and 32 wait; the next is refused at once', async () => {
  const hasher = createPasswordHasher(quick);
  const admitted = Array.from({ length: 34 }, (_, i) => hasher.hash(`password ${i}`));
  await assert.rejects(hasher.hash('one too many'), { code: 'SVC-SRV-006' });
  await assert.rejects(hasher.verify(hasher.decoy, 'ann', 'one too many'), { code: 'SVC-SRV-006' });
  assert.equal((await Promise.all(admitted)).length, 34);
  assert.equal(typeof (await hasher.hash('room again')), 'string');
});

test('identical checks in flight share one hash, different ones do not', async () => {
  const hasher = createPasswordHasher(quick);
  const encoded = await hasher.hash('same');
  const shared = Array.from({ length: 100 }, () => hasher.verify(encoded, 'ann', 'same'));
  assert.deepEqual(new Set(await Promise.all(shared)), new Set([true]));
  const distinct = Array.from({ length: 100 }, (_, i) => hasher.verify(encoded, 'ann', `other ${i}`));
  const refused = (await Promise.allSettled(distinct)).filter((result) => result.status === 'rejected');
  assert.equal(refused.length, 66);
});
