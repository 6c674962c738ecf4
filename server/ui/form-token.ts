import { createHmac, createSecretKey, randomBytes, randomFillSync, timingSafeEqual } from 'node:crypto';

const length = 32;

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, i) => byte ^ b[i]!));
}

export interface FormTokens {
  /** Makes tokens that belong to the secret of a cookie. Each is different, so that compressing a page tells nothing of it (BREACH). */
  issuerFor(secret: string): () => string;
  /** Whether a token belongs to the secret, in constant time. */
  verify(secret: string, token: string): boolean;
}

/** Makes the anti-forgery tokens of a process: `pad ‖ (pad XOR HMAC(key, secret))`. A restart invalidates them. */
export function createFormTokens(): FormTokens {
  const key = createSecretKey(randomBytes(length));
  const macOf = (secret: string): Buffer => createHmac('sha256', key).update(secret).digest();
  // one request to the system for the pads of several pages
  const pads = Buffer.alloc(64 * length);
  let used = pads.length;
  const nextPad = (): Buffer => {
    if (used === pads.length) {
      randomFillSync(pads);
      used = 0;
    }
    used += length;
    return pads.subarray(used - length, used);
  };
  return {
    issuerFor: (secret) => {
      const mac = macOf(secret);
      return () => {
        const pad = nextPad();
        return Buffer.concat([pad, xor(pad, mac)]).toString('base64url');
      };
    },
    verify: (secret, token) => {
      if (!/^[A-Za-z0-9_-]{86}$/.test(token)) return false;
      const bytes = Buffer.from(token, 'base64url');
      return timingSafeEqual(xor(bytes.subarray(0, length), bytes.subarray(length)), macOf(secret));
    },
  };
}
