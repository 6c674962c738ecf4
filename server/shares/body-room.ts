import type { IncomingMessage, ServerResponse } from 'node:http';
import { resources } from '../../src/base/shares/resources.ts';
import { type Bounds, type Holder, Shares } from '../../src/base/shares/shares.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';

/** All in bytes. */
interface BodyLimits {
  /** Maximum size of a small body. */
  readonly small: number;
  /** Bodies up to this size. Large bodies use none of it, so that accounts and tokens can always be changed. */
  readonly smallBodies: Bounds;
  readonly largeBodies: Bounds;
}

const defaults: BodyLimits = { small: 64 << 10, ...resources };

/** The parts of a request and its response of node that are needed here. */
interface Transfer {
  readonly req: Pick<IncomingMessage, 'complete' | 'destroy'>;
  readonly res: Pick<ServerResponse, 'closed'> & { once(event: 'close', listener: () => void): unknown };
}

/** The memory used by the body of one request. */
export interface BodyShare {
  /**
   * Reserves memory until the answer has ended.
   *
   * @param bytes in addition to those reserved before
   * @throws SVC-SRV-006 when a limit of its caller or of all bodies would be exceeded
   */
  take(bytes: number): void;
}

/** The body of one request before sign-in. */
interface Unsigned {
  readonly isLarge: () => boolean;
  readonly req: Transfer['req'];
  readonly release: () => void;
}

/**
 * Limits the memory used by the bodies of all requests, from their first byte until their answer has ended. Before
 * sign-in, an arriving body gives way to a new one: the oldest of its origin, or of the origin that holds most. Its
 * connection is closed, so that others behind a busy address can sign in.
 */
export class BodyRoom {
  readonly #most: number;
  readonly #small: Shares;
  readonly #large: Shares;
  /** By name of their origin, oldest first. */
  readonly #unsigned = new Map<string, Set<Unsigned>>();

  constructor({ small, smallBodies, largeBodies }: BodyLimits = defaults) {
    this.#most = small;
    this.#small = new Shares(smallBodies);
    this.#large = new Shares(largeBodies);
  }

  /** Bytes taken now. */
  get taken(): number {
    return this.#small.taken + this.#large.taken;
  }

  /** The memory is released when the response has ended or its connection is closed. */
  open(holder: Holder, { req, res }: Transfer): BodyShare {
    let taken = 0;
    let shares = this.#small;
    let isOver = false;
    const release = (): void => {
      if (isOver) return;
      isOver = true;
      shares.give(holder, taken);
      this.#forget(holder, own);
    };
    const own: Unsigned = { isLarge: () => shares === this.#large, req, release };
    res.once('close', release);
    if (holder.rank === 'origin') this.#remember(holder, own);
    return {
      take: (bytes) => {
        if (isOver || res.closed) throw toBusy();
        const becomesLarge = shares === this.#small && taken + bytes > this.#most;
        // a body that becomes large counts as large from its first byte
        const [from, counted] = becomesLarge ? [this.#large, taken + bytes] : [shares, bytes];
        if (!this.#makeRoom(from, holder, counted, own)) throw toBusy();
        if (becomesLarge) this.#small.give(holder, taken);
        from.add(holder, counted);
        shares = from;
        taken += bytes;
      },
    };
  }

  /** Lets bodies before sign-in give way until these bytes fit. @returns whether they fit */
  #makeRoom(shares: Shares, holder: Holder, bytes: number, own: Unsigned): boolean {
    const isLarge = shares === this.#large;
    const oldestOf = (name: string): Unsigned | undefined => this.#oldest(name, isLarge, own);
    while (shares.obstacle(holder, bytes) !== undefined) {
      if (holder.rank !== 'origin') return false;
      const giver = shares.giver(holder, bytes, (name) => oldestOf(name) !== undefined);
      const oldest = giver === undefined ? undefined : oldestOf(giver);
      if (oldest === undefined) return false;
      oldest.release();
      oldest.req.destroy();
    }
    return true;
  }

  /** The body of an origin that has been arriving longest; undefined when it is the one that asks. */
  #oldest(name: string, isLarge: boolean, own: Unsigned): Unsigned | undefined {
    for (const each of this.#unsigned.get(name) ?? [])
      if (!each.req.complete && each.isLarge() === isLarge) return each === own ? undefined : each;
    return undefined;
  }

  #remember({ name }: Holder, own: Unsigned): void {
    const known = this.#unsigned.get(name);
    if (known === undefined) this.#unsigned.set(name, new Set([own]));
    else known.add(own);
  }

  #forget({ name }: Holder, own: Unsigned): void {
    const known = this.#unsigned.get(name);
    if (known?.delete(own) && known.size === 0) this.#unsigned.delete(name);
  }
}

function toBusy() {
  return svcError(
    'SVC-SRV-006',
    {},
    {
      detail: rule([
        'other large requests are being received',
        fr`d’autres grandes requêtes sont en cours de réception`,
      ]),
    },
  );
}
