import type { PageCall } from './ui-route.ts';

/** Sections of which the tag is kept: those that are open in the browsers of some dozens of people. */
const most = 256;

interface Known {
  readonly state: string;
  readonly tag: string;
}

/** Who asks for which section, and how they are shown it. */
function toKey(call: PageCall, section: string): string {
  const { here, identity, signedIn, words, theme } = call;
  const { actor, role, via, account } = identity;
  return JSON.stringify([here, section, signedIn, actor, role, via, account, words.language, theme]);
}

/** The tags of live sections as they were made last, by reader: while the state of the instance is the same, so are they. */
export class KnownSections {
  readonly #known = new Map<string, Known>();

  /** The tag of the section, where it was made for this reader from this state. */
  tagOf(call: PageCall, section: string, state: string): string | undefined {
    const key = toKey(call, section);
    const known = this.#known.get(key);
    if (known?.state !== state) return undefined;
    // the least used goes first
    this.#known.delete(key);
    this.#known.set(key, known);
    return known.tag;
  }

  set(call: PageCall, section: string, known: Known): void {
    const key = toKey(call, section);
    this.#known.delete(key);
    this.#known.set(key, known);
    if (this.#known.size <= most) return;
    const [oldest] = this.#known.keys();
    this.#known.delete(oldest!);
  }
}
