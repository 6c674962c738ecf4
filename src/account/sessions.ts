import { createHash, randomBytes } from 'node:crypto';
import type { Role } from './model.ts';

/** The account as it was at sign-in: a session ends when any of it changes. */
export interface SessionAccount {
  readonly name: string;
  readonly role: Role;
  /** The encoded password hash. */
  readonly hash: string;
}

interface SessionsOptions {
  /** Milliseconds that a session lives. */
  readonly ttl: number;
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
  /** Sessions held; beyond it the oldest ends. */
  readonly maxSessions?: number;
}

interface Session extends SessionAccount {
  readonly expiresAt: number;
}

const toKey = (secret: string): string => createHash('sha256').update(secret).digest('base64');

/** Sessions of the web interface, in memory only: a restart signs everyone out. Secrets are held hashed. */
export class Sessions {
  readonly #ttl: number;
  readonly #now: () => number;
  readonly #maxSessions: number;
  readonly #sessions = new Map<string, Session>();

  constructor(options: SessionsOptions) {
    this.#ttl = options.ttl;
    this.#now = options.now;
    this.#maxSessions = options.maxSessions ?? 10_000;
  }

  /** Begins a session under a new secret; a value that a client brings is never taken. */
  start(account: SessionAccount): { readonly secret: string; readonly maxAgeSeconds: number } {
    this.#forgetExpired();
    if (this.#sessions.size >= this.#maxSessions) {
      const oldest = this.#sessions.keys().next();
      if (!oldest.done) this.#sessions.delete(oldest.value);
    }
    const secret = randomBytes(32).toString('base64url');
    const { name, role, hash } = account;
    this.#sessions.set(toKey(secret), { name, role, hash, expiresAt: this.#now() + this.#ttl });
    return { secret, maxAgeSeconds: Math.floor(this.#ttl / 1000) };
  }

  /**
   * The account of a session that stands.
   *
   * @param current looks an account up as it is now; a session whose account is gone, has another role or another
   *   password has ended
   */
  find<A extends SessionAccount>(secret: string, current: (name: string) => A | undefined): A | undefined {
    if (secret.length > 256) return undefined;
    const key = toKey(secret);
    const session = this.#sessions.get(key);
    if (!session) return undefined;
    const account = current(session.name);
    const stands =
      session.expiresAt > this.#now() &&
      account !== undefined &&
      account.hash === session.hash &&
      account.role === session.role;
    if (stands) return account;
    this.#sessions.delete(key);
    return undefined;
  }

  end(secret: string): void {
    this.#sessions.delete(toKey(secret));
  }

  /** Sessions held. */
  get size(): number {
    return this.#sessions.size;
  }

  // every session lives equally long, so the order of insertion is the order of expiry
  #forgetExpired(): void {
    const now = this.#now();
    for (const [key, session] of this.#sessions) {
      if (session.expiresAt > now) return;
      this.#sessions.delete(key);
    }
  }
}
