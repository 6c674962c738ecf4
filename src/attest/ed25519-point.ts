import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/** The field and the curve of Ed25519 (RFC 8032, section 5.1). */
const p = 2n ** 255n - 19n;
const d = toField(-121_665n * power(121_666n, p - 2n));
const rootOfMinusOne = power(2n, (p - 1n) / 4n);

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

function toField(value: bigint): bigint {
  const rest = value % p;
  return rest < 0n ? rest + p : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = toField(base);
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = toField(result * square);
    square = toField(square * square);
  }
  return result;
}

/** Decodes a point (RFC 8032, section 5.1.3). @returns undefined for bytes that are no point, or no canonical form of one */
function decode(bytes: Uint8Array): Point | undefined {
  const number = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
  const sign = number >> 255n;
  const y = number & ((1n << 255n) - 1n);
  if (y >= p) return undefined;
  const [u, v] = [toField(y * y - 1n), toField(d * y * y + 1n)];
  const candidate = toField(u * power(v, 3n) * power(toField(u * power(v, 7n)), (p - 5n) / 8n));
  const square = toField(v * candidate * candidate);
  if (square !== u && square !== toField(-u)) return undefined;
  const x = square === u ? candidate : toField(candidate * rootOfMinusOne);
  if (x === 0n && sign === 1n) return undefined;
  return { x: (x & 1n) === sign ? x : p - x, y };
}

function double({ x, y }: Point): Point {
  const product = toField(d * x * x * y * y);
  return {
    x: toField(2n * x * y * power(1n + product, p - 2n)),
    y: toField((y * y + x * x) * power(1n - product, p - 2n)),
  };
}

/**
 * The rule that a public key of Ed25519 breaks. Under a point of low order, one signature fits many messages and needs
 * no private key. Under bytes that are no point, none verifies.
 *
 * @param bytes the 32 bytes of the key
 */
export function findPointFault(bytes: Uint8Array): Rule | undefined {
  const point = decode(bytes);
  if (point === undefined)
    return rule([
      'an Ed25519 key that is no point of its curve',
      fr`une clé Ed25519 qui n’est pas un point de sa courbe`,
    ]);
  const { x, y } = double(double(double(point)));
  // 8 is the cofactor: its multiple of a point of low order is the neutral point
  return x === 0n && y === 1n
    ? rule([
        'an Ed25519 key of low order: everybody can sign with it',
        fr`une clé Ed25519 d’ordre faible, avec laquelle tout le monde peut signer`,
      ])
    : undefined;
}
