import { randomBytes } from 'node:crypto';
import type { TlsPair } from '../../src/certificate/tls-pair.ts';

/** Pairs that wait for a confirmation at once; one more lets the oldest go. */
const mostHeld = 8;
/** Milliseconds for which a pair waits. */
const heldFor = 600_000;

/**
 * Certificates with their keys between a preview and its confirmation. They stay in the memory of the instance, so that a key
 * is in no page, in no copy that a browser keeps of one, and in no form that is sent again.
 */
export interface HeldPairs {
  /** How many wait. */
  readonly size: number;
  /** @param holder session that may take it. @returns the name by which it is taken, once */
  hold(holder: string, pair: TlsPair): string;
  /** @returns undefined when it was taken, has waited too long, or is of another session */
  take(holder: string, name: string): TlsPair | undefined;
}

export function createHeldPairs(waiting = heldFor): HeldPairs {
  const held = new Map<
    string,
    { readonly holder: string; readonly pair: TlsPair; readonly end: NodeJS.Timeout }
  >();
  const drop = (name: string): void => {
    clearTimeout(held.get(name)?.end);
    held.delete(name);
  };
  return {
    get size() {
      return held.size;
    },
    hold: (holder, pair) => {
      for (const name of [...held.keys()].slice(0, Math.max(0, held.size - mostHeld + 1))) drop(name);
      const name = randomBytes(16).toString('base64url');
      const end = setTimeout(() => drop(name), waiting);
      end.unref();
      held.set(name, { holder, pair, end });
      return name;
    },
    take: (holder, name) => {
      const found = held.get(name);
      if (found === undefined || found.holder !== holder) return undefined;
      drop(name);
      return found.pair;
    },
  };
}
