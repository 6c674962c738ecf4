import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderMediumReport } from '../../../commands/media/render-medium.ts';
import { passportPath } from '../../../src/attest/passport.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import type { Passport } from '../../../src/contract/passport.ts';
import type { PassportGuard } from '../../../src/engine/medium/judge-passport.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import type { CarriedMedium } from '../../kit/scene/carried-medium.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';
import { stampPassport } from '../../kit/scene/stamp-passport.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

const newSigner = () => toSigner(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
const [sender, stranger, other] = [newSigner(), newSigner(), newSigner()];
const medium = await buildMedium();
test.after(() => medium[Symbol.asyncDispose]());
const delivery = { id: 'dlv_0123456789ab', part: 1, parts: 2 };
const now = Date.parse('2026-03-01T00:00:00Z');

const guard = (required: boolean): PassportGuard => ({
  keys: [
    { name: 'source', key: sender.publicKey },
    { name: 'other', key: other.publicKey },
  ],
  required,
});

const stamp = (part: CarriedMedium, change: Partial<Passport> = {}, by = sender): Promise<void> =>
  stampPassport(part, by, change);

const carry = () => carryPart(medium, { delivery });

const verify = (part: CarriedMedium, passports: PassportGuard, stale = false, zoneMismatch = false) =>
  verifyCarried(part.root, trust(medium.signer), {
    passports,
    now: () => now,
    waive: { zoneMismatch, stale },
  });

async function judge(part: CarriedMedium, passports: PassportGuard, stale = false) {
  const { report } = await verify(part, passports, stale);
  return report.blocks.map(({ code, waived }) => `${code}${waived ? ' waived' : ''}`);
}

test('a passport of the sender passes, and a medium without one passes unless it is required', async () => {
  const part = await carry();
  assert.deepEqual(await judge(part, guard(false)), []);
  assert.deepEqual(await judge(part, guard(true)), ['SVC-MED-042']);
  await stamp(part);
  assert.deepEqual(await judge(part, guard(true)), []);
  assert.deepEqual(await judge(part, { keys: [], required: false }), []);
  assert.deepEqual(await judge(part, { keys: [], required: true }), ['SVC-MED-042']);
});

const wrong: Readonly<Record<string, (part: CarriedMedium) => Promise<unknown>>> = {
  'of another key': (part) => stamp(part, {}, stranger),
  'for another zone': (part) => stamp(part, { zone: 'zone-c' }),
  'for another part': (part) => stamp(part, { delivery: { ...delivery, part: 2 } }),
  'for another delivery': (part) => stamp(part, { delivery: { ...delivery, id: 'dlv_ffffffffffff' } }),
  'for another medium': (part) => stamp(part, { mediaId: '00000000-0000-4000-8000-000000000000' }),
  'with a base that the medium does not have': (part) =>
    stamp(part, { base: { zone: 'zone-b', receipt: hashBytes('x'), sequence: 1 } }),
  'that lacks a recipe of the medium': (part) => stamp(part, { recipes: [] }),
  'with another version of a recipe': (part) =>
    stamp(part, {
      recipes: medium.records.map(({ name, digest }) => ({ name, version: '9.9.9', digest })),
    }),
  'with the name of another sender': (part) => stamp(part, { from: 'other' }),
  'of a medium that was changed afterwards': async (part) => {
    await stamp(part);
    await part.editManifest((header, lines) => {
      header.writtenAt = '2026-02-03T00:00:00Z';
      return lines;
    });
  },
  'that is no bundle': async (part) => {
    await mkdir(join(part.root, '_svc'), { recursive: true });
    await writeFile(join(part.root, passportPath), '{}');
  },
  'that is empty': async (part) => {
    await mkdir(join(part.root, '_svc'), { recursive: true });
    await writeFile(join(part.root, passportPath), '');
  },
  'over its limit': async (part) => {
    await stamp(part);
    await writeFile(join(part.root, passportPath), Buffer.alloc((8 << 20) + 1, 0x20));
  },
};
for (const [name, spoil] of Object.entries(wrong))
  test(`a passport blocks the medium, required or not: one ${name}`, async () => {
    const part = await carry();
    await spoil(part);
    for (const required of [true, false])
      for (const stale of [true, false])
        assert.deepEqual(await judge(part, guard(required), stale), ['SVC-MED-042']);
  });

test('a passport of an unknown key names the key, as its fingerprint', async () => {
  const part = await carry();
  await stamp(part, {}, stranger);
  const { report } = await verify(part, guard(false));
  assert.match(String(report.blocks[0]?.params.detail), new RegExp(`names the key ${stranger.fingerprint}`));
});

test('each altered byte of a passport is noticed', async () => {
  const part = await carry();
  await stamp(part);
  const path = join(part.root, passportPath);
  const bytes = await readFile(path);
  // the unsigned hint of the key decides nothing
  let unnoticed = 0;
  for (let i = 0; i < bytes.length; i += 97) {
    const altered = Buffer.from(bytes);
    altered[i]! ^= 1;
    await writeFile(path, altered);
    if ((await judge(part, guard(true))).length === 0) unnoticed += 1;
  }
  assert.ok(unnoticed <= 2, `${unnoticed}`);
  await rm(path);
});

test('the report says that a passport is valid, who signed it and until when', async () => {
  const part = await carry();
  assert.equal((await verify(part, guard(false))).report.passport, undefined);
  await stamp(part);
  assert.deepEqual((await verify(part, guard(false))).report.passport, { signer: 'source' });
  // a sender without a peer of its name, and one that has two names for its key
  const keys = [...guard(false).keys, { name: 'source-2', key: sender.publicKey }];
  for (const from of ['elsewhere', 'source-2']) {
    await stamp(part, { from });
    const { report } = await verify(part, { ...guard(false), keys });
    assert.deepEqual(report.passport, { signer: 'source' });
  }
  const en = { language: 'en', width: 200 } as const;
  const issuedAt = '2026-03-03T00:00:00Z';
  await stamp(part, { issuedAt });
  const ahead = (await verify(part, guard(false))).report;
  assert.deepEqual(ahead.passport, { signer: 'source', ahead: issuedAt });
  assert.match(
    renderMediumReport(ahead, '/mnt', en),
    /valid, signed by source; dated 3 Mar 2026, 00:00:00 UTC, more than a day ahead: a clock is wrong/,
  );
  const expiresAt = '2026-03-01T00:00:01Z';
  await stamp(part, { expiresAt });
  const { report } = await verify(part, guard(true));
  assert.deepEqual(report.passport, { signer: 'source', expiresAt });
  assert.match(
    renderMediumReport(report, '/mnt', en),
    /^passport +valid, signed by source, until 1 Mar 2026, 00:00:01 UTC$/m,
  );
  assert.equal((await verify(part, { keys: [], required: false })).report.passport, undefined);
  await stamp(part, {}, stranger);
  assert.equal((await verify(part, guard(false))).report.passport, undefined);
});

test('an expired passport is refused, and an administrator may waive it', async () => {
  const part = await carry();
  await stamp(part, { expiresAt: '2026-02-28T23:59:59Z' });
  assert.deepEqual(await judge(part, guard(false)), ['SVC-MED-043']);
  assert.deepEqual(await judge(part, guard(true), true), ['SVC-MED-043 waived']);
  await stamp(part, { expiresAt: '2026-03-01T00:00:01Z' });
  assert.deepEqual(await judge(part, guard(true)), []);
});

test('the passport of a disk of another zone is right for it: the zone alone is refused, and may be waived', async () => {
  const part = await carry();
  await part.editManifest((header, lines) => {
    header.zone = 'zone-c';
    return lines;
  });
  await stamp(part);
  for (const required of [true, false]) {
    assert.deepEqual(await judge(part, guard(required)), ['SVC-MED-006']);
    const { report, cleared } = await verify(part, guard(required), false, true);
    assert.deepEqual(
      report.blocks.map(({ code, waived }) => [code, waived]),
      [['SVC-MED-006', true]],
    );
    assert.deepEqual(report.passport, { signer: 'source' });
    assert.equal(cleared.length, medium.records.length);
  }
  // one that names the zone that verifies, on a disk of another one, is wrong
  await stamp(part, { zone: 'zone-b' });
  const { report } = await verify(part, guard(false), true, true);
  assert.deepEqual(
    report.blocks.map(({ code, waived }) => [code, waived]),
    [
      ['SVC-MED-006', true],
      ['SVC-MED-042', false],
    ],
  );
});

test('a part that says nothing of the others completes a delivery only with a passport', async () => {
  for (const isStamped of [false, true]) {
    await using there = await createRegistryDouble();
    const state = join(medium.folder, `state-${isStamped}`);
    const part = await carryPart(medium, { delivery: { ...delivery, part: 2 } });
    if (isStamped) await stamp(part);
    const options = { state, passports: guard(false), now: () => now };
    const one = await importCarried(part.root, [medium.signer], there, options);
    assert.equal(one.error, undefined);
    // somebody may have left out recipes whose content is on the other part
    const { complete, needed } = one.task.delivery!;
    assert.deepEqual([complete, needed], isStamped ? [true, []] : [false, [1]]);
    const other = await carryPart(medium, { delivery });
    if (isStamped) await stamp(other);
    const both = await importCarried(other.root, [medium.signer], there, options);
    assert.deepEqual([both.task.delivery?.complete, both.task.delivery?.needed], [true, []]);
  }
});
