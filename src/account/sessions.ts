import { createHash, randomBytes } from 'node:crypto';
import { resources } from '../base/shares/resources.ts';
import { type Bounds, type Holder, Shares } from '../base/shares/shares.ts';
import type { Role } from './model.ts';

/** The account at sign-in: a session ends when one of these values changes. */
export interface SessionAccount {
  readonly name: string;
  readonly role: Role;
  /** The encoded password hash. */
  readonly hash: string;
}

interface SessionsOptions {
  /** Lifetime of a session in milliseconds. */
  readonly ttl: number;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  /** Most sessions. Default: those of an instance. */
  readonly bounds?: Bounds;
}

interface Session extends SessionAccount {
  readonly expiresAt: number;
}

const toHolder = ({ name, role }: SessionAccount): Holder => ({
  name,
  rank: role === 'admin' ? 'admin' : 'account',
});

const toKey = (secret: string): string => createHash('sha256').update(secret).digest('base64');

/**
 * Sessions of the web interface, in memory only: a restart ends all of them. Secrets are stored as hashes.
 */
export class Sessions {
  readonly #ttl: number;
  readonly #now: () => number;
  readonly #shares: Shares;
  readonly #sessions = new Map<string, Session>();

  constructor(options: SessionsOptions) {
    this.#ttl = options.ttl;
    this.#now = options.now;
    this.#shares = new Shares(options.bounds ?? resources.sessions);
  }

  /**
   * Starts a session with a new random secret; a secret from a client is never used. At its share the account loses its oldest
   * session; when there are too many of all, the account that has most loses one.
   */
  start(account: SessionAccount): { readonly secret: string; readonly maxAgeSeconds: number } {
    this.#forgetExpired();
    const holder = toHolder(account);
    const giver = this.#shares.giver(holder);
    if (giver !== undefined) this.#endOldest(giver);
    const secret = randomBytes(32).toString('base64url');
    const { name, role, hash } = account;
    this.#shares.add(holder);
    this.#sessions.set(toKey(secret), { name, role, hash, expiresAt: this.#now() + this.#ttl });
    return { secret, maxAgeSeconds: Math.floor(this.#ttl / 1000) };
  }

  /**
   * Finds the account of a valid session.
   *
   * @param current returns an account as currently stored; the session ends when its account was deleted or
   *   has another role or password
   */
  find<A extends SessionAccount>(secret: string, current: (name: string) => A | undefined): A | undefined {
    if (secret.length > 256) return undefined;
    const key = toKey(secret);
    const session = this.#sessions.get(key);
    if (!session) return undefined;
    const account = current(session.name);
    const isValid =
      session.expiresAt > this.#now() &&
      account !== undefined &&
      account.hash === session.hash &&
      account.role === session.role;
    if (isValid) return account;
    this.#delete(key);
    return undefined;
  }

  /** Milliseconds for which a session lives on; 0 when there is none. */
  left(secret: string): number {
    const session = secret.length > 256 ? undefined : this.#sessions.get(toKey(secret));
    return session === undefined ? 0 : Math.max(0, session.expiresAt - this.#now());
  }

  end(secret: string): void {
    this.#delete(toKey(secret));
  }

  /** Number of sessions. */
  get size(): number {
    return this.#sessions.size;
  }

  // all sessions have the same lifetime, so insertion order is expiry order
  #forgetExpired(): void {
    const now = this.#now();
    for (const [key, session] of this.#sessions) {
      if (session.expiresAt > now) return;
      this.#delete(key);
    }
  }

  #endOldest(name: string): void {
    for (const [key, session] of this.#sessions)
      if (session.name === name) {
        this.#delete(key);
        return;
      }
  }

  #delete(key: string): void {
    const session = this.#sessions.get(key);
    if (session === undefined) return;
    this.#sessions.delete(key);
    this.#shares.give(session);
  }
}
