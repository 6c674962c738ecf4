import { randomBytes } from 'node:crypto';
import { holderOf, type Identity } from '../../src/account/model.ts';
import { resources } from '../../src/base/shares/resources.ts';
import { type Bounds, type Holder, Shares } from '../../src/base/shares/shares.ts';
import type { BlobWriter } from '../../src/store/model.ts';
import { wireError } from './wire-error.ts';

interface UploadLimits {
  readonly bounds: Bounds;
  /** Milliseconds without use after which an upload with bytes ends. */
  readonly idle: number;
  /** The same of an upload without any. */
  readonly emptyIdle: number;
}

const defaults: UploadLimits = { bounds: resources.uploads, idle: 3_600_000, emptyIdle: 300_000 };

const toHolder = (identity: Identity): Holder => ({
  name: holderOf(identity),
  rank: identity.role === 'admin' ? 'admin' : 'account',
});

/** One open upload. It belongs to one repository and to the identity that opened it. */
export interface UploadSession {
  readonly id: string;
  readonly repository: string;
  readonly identity: Identity;
  /** Identifier of the medium that received its bytes. */
  readonly mediaId: string;
  readonly writer: BlobWriter;
  /** Whether a request is writing to it now. */
  busy: boolean;
  lastUsed: number;
}

/**
 * The open uploads of the process. An upload ends with its commit, with the process, or after an hour without use (five
 * minutes when it is empty). When an identity opens too many, the one that is idle the longest ends. All end when the
 * account or token of their identity is removed.
 */
export class UploadSessions implements AsyncDisposable {
  readonly #sessions = new Map<string, UploadSession>();
  readonly #shares: Shares;
  readonly #limits: UploadLimits;
  readonly #isCurrent: (identity: Identity) => boolean;
  readonly #timer: NodeJS.Timeout;

  /** @param isCurrent whether the owner of an upload may still push; see `endOutdated` */
  constructor(limits: Partial<UploadLimits> = {}, isCurrent: (identity: Identity) => boolean = () => true) {
    this.#isCurrent = isCurrent;
    this.#limits = { ...defaults, ...limits };
    this.#shares = new Shares(this.#limits.bounds);
    const { idle, emptyIdle } = this.#limits;
    this.#timer = setInterval(() => this.#expire(), Math.min(60_000, idle, emptyIdle));
    this.#timer.unref();
  }

  /** Bytes that uploads have received and not yet written. */
  get pending(): number {
    let bytes = 0;
    for (const { writer } of this.#sessions.values()) bytes += writer.pending;
    return bytes;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /**
   * Opens a session. It gets its place before its file is created. When the identity has no place left, its longest idle
   * session ends, so that interrupted uploads do not block further pushes.
   *
   * @throws WireError 429 when all sessions of the identity are being written to, or no place is free and no session has
   *   been idle for `emptyIdle`
   */
  async open(
    place: Pick<UploadSession, 'repository' | 'identity' | 'mediaId'>,
    createWriter: () => Promise<BlobWriter>,
  ): Promise<UploadSession> {
    const holder = toHolder(place.identity);
    this.#makeRoom(holder);
    this.#shares.add(holder);
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
      this.#shares.give(holder);
      throw error;
    }
  }

  /** Finds a session of this identity in this repository. Sessions of others are not found. */
  find(id: string, repository: string, identity: Identity): UploadSession | undefined {
    const session = this.#sessions.get(id);
    if (session?.repository !== repository) return undefined;
    return holderOf(session.identity) === holderOf(identity) ? session : undefined;
  }

  /**
   * Ends the sessions whose account or token was removed or has another role. A request that writes to one finds out
   * itself.
   */
  endOutdated(): void {
    for (const session of this.#sessions.values())
      if (!session.busy && !this.#mayPush(session)) this.end(session).catch(() => {});
  }

  /** Ends a session. Aborts its writer, which has no effect after a commit. */
  async end(session: UploadSession): Promise<void> {
    if (!this.#sessions.delete(session.id)) return;
    this.#shares.give(toHolder(session.identity));
    await session.writer.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled([...this.#sessions.values()].map((session) => this.end(session)));
  }

  /** Ends uploads until the holder can open one. @throws WireError 429 when it cannot */
  #makeRoom(holder: Holder): void {
    const obstacle = this.#shares.obstacle(holder);
    if (obstacle === undefined) return;
    const latest = performance.now() - this.#limits.emptyIdle;
    this.#endLongestIdle(({ identity, lastUsed }) =>
      obstacle.of === 'share' ? holderOf(identity) === holder.name : lastUsed <= latest,
    );
    // an upload that ended in the reserve makes no place outside of it
    this.#makeRoom(holder);
  }

  /**
   * Ends the session that has been idle the longest. Its place is free when this returns.
   *
   * @throws WireError 429 when no session may end
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

  #mayPush({ identity }: UploadSession): boolean {
    try {
      return this.#isCurrent(identity);
    } catch {
      // a failure to read the accounts is no revocation
      return true;
    }
  }

  #expire(): void {
    const now = performance.now();
    for (const session of this.#sessions.values()) {
      const limit = session.writer.received === 0 ? this.#limits.emptyIdle : this.#limits.idle;
      if (!session.busy && now - session.lastUsed >= limit) this.end(session).catch(() => {});
    }
    // a change that another process made while no request asked for an account
    this.endOutdated();
  }
}
