import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBundle, toBundleBytes } from '../../src/attest/bundle.ts';
import { parsePreAuthEncoding, payloadType, preAuthEncoding } from '../../src/attest/envelope.ts';
import { parseApproval, toApproval } from '../../src/attest/payload.ts';
import { signPredicate } from '../../src/attest/predicate-types.ts';
import { readSignature } from '../../src/attest/read-signature.ts';
import { isSignedBy } from '../../src/attest/signed-by.ts';
import { isSubjectNamed, toStatementBytes } from '../../src/attest/statement.ts';
import { hashBytes } from '../../src/base/digest.ts';
import { toSigner } from '../../src/signing/signer.ts';
import { createSigner } from '../kit/content/signer.ts';

const { privateKey, publicKey } = createSigner();
const signer = toSigner(privateKey);
const subject = hashBytes('subject');
const predicateType = 'urn:svc:receipt:v1';

function toBundle(): any {
  const payload = toStatementBytes({
    subjects: [{ name: 'a', digest: subject }],
    predicateType,
    predicate: { sequence: 7, blobs: ['x', 'y'] },
  });
  const signature = signer.sign(preAuthEncoding(payloadType, payload));
  return JSON.parse(toBundleBytes(payload, signature, publicKey).toString());
}

/** Whether a bundle states this of the subject, under the key. */
function holds(bundle: unknown): boolean {
  const read = readBundle(Buffer.from(JSON.stringify(bundle)));
  return (
    !('flaw' in read) &&
    read.predicateType === predicateType &&
    isSubjectNamed(read, subject) &&
    isSignedBy(publicKey, read.signed, read.signature)
  );
}

/** Every way to a value of a document that is not a container. */
function* listLeaves(node: any, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof node !== 'object' || node === null) yield path;
  else for (const name of Object.keys(node)) yield* listLeaves(node[name], [...path, name]);
}

function change(document: any, path: readonly string[], to: (value: any) => unknown): void {
  const parent = path.slice(0, -1).reduce((node, name) => node[name], document);
  const value = to(parent[path.at(-1)!]);
  if (value === undefined) delete parent[path.at(-1)!];
  else parent[path.at(-1)!] = value;
}

test('a statement holds as it was signed, and with no value of it changed or left out', () => {
  assert.ok(holds(toBundle()));
  const statement = JSON.parse(Buffer.from(toBundle().dsseEnvelope.payload, 'base64').toString());
  const leaves = [...listLeaves(statement)];
  assert.deepEqual(
    leaves.map((path) => path.join('.')),
    [
      '_type',
      'subject.0.name',
      'subject.0.digest.sha256',
      'predicateType',
      'predicate.sequence',
      'predicate.blobs.0',
      'predicate.blobs.1',
    ],
  );
  for (const path of leaves)
    for (const to of [(value: unknown) => `${value}0`, () => null, () => undefined]) {
      const changed = structuredClone(statement);
      change(changed, path, to);
      const bundle = toBundle();
      bundle.dsseEnvelope.payload = Buffer.from(JSON.stringify(changed)).toString('base64');
      assert.ok(!holds(bundle), `${path.join('.')} ${to}`);
    }
});

test('every bit of payload and signature counts, and what is no bundle of one key is refused', () => {
  const { dsseEnvelope } = toBundle();
  for (const [get, set] of [
    [() => dsseEnvelope.payload, (bundle: any, text: string) => (bundle.dsseEnvelope.payload = text)],
    [
      () => dsseEnvelope.signatures[0].sig,
      (bundle: any, text: string) => (bundle.dsseEnvelope.signatures[0].sig = text),
    ],
  ] as const) {
    const bytes = Buffer.from(get(), 'base64');
    for (let i = 0; i < bytes.length; i += 1) {
      const flipped = Buffer.from(bytes);
      flipped[i]! ^= 1 << (i % 8);
      const bundle = { ...toBundle(), dsseEnvelope: structuredClone(dsseEnvelope) };
      set(bundle, flipped.toString('base64'));
      assert.ok(!holds(bundle), `byte ${i}`);
    }
  }
  for (const spoil of [
    (bundle: any) => (bundle.mediaType = 'application/json'),
    (bundle: any) => delete bundle.mediaType,
    (bundle: any) => delete bundle.verificationMaterial,
    (bundle: any) => (bundle.verificationMaterial = { certificate: { rawBytes: 'AAAA' } }),
    (bundle: any) => (bundle.dsseEnvelope.payloadType = 'application/json'),
    (bundle: any) => bundle.dsseEnvelope.signatures.push(bundle.dsseEnvelope.signatures[0]),
    (bundle: any) => (bundle.dsseEnvelope.signatures = []),
    (bundle: any) => (bundle.dsseEnvelope.signatures[0].sig += '!'),
    (bundle: any) => delete bundle.dsseEnvelope,
  ]) {
    const bundle = toBundle();
    spoil(bundle);
    assert.ok(!holds(bundle), String(spoil));
  }
  // the hint is not signed, and decides nothing
  const hinted = toBundle();
  hinted.verificationMaterial.publicKey.hint = 'another key';
  assert.ok(holds(hinted));
});

test('the bytes to sign are read back exactly, and are the same each time', () => {
  for (const layout of ['bundle', 'classic'] as const) {
    const approval = toApproval(subject, 'registry.example/cookbook/shop', layout);
    assert.deepEqual(toApproval(subject, 'registry.example/cookbook/shop', layout), approval);
    assert.deepEqual(parseApproval(approval.signed, subject), approval);
    assert.ok('rule' in parseApproval(approval.signed, hashBytes('other')));
    assert.ok(approval.signed.includes(subject.slice('sha256:'.length)));
  }
  const { document, signed } = toApproval(subject, '', 'bundle');
  assert.equal(JSON.parse(document.toString()).predicateType, signPredicate);
  assert.deepEqual(parsePreAuthEncoding(signed), document);
  const [head] = signed.toString().split(' {');
  for (const spoiled of [
    signed.subarray(0, -1),
    Buffer.concat([signed, Buffer.from(' ')]),
    Buffer.from(signed.toString().replace(head!, `${head} `)),
    Buffer.from(signed.toString().replace(/ (\d+) \{/, ' 0$1 {')),
    Buffer.from('DSSEv1 28 application/vnd.in-toto+json'),
    Buffer.alloc(0),
  ])
    assert.equal(parsePreAuthEncoding(spoiled), undefined);
});

test('a foreign signature is read in each form, and only when it verifies', () => {
  const bytes = Buffer.from('bytes');
  const der = signer.sign(bytes);
  for (const form of [der, Buffer.from(der.toString('base64')), Buffer.from(`${der.toString('base64')}\n`)])
    assert.deepEqual(readSignature(form, bytes, publicKey), der);
  for (const form of [
    Buffer.alloc(0),
    Buffer.from('!'),
    der.subarray(1),
    Buffer.alloc(64),
    Buffer.alloc(4096),
  ])
    assert.equal(readSignature(form, bytes, publicKey), undefined);
  assert.equal(readSignature(der, Buffer.from('other'), publicKey), undefined);
});

test('a bundle, a statement and a payload that begin with a byte order mark are refused, as other readers refuse them', () => {
  const mark = Buffer.from('\ufeff');
  const bundle = toBundle();
  assert.ok(holds(bundle));
  const read = readBundle(Buffer.concat([mark, Buffer.from(JSON.stringify(bundle))]));
  assert.ok('flaw' in read);
  assert.match(String(read.flaw), /byte order mark/);
  const statement = Buffer.concat([mark, Buffer.from(bundle.dsseEnvelope.payload, 'base64')]);
  const signature = signer.sign(preAuthEncoding(payloadType, statement));
  assert.equal(holds(JSON.parse(toBundleBytes(statement, signature, publicKey).toString())), false);
});

test('payload and signature are strict base64 (RFC 4648, section 4), as other verifiers require', () => {
  const loose = [
    (text: string) => `${text.replace(/=+$/, '')}!!`,
    (text: string) => text.replace(/.{8}/, '$&\n'),
    (text: string) => text.replace(/.{8}/, '$& '),
    (text: string) => `${text}=`,
    (text: string) => `${text}====`,
    (text: string) => Buffer.from(text, 'base64').toString('base64url'),
  ];
  for (const [i, change] of loose.entries())
    for (const place of ['payload', 'sig'] as const) {
      const bundle = toBundle();
      const holder = place === 'payload' ? bundle.dsseEnvelope : bundle.dsseEnvelope.signatures[0];
      const changed = change(holder[place]);
      if (changed === holder[place]) continue;
      holder[place] = changed;
      assert.ok(!holds(bundle), `${place} ${i}`);
    }
});

test('a payload of any length is read', () => {
  const payload = toStatementBytes({
    subjects: [{ name: 'a', digest: subject }],
    predicateType,
    predicate: { filler: 'f'.repeat(20_000) },
  });
  const signature = signer.sign(preAuthEncoding(payloadType, payload));
  assert.ok(holds(JSON.parse(toBundleBytes(payload, signature, publicKey).toString())));
});
