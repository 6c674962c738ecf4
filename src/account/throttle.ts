import { isIPv6 } from 'node:net';

interface ThrottleOptions {
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
  /** Failures an origin may have in a row. */
  readonly capacity?: number;
  /** Milliseconds after which one failure is given back. */
  readonly refill?: number;
  /** Origins remembered; beyond it the one that failed longest ago is forgotten. */
  readonly maxOrigins?: number;
}

interface Bucket {
  left: number;
  at: number;
  refusals: number;
}

/** The failure budget of each origin: a bucket that fills again slowly. Holds state in memory only, and a bounded one. */
export class Throttle {
  readonly #now: () => number;
  readonly #capacity: number;
  readonly #refill: number;
  readonly #maxOrigins: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: ThrottleOptions) {
    this.#now = options.now;
    this.#capacity = options.capacity ?? 10;
    this.#refill = options.refill ?? 30_000;
    this.#maxOrigins = options.maxOrigins ?? 10_000;
  }

  /** Seconds until the origin may try again; 0 while it is within its budget. */
  retryAfter(address: string): number {
    const left = this.#left(this.#buckets.get(toOrigin(address)));
    return left >= 1 ? 0 : Math.max(1, Math.ceil(((1 - left) * this.#refill) / 1000));
  }

  /** Takes one from the budget: before an attempt, so that attempts made at the same time count too. */
  take(address: string): void {
    const origin = toOrigin(address);
    const bucket = this.#buckets.get(origin);
    const left = this.#left(bucket);
    this.#buckets.delete(origin);
    if (this.#buckets.size >= this.#maxOrigins) {
      const oldest = this.#buckets.keys().next();
      if (!oldest.done) this.#buckets.delete(oldest.value);
    }
    this.#buckets.set(origin, { left: Math.max(0, left - 1), at: this.#now(), refusals: 0 });
  }

  /** Gives back what was taken for an attempt that did not fail. */
  giveBack(address: string): void {
    const origin = toOrigin(address);
    const bucket = this.#buckets.get(origin);
    if (!bucket) return;
    const left = this.#left(bucket) + 1;
    if (left >= this.#capacity) this.#buckets.delete(origin);
    else {
      bucket.left = left;
      bucket.at = this.#now();
    }
  }

  /** Counts a refusal; true for the first one since the last attempt, so that a flood is recorded once. */
  refuse(address: string): boolean {
    const bucket = this.#buckets.get(toOrigin(address));
    if (!bucket) return true;
    bucket.refusals += 1;
    return bucket.refusals === 1;
  }

  /** Origins held. */
  get size(): number {
    return this.#buckets.size;
  }

  #left(bucket: Bucket | undefined): number {
    if (!bucket) return this.#capacity;
    return Math.min(this.#capacity, bucket.left + (this.#now() - bucket.at) / this.#refill);
  }
}

/** What counts as one origin: an IPv4 address, or the /64 of an IPv6 address; IPv4 inside IPv6 is IPv4. */
export function toOrigin(address: string): string {
  // asked for every request: most addresses need no closer look
  if (!address.includes(':')) return address.slice(0, 64);
  const bare = address.split('%', 1)[0]!.toLowerCase();
  if (!isIPv6(bare)) return bare.slice(0, 64);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  if (mapped) return mapped[1]!;
  const [head = '', tail] = bare.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    // a dotted quad at the end stands for two groups
    const length = after.length + (tail.includes('.') ? 1 : 0);
    while (groups.length < 8 - length) groups.push('0');
    groups.push(...after);
  }
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/64`;
}
