import { randomBytes } from 'node:crypto';

/** Values that wait in the memory of the instance for the session that made them. */
export interface Held<T> {
  /** How many wait. */
  readonly size: number;
  /**
   * @param holder session that may have it
   * @param bytes what it takes in memory, roughly
   * @returns the name under which it waits; undefined when it is larger than all of them together may be
   */
  hold(holder: string, value: T, bytes?: number): string | undefined;
  /** @returns undefined when it has waited too long, had to give way, or is of another session */
  look(holder: string, name: string): T | undefined;
  /** As `look`; afterwards it waits no more. */
  take(holder: string, name: string): T | undefined;
}

export interface HeldLimits {
  /** Values that wait at once; one more lets the oldest go. */
  readonly most: number;
  /** The same for one session. Default: no limit of its own. */
  readonly mostOfHolder?: number;
  /** Bytes of all together. Default: no limit. */
  readonly mostBytes?: number;
  /** Milliseconds for which a value waits. */
  readonly waiting: number;
}

interface Entry<T> {
  readonly holder: string;
  readonly value: T;
  readonly bytes: number;
  readonly end: NodeJS.Timeout;
}

/**
 * Holds values between two requests of one session. They stay in the memory of the instance, so that they are in no form that
 * is sent again, and a secret is in no page and in no copy that a browser keeps of one.
 */
export function createHeld<T>({
  most,
  mostOfHolder = most,
  mostBytes = Number.POSITIVE_INFINITY,
  waiting,
}: HeldLimits): Held<T> {
  // in the order in which they were held
  const held = new Map<string, Entry<T>>();
  let total = 0;
  const drop = (name: string): void => {
    const entry = held.get(name);
    if (entry === undefined) return;
    clearTimeout(entry.end);
    total -= entry.bytes;
    held.delete(name);
  };
  const look = (holder: string, name: string): T | undefined => {
    const found = held.get(name);
    return found?.holder === holder ? found.value : undefined;
  };
  return {
    get size() {
      return held.size;
    },
    hold: (holder, value, bytes = 0) => {
      if (bytes > mostBytes) return undefined;
      const own = [...held].flatMap(([name, entry]) => (entry.holder === holder ? [name] : []));
      for (const name of own.slice(0, Math.max(0, own.length - mostOfHolder + 1))) drop(name);
      for (const name of held.keys()) {
        if (held.size < most && total + bytes <= mostBytes) break;
        drop(name);
      }
      const name = randomBytes(16).toString('base64url');
      const end = setTimeout(() => drop(name), waiting);
      end.unref();
      held.set(name, { holder, value, bytes, end });
      total += bytes;
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
