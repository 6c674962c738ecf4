import { randomBytes } from 'node:crypto';
import { type Bounds, type Holder, Shares } from '../../src/base/shares/shares.ts';

/** Values that wait in the memory of the instance for the account that made them. */
export interface Held<T> {
  /** How many wait. */
  readonly size: number;
  /**
   * @param holder the account that may read it
   * @param bytes its approximate size in memory
   * @returns the name under which it waits; undefined when it is larger than the whole share of its holder
   */
  hold(holder: Holder, value: T, bytes?: number): string | undefined;
  /** @returns undefined when it has waited too long, had to give way, or is of another account */
  look(holder: Holder, name: string): T | undefined;
  /** As `look`; afterwards it waits no more. */
  take(holder: Holder, name: string): T | undefined;
}

export interface HeldLimits {
  /** Values that wait at once; at a limit, the holder that gives way loses its oldest value. */
  readonly count: Bounds;
  /** Bytes of them. Default: no limit. */
  readonly bytes?: Bounds;
  /** Milliseconds for which a value waits. */
  readonly waiting: number;
}

interface Entry<T> {
  readonly holder: Holder;
  readonly value: T;
  readonly bytes: number;
  readonly end: NodeJS.Timeout;
}

/**
 * Holds values between two requests of one account. They stay in the memory of the instance, and so in no form that is
 * sent again. A secret is then in no page and in no copy of a page in a browser.
 */
export function createHeld<T>({ count, bytes: ofBytes, waiting }: HeldLimits): Held<T> {
  // in the order in which they were held
  const held = new Map<string, Entry<T>>();
  const counts = new Shares(count);
  const sizes = ofBytes === undefined ? undefined : new Shares(ofBytes);
  const drop = (name: string): void => {
    const entry = held.get(name);
    if (entry === undefined) return;
    clearTimeout(entry.end);
    held.delete(name);
    counts.give(entry.holder);
    sizes?.give(entry.holder, entry.bytes);
  };
  /** Lets older values go until the units fit. @returns whether they fit */
  const makeRoom = (shares: Shares, holder: Holder, units: number): boolean => {
    while (shares.obstacle(holder, units) !== undefined) {
      const giver = shares.giver(holder, units);
      const oldest = [...held].find(([, entry]) => entry.holder.name === giver);
      if (oldest === undefined) return false;
      drop(oldest[0]);
    }
    return true;
  };
  const look = (holder: Holder, name: string): T | undefined => {
    const found = held.get(name);
    return found?.holder.name === holder.name ? found.value : undefined;
  };
  return {
    get size() {
      return held.size;
    },
    hold: (holder, value, bytes = 0) => {
      if (ofBytes !== undefined && bytes > ofBytes.share[holder.rank]) return undefined;
      if (sizes !== undefined && !makeRoom(sizes, holder, bytes)) return undefined;
      if (!makeRoom(counts, holder, 1)) return undefined;
      const name = randomBytes(16).toString('base64url');
      const end = setTimeout(() => drop(name), waiting);
      end.unref();
      held.set(name, { holder, value, bytes, end });
      counts.add(holder);
      sizes?.add(holder, bytes);
      return name;
    },
    look,
    take: (holder, name) => {
      const value = look(holder, name);
      if (value !== undefined) drop(name);
      return value;
    },
  };
}
