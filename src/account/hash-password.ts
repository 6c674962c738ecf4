import { createHmac, randomBytes } from 'node:crypto';
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { Semaphore } from '../base/concurrency.ts';
import { svcError } from '../base/error.ts';

/** Cost of one argon2id hash. Tests lower it; no setting does. */
export interface HashingCost {
  /** Passes. */
  readonly timeCost: number;
  /** KiB. */
  readonly memoryCost: number;
  readonly parallelism: number;
}

export interface PasswordHasher {
  /** The encoded argon2id hash of a password, under a salt of its own. @throws SVC-SRV-006 */
  hash(password: string): Promise<string>;
  /**
   * Whether the password is the hashed one. Identical checks in flight share one computation.
   *
   * @throws SVC-SRV-006 when the queue is full
   */
  verify(encoded: string, password: string): Promise<boolean>;
  /** A hash that no password has and that costs the same to check: what an unknown name is compared with. */
  readonly decoy: string;
}

const defaultCost: HashingCost = { timeCost: 3, memoryCost: 64 * 1024, parallelism: 2 };
const atOnce = 2;
const queueLength = 32;

const toPhcBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/** Each hash takes 64 MiB, so at most two run at once and at most 32 wait; what comes after is refused at once. */
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
    verify(encoded, password) {
      const identity = createHmac('sha256', key).update(`${encoded}\0${password}`).digest('base64');
      const running = inFlight.get(identity);
      if (running) return running;
      const check = queued(() => argon2Verify(encoded, password)).finally(() => inFlight.delete(identity));
      inFlight.set(identity, check);
      return check;
    },
  };
}
