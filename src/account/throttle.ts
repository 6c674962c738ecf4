import { isIPv6 } from 'node:net';

interface ThrottleOptions {
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  /** Most consecutive failures of an origin. */
  readonly capacity?: number;
  /** Milliseconds after which the budget grows by one failure. */
  readonly refill?: number;
  /** Most origins; beyond it the one with the oldest failure is removed. */
  readonly maxOrigins?: number;
}

interface Bucket {
  left: number;
  at: number;
  refusals: number;
}

/** The failure budget of each origin, as a token bucket. State is kept in memory only and is bounded. */
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

  /** Seconds until the origin may try again; 0 within the budget. */
  retryAfter(address: string): number {
    const left = this.#left(this.#buckets.get(toOrigin(address)));
    return left >= 1 ? 0 : Math.max(1, Math.ceil(((1 - left) * this.#refill) / 1000));
  }

  /** Attempts that the origin has taken from its budget: failures that are not forgotten, and attempts under way. */
  failures(address: string): number {
    return this.#capacity - this.#left(this.#buckets.get(toOrigin(address)));
  }

  /** Takes one attempt from the budget; called before the attempt, so that concurrent attempts count. */
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

  /** Returns an attempt that did not fail to the budget. */
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

  /**
   * Counts a refusal.
   *
   * @returns true for the first refusal since the last attempt, so that repeated refusals are audited once
   */
  refuse(address: string): boolean {
    const bucket = this.#buckets.get(toOrigin(address));
    if (!bucket) return true;
    bucket.refusals += 1;
    return bucket.refusals === 1;
  }

  /** Number of origins. */
  get size(): number {
    return this.#buckets.size;
  }

  #left(bucket: Bucket | undefined): number {
    if (!bucket) return this.#capacity;
    return Math.min(this.#capacity, bucket.left + (this.#now() - bucket.at) / this.#refill);
  }
}

/**
 * Returns the origin of an address: an IPv4 address, or the /64 prefix of an IPv6 address. An IPv4-mapped
 * IPv6 address is its IPv4 address.
 */
export function toOrigin(address: string): string {
  // called for every request: this fast path covers most addresses
  if (!address.includes(':')) return address.slice(0, 64);
  const bare = address.split('%', 1)[0]!.toLowerCase();
  if (!isIPv6(bare)) return bare.slice(0, 64);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  if (mapped) return mapped[1]!;
  const [head = '', tail] = bare.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    // a dotted quad at the end replaces two groups
    const length = after.length + (tail.includes('.') ? 1 : 0);
    while (groups.length < 8 - length) groups.push('0');
    groups.push(...after);
  }
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/64`;
}
