import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { KeyError, parsePublicKey, toFingerprint } from '../../src/attest/public-key.ts';
import { createSigner } from '../kit/content/signer.ts';

const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }) as string;
const refuses = (text: string | Buffer, rule: RegExp) =>
  assert.throws(
    () => parsePublicKey(text),
    (error: unknown) => error instanceof KeyError && rule.test(String(error.rule)),
  );

test('ECDSA on P-256, P-384 and P-521, Ed25519 and RSA of 2048 bits are read', () => {
  for (const type of ['p256', 'p384', 'p521', 'ed25519', 'rsa'] as const) {
    const { publicKeyPem, publicKey } = createSigner(type);
    assert.ok(parsePublicKey(publicKeyPem).equals(publicKey), type);
    assert.ok(parsePublicKey(Buffer.from(`# comment\n${publicKeyPem}\n`)).equals(publicKey), type);
  }
});

test('the fingerprint is the SHA-256 of the DER between the PEM lines', () => {
  const { publicKeyPem, publicKey, fingerprint } = createSigner();
  const der = Buffer.from(publicKeyPem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  assert.equal(toFingerprint(publicKey), createHash('sha256').update(der).digest('hex'));
  assert.equal(toFingerprint(publicKey), fingerprint);
});

test('other keys are refused, each with its reason', () => {
  refuses(pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey), /1024 bits/);
  refuses(pem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey), /curve secp256k1/);
  refuses(pem(generateKeyPairSync('ed448').publicKey), /ed448/);
  refuses(pem(generateKeyPairSync('x25519').publicKey), /x25519/);
  refuses(pem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey), /rsa-pss/);
});

test('a private key is never taken for a trust root, though a public key could be derived', () => {
  const { privateKeyPem, publicKeyPem } = createSigner();
  refuses(privateKeyPem, /private key/);
  refuses(publicKeyPem + privateKeyPem, /private key/);
});

test('a certificate, several keys, damaged and oversized text are refused', () => {
  const { publicKeyPem } = createSigner();
  refuses('', /not a PEM/);
  refuses('hello', /not a PEM/);
  refuses('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', /CERTIFICATE/);
  refuses(publicKeyPem + createSigner().publicKeyPem, /more than one/);
  refuses(publicKeyPem.replace(/[A-Za-z0-9+/]{20}/, ''), /not a readable/);
  refuses(Buffer.alloc(65_537, 'a'), /larger/);
});

test('a key has one fingerprint, however its point is encoded', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const point = der.subarray(-65);
  // a compressed point: X9.62, section 4.3.6
  const compressed = Buffer.concat([Buffer.of(2 + (point[64]! & 1)), point.subarray(1, 33)]);
  const algorithm = der.subarray(2, 2 + 21);
  const bits = Buffer.concat([Buffer.of(0x03, compressed.length + 1, 0), compressed]);
  const spki = Buffer.concat([Buffer.of(0x30, algorithm.length + bits.length), algorithm, bits]);
  const pem = `-----BEGIN PUBLIC KEY-----\n${spki.toString('base64')}\n-----END PUBLIC KEY-----\n`;
  assert.equal(toFingerprint(parsePublicKey(pem)), toFingerprint(publicKey));
});

test('a key that spells out the parameters of its curve is refused, although they are those of a named one', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' });
  refuses(publicKey.export({ type: 'spki', format: 'pem' }) as string, /parameters of its curve/);
});

/** An RSA public key of these numbers, which no generator makes. */
const rsaKey = (modulus: Buffer, exponent: number): KeyObject => {
  const hex = exponent.toString(16);
  const e = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
  return createPublicKey({ key: { kty: 'RSA', n: modulus.toString('base64url'), e }, format: 'jwk' });
};
const { n } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
const modulus = Buffer.from(n!, 'base64url');

test('an RSA key whose exponent lets everybody sign, or that other verifiers refuse, is refused', () => {
  for (const exponent of [1, 2, 4, 65_536, 2 ** 31 + 1])
    refuses(pem(rsaKey(modulus, exponent)), new RegExp(`public exponent ${exponent}:`));
  for (const exponent of [3, 17, 65_537, 2 ** 31 - 1])
    assert.ok(parsePublicKey(pem(rsaKey(modulus, exponent))), `${exponent}`);
});

test('an RSA key whose modulus is even or has a small factor is refused', () => {
  const even = Buffer.from(modulus);
  even[even.length - 1]! &= 0xfe;
  refuses(pem(rsaKey(even, 65_537)), /divisible by 2:/);
  const number = BigInt(`0x${modulus.toString('hex')}`);
  for (const factor of [3n, 5n, 751n]) {
    const multiple = number - (number % (factor * 2n)) + factor;
    refuses(pem(rsaKey(Buffer.from(multiple.toString(16), 'hex'), 65_537)), /divisible by (?:3|5|7|\d+):/);
  }
});

test('a key in a PEM text that OpenSSL does not read is refused by what is wrong with the text', () => {
  const { publicKeyPem } = createSigner();
  refuses(Buffer.from(`\ufeff${publicKeyPem}`), /begins with a byte order mark/);
  refuses(`\ufeff${publicKeyPem}`, /begins with a byte order mark/);
  refuses(Buffer.from(`\ufeff${publicKeyPem}`, 'utf16le'), /UTF-16/);
  refuses(publicKeyPem.replace(/^/gm, '  '), /indented/);
  refuses(publicKeyPem.replace(/^/gm, '\t'), /indented/);
  refuses(publicKeyPem.replaceAll('\n', '\r'), /carriage return/);
  assert.ok(parsePublicKey(publicKeyPem.replaceAll('\n', '\r\n')), 'the lines of Windows are read');
});

/** One DER element of at most 255 bytes. */
const toDer = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...(body.length < 128 ? [] : [0x81]), body.length]), body]);
};
const toPem = (algorithm: Buffer, bits: Buffer): string => {
  const der = toDer(0x30, algorithm, toDer(0x03, Buffer.of(0), bits));
  return `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`;
};

test('an EC key whose point is at infinity or not on its curve is refused as a key', () => {
  for (const [namedCurve, length] of [
    ['P-256', 32],
    ['P-384', 48],
    ['P-521', 66],
  ] as const) {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve });
    const der = publicKey.export({ type: 'spki', format: 'der' });
    const start = der[1]! < 128 ? 2 : 3;
    const algorithm = der.subarray(start, start + 2 + der[start + 1]!);
    const point = Buffer.from(der.subarray(-2 * length - 1));
    assert.ok(parsePublicKey(toPem(algorithm, point)), 'the form of the test is right');
    refuses(toPem(algorithm, Buffer.of(0)), /at infinity/);
    point[point.length - 1]! ^= 1;
    for (const other of [
      point,
      Buffer.alloc(0),
      Buffer.alloc(2 * length + 1),
      Buffer.alloc(2 * length + 1, 4),
    ])
      refuses(toPem(algorithm, other), /not a readable PEM public key|at infinity/);
  }
});

test('an Ed25519 key of low order, or that is no point, is refused; every other one is read', () => {
  const algorithm = Buffer.from('300506032b6570', 'hex');
  const read = (hex: string) => toPem(algorithm, Buffer.from(hex.padEnd(64, '0'), 'hex'));
  const order8 = [
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03',
  ];
  const low = [
    '01',
    '00',
    `${'00'.repeat(31)}80`,
    `ec${'ff'.repeat(30)}7f`,
    ...order8.flatMap((hex) => (hex.startsWith('26') ? [`${hex}05`, `${hex}85`] : [`${hex}7a`, `${hex}fa`])),
  ];
  for (const hex of low) refuses(read(hex), /of low order/);
  // not below the prime, the negative of zero, and no root
  for (const hex of [
    `ed${'ff'.repeat(30)}7f`,
    `ee${'ff'.repeat(30)}7f`,
    'ff'.repeat(32),
    `01${'00'.repeat(30)}80`,
    '02',
  ])
    refuses(read(hex), /no point/);
  for (let i = 0; i < 20; i += 1) assert.ok(parsePublicKey(createSigner('ed25519').publicKeyPem));
});

test('bytes after the structure of a key are refused: the key would have a second text', () => {
  for (const type of ['p256', 'p384', 'ed25519', 'rsa'] as const) {
    const der = createSigner(type).publicKey.export({ type: 'spki', format: 'der' });
    const toPem = (bytes: Buffer) =>
      `-----BEGIN PUBLIC KEY-----\n${bytes.toString('base64')}\n-----END PUBLIC KEY-----\n`;
    assert.ok(parsePublicKey(toPem(der)));
    for (const more of [Buffer.of(0), Buffer.from('more'), der])
      refuses(toPem(Buffer.concat([der, more])), /bytes after the key/);
  }
});

test('bytes after the numbers of an RSA key, inside of its structure, are refused', () => {
  const der = createSigner('rsa').publicKey.export({ type: 'spki', format: 'der' });
  // two lengths of two bytes cover the bit string: of the key, and of itself
  const at = der.indexOf(Buffer.from('0500', 'hex')) + 2;
  const longer = Buffer.concat([der, Buffer.of(0, 0)]);
  for (const place of [2, at + 2]) longer.writeUInt16BE(longer.readUInt16BE(place) + 2, place);
  const text = `-----BEGIN PUBLIC KEY-----\n${longer.toString('base64')}\n-----END PUBLIC KEY-----\n`;
  refuses(text, /encoding other than|not a readable/);
});
