import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSigner } from '../../src/attest/own-statement.ts';
import {
  type ReadReceipt,
  readReceipt,
  toInventory,
  toSubject,
  toZoneFile,
  withholdNames,
  writeReceipt,
} from '../../src/attest/receipt.ts';
import { hashBytes } from '../../src/base/digest.ts';
import { type Receipt, receiptLimits } from '../../src/contract/receipt.ts';
import { toSigner } from '../../src/signing/signer.ts';
import { toReceipt } from '../kit/content/receipt.ts';
import { createSigner } from '../kit/content/signer.ts';

const signer = toSigner(createSigner().privateKey);
const keys = [{ name: 'zone-b', key: signer.publicKey }];
const subjects = [toSubject(toZoneFile('zone-b'))];

const write = (receipt: Receipt): Buffer => writeReceipt(receipt, subjects, signer);

function read(bytes: Buffer): ReadReceipt {
  const found = readReceipt(bytes);
  assert.ok(!('flaw' in found), 'flaw' in found ? String(found.flaw) : '');
  return found;
}

function flawOf(bytes: Buffer): string {
  const found = readReceipt(bytes);
  assert.ok('flaw' in found, 'it is accepted');
  return String(found.flaw);
}

test('a receipt is read as it was written, and found to be signed by its key', () => {
  const receipt = toReceipt({
    sequence: 8,
    previous: hashBytes('seven'),
    lastDelivery: { id: 'dlv_3f9c01ab77de', part: 1, manifest: hashBytes('manifest') },
    recipes: [
      { name: 'shop', version: '1.4.0', digest: hashBytes('a'), state: 'present' },
      { name: 'till', version: '2.0.0', digest: hashBytes('b'), state: 'blocked', code: 'SVC-SIG-001' },
      { digest: hashBytes('c'), state: 'incomplete', missing: { files: 2, bytes: 100 } },
    ],
  });
  const found = read(write(receipt));
  assert.deepEqual(found.receipt, receipt);
  assert.deepEqual(found.subjects, subjects);
  const other = { name: 'zone-c', key: createSigner().publicKey };
  assert.equal(findSigner(found, [other, ...keys])?.name, 'zone-b');
  assert.equal(findSigner(found, [other]), undefined);
});

test('the digest of a receipt is that of what is signed, and does not change with the bundle around it', () => {
  const bytes = write(toReceipt());
  const bundle = JSON.parse(bytes.toString());
  const spaced = Buffer.from(JSON.stringify(bundle, null, 2));
  assert.notEqual(hashBytes(spaced), hashBytes(bytes));
  assert.equal(read(spaced).digest, read(bytes).digest);
  assert.equal(read(bytes).digest, hashBytes(Buffer.from(bundle.dsseEnvelope.payload, 'base64')));
  assert.notEqual(read(write(toReceipt({ sequence: 2 }))).digest, read(bytes).digest);
});

test('a receipt of forty recipes has at most 16 KB', () => {
  assert.ok(write(toReceipt({ recipes: 40 })).length <= 16_000);
});

test('without names, the digests of the recipes remain', () => {
  const receipt = withholdNames(toReceipt({ recipes: 3 }));
  const bytes = write(receipt);
  assert.deepEqual(read(bytes).receipt, receipt);
  assert.ok(!Buffer.from(JSON.parse(bytes.toString()).dsseEnvelope.payload, 'base64').includes('recipe-'));
});

test('the inventory is sorted, and has each blob once', () => {
  const [a, b] = [hashBytes('a'), hashBytes('b')].sort() as [string, string];
  assert.equal(toInventory([b, a, b] as never).bytes.toString(), `${a}\n${b}\n`);
});

test('bytes that are not a receipt are refused with a reason', () => {
  const other = (receipt: object): Buffer => write({ ...toReceipt(), ...receipt } as Receipt);
  assert.match(flawOf(Buffer.from('{}')), /not a Sigstore bundle/);
  assert.match(flawOf(other({ zone: '' })), /zone must not be empty/);
  assert.match(flawOf(other({ zone: undefined })), /zone is missing/);
  assert.match(flawOf(other({ sequence: 0 })), /sequence must be at least 1/);
  assert.match(flawOf(other({ sequence: 1.5 })), /sequence must be a whole number/);
  assert.match(flawOf(other({ issuedAt: 'yesterday' })), /issuedAt must be a time/);
  assert.match(flawOf(other({ recipes: [{ digest: 'sha256:00', state: 'present' }] })), /must be a digest/);
  assert.match(
    flawOf(other({ recipes: [{ digest: hashBytes('a'), state: 'lost' }] })),
    /state must be one of present, incomplete, blocked/,
  );
  const twice = { digest: hashBytes('a'), state: 'present' } as const;
  assert.match(flawOf(other({ recipes: [twice, twice] })), /names a recipe twice/);
  const none = writeReceipt(toReceipt(), [], signer);
  assert.match(flawOf(none), /subjects/);
});

test('a member around the signed bytes, which anybody may add, makes a receipt unreadable', () => {
  const places: readonly (readonly [name: string, place: (bundle: any) => any])[] = [
    ['/note', (bundle) => bundle],
    ['/verificationMaterial/note', (bundle) => bundle.verificationMaterial],
    ['/verificationMaterial/publicKey/note', (bundle) => bundle.verificationMaterial.publicKey],
    ['/dsseEnvelope/note', (bundle) => bundle.dsseEnvelope],
    ['/dsseEnvelope/signatures/0/note', (bundle) => bundle.dsseEnvelope.signatures[0]],
  ];
  for (const [path, place] of places) {
    const bundle = JSON.parse(write(toReceipt()).toString());
    place(bundle).note = 'approved by the board';
    assert.match(flawOf(Buffer.from(JSON.stringify(bundle))), new RegExp(`member ${path} is around`));
  }
});

test('a log entry, a time stamp, a key or a type that this program does not write makes a receipt unreadable', () => {
  const changes: Readonly<Record<string, (bundle: any) => unknown>> = {
    '/dsseEnvelope/signatures/0/keyid': (one) => (one.dsseEnvelope.signatures[0].keyid = 'zone-b'),
    '/verificationMaterial/tlogEntries': (one) =>
      (one.verificationMaterial.tlogEntries = [{ logIndex: '1' }]),
    '/verificationMaterial/timestampVerificationData': (one) =>
      (one.verificationMaterial.timestampVerificationData = { rfc3161Timestamps: [] }),
    '/mediaType': (one) => (one.mediaType = 'application/vnd.dev.sigstore.bundle+json;version=0.1'),
  };
  for (const [path, change] of Object.entries(changes)) {
    const bundle = JSON.parse(write(toReceipt()).toString());
    change(bundle);
    assert.match(flawOf(Buffer.from(JSON.stringify(bundle))), new RegExp(`member ${path} is around`));
  }
  const bundle = JSON.parse(write(toReceipt()).toString());
  bundle.verificationMaterial.publicKey.hint = 'other';
  assert.equal(findSigner(read(Buffer.from(JSON.stringify(bundle))), keys), undefined);
});

test('a member of a later version does not make a receipt unreadable', () => {
  const receipt = { ...toReceipt({ recipes: 1 }), weather: 'fine' };
  assert.deepEqual(read(write(receipt)).receipt, receipt);
});

test('the limits of a receipt are checked', () => {
  assert.equal(read(write(toReceipt({ recipes: receiptLimits.recipes }))).receipt.recipes.length, 10_000);
  assert.match(flawOf(write(toReceipt({ recipes: receiptLimits.recipes + 1 }))), /at most 10000 entries/);
  const valid = write(toReceipt());
  const filled = (size: number): Buffer => Buffer.concat([valid, Buffer.alloc(size - valid.length, ' ')]);
  read(filled(receiptLimits.bytes));
  assert.match(flawOf(filled(receiptLimits.bytes + 1)), /larger than 8 MiB/);
});

test('the largest receipt is verified within two seconds', () => {
  const missing = { files: 1_000_000, bytes: Number.MAX_SAFE_INTEGER };
  const { recipes } = toReceipt({ recipes: receiptLimits.recipes });
  const bytes = write(
    toReceipt({ recipes: recipes.map((one) => ({ ...one, state: 'incomplete' as const, missing })) }),
  );
  const begun = process.cpuUsage();
  assert.equal(findSigner(read(bytes), keys)?.name, 'zone-b');
  // of the processor: the machine may be busy
  const { user, system } = process.cpuUsage(begun);
  assert.ok(user + system < 2_000_000);
});

test('a receipt of which any byte was changed is refused, or states the same', () => {
  const bytes = write(toReceipt({ recipes: 1 }));
  const { digest } = read(bytes);
  assert.ok(findSigner(read(bytes), keys));
  for (let at = 0; at < bytes.length; at += 1)
    for (const flip of [1, 0x20, 0x80]) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= flip;
      const found = readReceipt(changed);
      const isRefused = 'flaw' in found || findSigner(found, keys) === undefined;
      assert.ok(isRefused || found.digest === digest, `byte ${at}`);
    }
});
