import { randomBytes } from 'node:crypto';
import type { BlobWriter } from '../../src/store/model.ts';
import { wireError } from './wire-error.ts';

export const uploadLimits = { sessions: 1000, perIdentity: 64, idle: 3_600_000 } as const;

/** One upload under way. It belongs to the identity that opened it and to one repository. */
export interface UploadSession {
  readonly id: string;
  readonly repository: string;
  readonly actor: string;
  readonly writer: BlobWriter;
  /** A request is writing to it right now. */
  busy: boolean;
  lastUsed: number;
}

/** The open uploads of the process; they end with it, after an hour without use, or when their blob is whole. */
export class UploadSessions implements AsyncDisposable {
  readonly #sessions = new Map<string, UploadSession>();
  readonly #perActor = new Map<string, number>();
  readonly #limits: typeof uploadLimits;
  readonly #timer: NodeJS.Timeout;
  /** Places taken by sessions whose writer is still being made. */
  #opening = 0;

  constructor(limits: { sessions?: number; perIdentity?: number; idle?: number } = {}) {
    this.#limits = { ...uploadLimits, ...limits } as typeof uploadLimits;
    this.#timer = setInterval(() => this.#expire(), Math.min(60_000, this.#limits.idle));
    this.#timer.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Opens a session, its place taken before its file is made.
   *
   * @throws WireError 429 when all places, or all of this identity's, are taken
   */
  async open(
    repository: string,
    actor: string,
    createWriter: () => Promise<BlobWriter>,
  ): Promise<UploadSession> {
    const own = this.#perActor.get(actor) ?? 0;
    if (this.#sessions.size + this.#opening >= this.#limits.sessions || own >= this.#limits.perIdentity) {
      throw wireError(429, 'TOOMANYREQUESTS', 'too many open uploads', undefined, { 'retry-after': '30' });
    }
    this.#perActor.set(actor, own + 1);
    this.#opening += 1;
    try {
      const session: UploadSession = {
        id: randomBytes(18).toString('base64url'),
        repository,
        actor,
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
    return session?.repository === repository && session.actor === actor ? session : undefined;
  }

  /** Forgets a session; its writer is aborted, which does nothing once it has committed. */
  async end(session: UploadSession): Promise<void> {
    if (!this.#sessions.delete(session.id)) return;
    this.#release(session.actor);
    await session.writer.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled([...this.#sessions.values()].map((session) => this.end(session)));
  }

  #release(actor: string): void {
    const left = (this.#perActor.get(actor) ?? 1) - 1;
    if (left > 0) this.#perActor.set(actor, left);
    else this.#perActor.delete(actor);
  }

  #expire(): void {
    const oldest = performance.now() - this.#limits.idle;
    for (const session of this.#sessions.values()) {
      if (!session.busy && session.lastUsed <= oldest) this.end(session).catch(() => {});
    }
  }
}
