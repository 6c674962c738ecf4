import type { KeyObject } from 'node:crypto';
import { decodeBase64 } from './encoding.ts';
import { isSignedBy } from './signed-by.ts';

/**
 * Reads a signature of a foreign tool. Accepts DER (openssl, key services), both numbers of ECDSA side by side (PKCS
 * #11 modules), and the raw bytes of Ed25519 and RSA. Each can be in base64.
 *
 * @param signed the bytes that were signed
 * @returns the signature as it is stored; undefined when none of these forms verifies with the key
 */
export function readSignature(bytes: Buffer, signed: Buffer, key: KeyObject): Buffer | undefined {
  const decoded = decodeBase64(bytes.toString('latin1').replace(/\s/g, ''));
  const forms = [bytes, decoded]
    .filter((form) => form !== undefined)
    .flatMap((form) => (key.asymmetricKeyType === 'ec' ? [form, toDer(form)] : [form]));
  return forms.find((form) => form !== undefined && isSignedBy(key, signed, form));
}

/** Converts two numbers of equal length (IEEE P1363) to the DER sequence of both (RFC 3279, section 2.2.3). */
function toDer(pair: Buffer): Buffer | undefined {
  if (pair.length === 0 || pair.length > 132 || pair.length % 2 !== 0) return undefined;
  const half = pair.length / 2;
  const numbers = Buffer.concat([toInteger(pair.subarray(0, half)), toInteger(pair.subarray(half))]);
  const length = numbers.length < 0x80 ? [numbers.length] : [0x81, numbers.length];
  return Buffer.concat([Buffer.from([0x30, ...length]), numbers]);
}

/** A positive DER integer, without leading zeros. */
function toInteger(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  const body = digits[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits;
  return Buffer.concat([Buffer.from([0x02, body.length]), body]);
}
