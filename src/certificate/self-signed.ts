import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv6 } from 'node:net';
import { systemClock } from '../base/clock.ts';
import { objectId, octets, sequence, tags, toElement, toInteger, toPem } from './der.ts';
import type { TlsPair } from './tls-pair.ts';

const bits = (bytes: Uint8Array, unused = 0): Buffer => toElement(tags.bits, Buffer.from([unused]), bytes);
const yes = toElement(tags.boolean, Buffer.from([0xff]));

/** Encodes UTCTime until 2049, GeneralizedTime after it (RFC 5280, section 4.1.2.5). */
function time(at: Date): Buffer {
  const digits = at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return at.getUTCFullYear() < 2050
    ? toElement(tags.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : toElement(tags.generalizedTime, Buffer.from(`${digits}Z`));
}

function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const plain = address.split('%')[0]!;
  const [head = '', tail] = plain.split('::');
  const groups = (text: string | undefined): number[] =>
    (text ?? '') === ''
      ? []
      : text!.split(':').flatMap((group) => {
          if (!group.includes('.')) return [Number.parseInt(group, 16)];
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
          return [a * 256 + b, c * 256 + d];
        });
  const before = groups(head);
  const after = groups(tail);
  const zeros = new Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0);
  return Buffer.from(
    [...before, ...zeros, ...after].slice(0, 8).flatMap((group) => [group >> 8, group & 255]),
  );
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(objectId(id), ...(critical ? [yes] : []), octets(value));
}

function alternativeName(host: string): Buffer {
  return isIP(host) === 0
    ? toElement(0x82, Buffer.from(host, 'latin1'))
    : toElement(0x87, addressBytes(host));
}

function keyIdentifier(key: KeyObject): Buffer {
  const jwk = key.export({ format: 'jwk' });
  const point = Buffer.concat([
    Buffer.from([4]),
    Buffer.from(jwk.x!, 'base64url'),
    Buffer.from(jwk.y!, 'base64url'),
  ]);
  return createHash('sha1').update(point).digest();
}

/**
 * Creates a self-signed server certificate (RFC 5280) with a new P-256 key.
 *
 * @param hosts DNS names and IP literals for the subject alternative names; the first is also the subject
 * @param days validity from an hour ago, so that a client whose clock is slightly behind accepts it
 */
export function createSelfSigned(
  hosts: readonly string[],
  days: number,
  now: Date = new Date(systemClock.wall()),
): TlsPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'));
  const name = sequence(
    toElement(
      tags.set,
      sequence(objectId('2.5.4.3'), toElement(tags.text, Buffer.from(hosts[0]!.slice(0, 64)))),
    ),
  );
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  const from = new Date(now.getTime() - 3_600_000);
  const until = new Date(now.getTime() + days * 86_400_000);
  const body = sequence(
    toElement(0xa0, toInteger(2)),
    toElement(tags.integer, serial),
    ecdsaWithSha256,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    toElement(
      0xa3,
      sequence(
        extension('2.5.29.19', sequence(yes), true),
        extension('2.5.29.15', bits(Buffer.from([0x84]), 2), true),
        extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'))),
        extension('2.5.29.14', octets(keyIdentifier(publicKey))),
        extension('2.5.29.17', sequence(...hosts.map(alternativeName))),
      ),
    ),
  );
  const certificate = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, privateKey)));
  return {
    cert: toPem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
