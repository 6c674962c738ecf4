import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { toMediumExitCode } from '../../../src/engine/medium/report.ts';
import { type BuiltMedium, buildMedium } from '../../kit/medium.ts';
import { trust, verifyCarried } from '../../kit/verify-carried.ts';

let medium: BuiltMedium;
before(async () => {
  medium = await buildMedium();
});
after(() => medium[Symbol.asyncDispose]());

test('a medium as its maker left it is pushable, every recipe by its signature', async () => {
  const { report, cleared } = await verifyCarried(await medium.carry(), trust(medium.signer));
  assert.deepEqual(report.blocks, []);
  assert.deepEqual(report.findings, []);
  assert.equal(report.verdict, 'pushable');
  assert.equal(toMediumExitCode(report), 0);
  assert.deepEqual(
    report.recipes.map(({ name, pushable, keyFingerprint }) => [name, pushable, keyFingerprint]),
    [
      ['shop', true, medium.signer.fingerprint],
      ['depot', true, medium.signer.fingerprint],
    ],
  );
  assert.equal(cleared.length, 2);
  assert.equal(report.checked.files, report.medium!.files);
  assert.equal(report.checked.bytes, report.medium!.bytes);
});
