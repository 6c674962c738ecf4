import { svcError } from '../src/base/error.ts';

/** All in bytes. */
interface BodyLimits {
  /** Bodies of all requests at once. */
  readonly total: number;
  /** Bodies of all requests of one actor at once, small ones aside. */
  readonly actor: number;
  /** Maximum size of a small body. */
  readonly small: number;
  /** Part of `total` that is kept for small bodies, so that accounts and tokens can be changed at any time. */
  readonly reserved: number;
}

const defaults: BodyLimits = { total: 64 << 20, actor: 32 << 20, small: 64 << 10, reserved: 16 << 20 };

/** The part of a response of node that is needed here. */
interface Answer {
  readonly closed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** The memory used by the body of one request. */
export interface BodyShare {
  /**
   * Reserves memory until the answer has ended.
   *
   * @param bytes in addition to those reserved before
   * @throws SVC-SRV-006 when the bodies of all requests together would exceed a limit
   */
  take(bytes: number): void;
}

/** Limits the memory used by the bodies of all requests, from their first byte until their answer has ended. */
export class BodyRoom {
  readonly #limits: BodyLimits;
  readonly #ofActors = new Map<string, number>();
  #total = 0;

  constructor(limits: BodyLimits = defaults) {
    this.#limits = limits;
  }

  /** Bytes taken now. */
  get taken(): number {
    return this.#total;
  }

  /** @param res the memory is released when this response has ended or its connection is closed */
  open(actor: string, res: Answer): BodyShare {
    const { total, small, reserved, actor: ofOne } = this.#limits;
    let taken = 0;
    let large = false;
    const add = (bytes: number): void => {
      taken += bytes;
      this.#total += bytes;
    };
    const addLarge = (bytes: number): void => {
      const sum = (this.#ofActors.get(actor) ?? 0) + bytes;
      if (sum === 0) this.#ofActors.delete(actor);
      else this.#ofActors.set(actor, sum);
    };
    res.once('close', () => {
      if (large) addLarge(-taken);
      add(-taken);
    });
    return {
      take: (bytes) => {
        if (res.closed) throw toBusy();
        const isLarge = taken + bytes > small;
        // a body that becomes large counts as large from its first byte
        const counted = large ? bytes : taken + bytes;
        const isTooMuch = isLarge
          ? this.#total + bytes > total - reserved || (this.#ofActors.get(actor) ?? 0) + counted > ofOne
          : this.#total + bytes > total;
        if (isTooMuch) throw toBusy();
        if (isLarge) addLarge(counted);
        large = isLarge;
        add(bytes);
      },
    };
  }
}

function toBusy() {
  return svcError('SVC-SRV-006', {}, { detail: 'other large requests are being received' });
}
