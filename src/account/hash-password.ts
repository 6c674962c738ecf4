import { createHmac, randomBytes } from 'node:crypto';
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { Semaphore } from '../base/concurrency.ts';
import { svcError } from '../text/error.ts';

/** Cost parameters of argon2id. Only tests set other values. */
export interface HashingCost {
  /** Number of passes. */
  readonly timeCost: number;
  /** Memory in KiB. */
  readonly memoryCost: number;
  readonly parallelism: number;
}

export interface PasswordHasher {
  /**
   * Hashes a password with argon2id and a random salt.
   *
   * @returns the encoded hash
   * @throws SVC-SRV-006 when the queue is full
   */
  hash(password: string): Promise<string>;
  /**
   * Verifies a password against an encoded hash. Concurrent identical checks share one computation.
   *
   * @param name the submitted name. Checks of two names never share a computation: all unknown names have one decoy,
   *   and would together take less time than known names.
   * @throws SVC-SRV-006 when the queue is full
   */
  verify(encoded: string, name: string, password: string): Promise<boolean>;
  /** An encoded hash that matches no password and takes the same time to verify; used for unknown names. */
  readonly decoy: string;
}

const defaultCost: HashingCost = { timeCost: 3, memoryCost: 64 * 1024, parallelism: 2 };
const atOnce = 2;
const queueLength = 32;

const toPhcBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/**
 * Creates a password hasher. Each hash needs 64 MiB, so at most two run at a time and at most 32 are queued;
 * further requests are refused immediately.
 */
export function createPasswordHasher(cost: HashingCost = defaultCost): PasswordHasher {
  const slots = new Semaphore(atOnce);
  const key = randomBytes(32);
  const inFlight = new Map<string, Promise<boolean>>();

  function queued<T>(work: () => Promise<T>): Promise<T> {
    if (slots.waiting >= queueLength) return Promise.reject(svcError('SVC-SRV-006', {}));
    return slots.run(work);
  }

  return {
    decoy: `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${toPhcBase64(
      randomBytes(16),
    )}$${toPhcBase64(randomBytes(32))}`,
    hash: (password) => queued(() => argon2Hash(password, { ...cost, outputLen: 32 })),
    verify(encoded, name, password) {
      const identity = createHmac('sha256', key).update(`${encoded}\0${name}\0${password}`).digest('base64');
      const running = inFlight.get(identity);
      if (running) return running;
      const check = queued(() => argon2Verify(encoded, password)).finally(() => inFlight.delete(identity));
      inFlight.set(identity, check);
      return check;
    },
  };
}
