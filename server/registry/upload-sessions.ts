import { randomBytes } from 'node:crypto';
import type { Identity } from '../../src/account/model.ts';
import type { BlobWriter } from '../../src/store/model.ts';
import { wireError } from './wire-error.ts';

/** `idle` and `emptyIdle` in milliseconds: how long an unused upload is kept, with bytes and without any. */
export const uploadLimits = {
  sessions: 1000,
  perIdentity: 64,
  idle: 3_600_000,
  emptyIdle: 300_000,
} as const;

/** One upload under way. It belongs to the identity that opened it and to one repository. */
export interface UploadSession {
  readonly id: string;
  readonly repository: string;
  readonly identity: Identity;
  /** The medium that its bytes were sent to. */
  readonly mediaId: string;
  readonly writer: BlobWriter;
  /** A request is writing to it right now. */
  busy: boolean;
  lastUsed: number;
}

/**
 * The open uploads of the process. An upload ends with its blob, with the process, after an hour without use (five
 * minutes when it has received nothing), or when its identity opens more than it may and this one is idle the longest.
 */
export class UploadSessions implements AsyncDisposable {
  readonly #sessions = new Map<string, UploadSession>();
  readonly #perActor = new Map<string, number>();
  readonly #limits: typeof uploadLimits;
  readonly #isCurrent: (identity: Identity) => boolean;
  readonly #timer: NodeJS.Timeout;
  /** Places taken by sessions whose writer is still being made. */
  #opening = 0;

  /** @param isCurrent whether the owner of an upload may still push; the uploads of others end within a minute */
  constructor(
    limits: Partial<Record<keyof typeof uploadLimits, number>> = {},
    isCurrent: (identity: Identity) => boolean = () => true,
  ) {
    this.#isCurrent = isCurrent;
    this.#limits = { ...uploadLimits, ...limits } as typeof uploadLimits;
    const { idle, emptyIdle } = this.#limits;
    this.#timer = setInterval(() => this.#expire(), Math.min(60_000, idle, emptyIdle));
    this.#timer.unref();
  }

  /** Bytes received that the files of the uploads still have to take. */
  get pending(): number {
    let bytes = 0;
    for (const { writer } of this.#sessions.values()) bytes += writer.pending;
    return bytes;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Opens a session, its place taken before its file is made. Where all places of the identity are taken, its longest
   * idle session ends: an interrupted upload must not keep its owner from pushing.
   *
   * @throws WireError 429 when a request is writing to every session of this identity, or all places are taken and no
   *   session has been idle for `emptyIdle`
   */
  async open(
    place: Pick<UploadSession, 'repository' | 'identity' | 'mediaId'>,
    createWriter: () => Promise<BlobWriter>,
  ): Promise<UploadSession> {
    const { actor } = place.identity;
    if ((this.#perActor.get(actor) ?? 0) >= this.#limits.perIdentity)
      this.#endLongestIdle((session) => session.identity.actor === actor);
    if (this.#sessions.size + this.#opening >= this.#limits.sessions) {
      const latest = performance.now() - this.#limits.emptyIdle;
      this.#endLongestIdle(({ lastUsed }) => lastUsed <= latest);
    }
    this.#perActor.set(actor, (this.#perActor.get(actor) ?? 0) + 1);
    this.#opening += 1;
    try {
      const session: UploadSession = {
        id: randomBytes(18).toString('base64url'),
        ...place,
        writer: await createWriter(),
        busy: false,
        lastUsed: performance.now(),
      };
      this.#sessions.set(session.id, session);
      return session;
    } catch (error) {
      this.#release(actor);
      throw error;
    } finally {
      this.#opening -= 1;
    }
  }

  /** The session of this identity in this repository; another's is as unknown as none. */
  find(id: string, repository: string, actor: string): UploadSession | undefined {
    const session = this.#sessions.get(id);
    return session?.repository === repository && session.identity.actor === actor ? session : undefined;
  }

  /** Forgets a session; its writer is aborted, which does nothing once it has committed. */
  async end(session: UploadSession): Promise<void> {
    if (!this.#sessions.delete(session.id)) return;
    this.#release(session.identity.actor);
    await session.writer.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled([...this.#sessions.values()].map((session) => this.end(session)));
  }

  /**
   * Ends the session that has been unused the longest; its place is free when this returns.
   *
   * @throws WireError 429 when none may end
   */
  #endLongestIdle(mayEnd: (session: UploadSession) => boolean): void {
    let longest: UploadSession | undefined;
    for (const session of this.#sessions.values()) {
      if (session.busy || !mayEnd(session)) continue;
      if (longest === undefined || session.lastUsed < longest.lastUsed) longest = session;
    }
    if (longest === undefined)
      throw wireError(429, 'TOOMANYREQUESTS', 'too many open uploads', undefined, { 'retry-after': '30' });
    this.end(longest).catch(() => {});
  }

  #release(actor: string): void {
    const left = (this.#perActor.get(actor) ?? 1) - 1;
    if (left > 0) this.#perActor.set(actor, left);
    else this.#perActor.delete(actor);
  }

  #mayPush({ identity }: UploadSession): boolean {
    try {
      return this.#isCurrent(identity);
    } catch {
      // accounts that cannot be read now say nothing about this one
      return true;
    }
  }

  #expire(): void {
    const now = performance.now();
    for (const session of this.#sessions.values()) {
      const limit = session.writer.received === 0 ? this.#limits.emptyIdle : this.#limits.idle;
      const isOver = now - session.lastUsed >= limit || !this.#mayPush(session);
      if (!session.busy && isOver) this.end(session).catch(() => {});
    }
  }
}
