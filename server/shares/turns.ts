import type { ServerResponse } from 'node:http';
import { resources } from '../../src/base/shares/resources.ts';
import { type Bounds, type Holder, type Rank, Shares } from '../../src/base/shares/shares.ts';
import { toOriginHolder } from './holder.ts';

interface TurnLimits {
  /** Answers that are made at once. */
  readonly answers: Bounds;
  /** Bytes of answers that were made and are not sent, by network origin. */
  readonly unreadBytes: Bounds;
  /**
   * Milliseconds in which the event loop had nothing to do, after which the place of a request goes to the next. The
   * request then waits for something else. Time in which the loop is busy does not count: the request may cause it.
   */
  readonly lease: number;
}

const defaults: TurnLimits = { ...resources, lease: 500 };
/** Milliseconds of one round of the event loop in which turns begin; the others wait for the next round. */
const roundTime = 5;
/** Milliseconds between two looks at requests that may be waiting. */
const lookInterval = 20;

/** Milliseconds since the start of the process in which the event loop waited. */
const idleTime = (): number => performance.nodeTiming.idleTime;

/** The turn of a request, until its answer was made. */
export interface Turn {
  readonly holder: Holder;
  readonly res: ServerResponse;
  /** Idle time of the loop at the first look at it. */
  since?: number;
  /** Whether it takes a place. */
  isHeld: boolean;
}

/** A request that waits for its turn. */
interface Waiter {
  readonly begin: () => void;
}

/** The waiting requests of one holder, by network origin; the origins in the order of their next turns. */
interface Line {
  readonly holder: Holder;
  readonly byOrigin: Map<string, Set<Waiter>>;
}

/** An answer that its client has not read yet. */
interface Unsent {
  readonly res: Pick<ServerResponse, 'destroy'>;
  readonly bytes: number;
}

/** The part of an exchange that is needed here. */
interface Asked {
  readonly origin: string;
  readonly res: ServerResponse;
  /** Set when the request takes its turn. */
  turn?: Turn | undefined;
}

/** Unsent bytes of an answer that are not worth counting: the system takes as many for each connection. */
const counted = 64 << 10;

/** A line behind the others of its map. */
function moveBack<T>(map: Map<string, T>, name: string, value: T): void {
  map.delete(name);
  map.set(name, value);
}

/**
 * Lets callers take turns in the making of answers, so that the requests of one do not keep another's waiting. A caller
 * has a number of places; its other requests wait. Callers take turns, and so do the origins of one caller. Between two
 * requests that waited, the event loop gets to everything else. A request whose client has left gets no turn.
 *
 * Transfers of content take no turn, since they compute nothing.
 */
export class Turns implements Disposable {
  readonly #limits: TurnLimits;
  readonly #places: Shares;
  readonly #unsent: Shares;
  readonly #held = new Set<Turn>();
  readonly #lines: Readonly<Record<Rank, Map<string, Line>>> = {
    admin: new Map(),
    account: new Map(),
    origin: new Map(),
  };
  /** Answers by the origin that has not read them, oldest first. */
  readonly #unread = new Map<string, Set<Unsent>>();
  #waiting = 0;
  #isAdmitting = false;
  /** When the first request of this round of the event loop took its turn. */
  #roundStart: number | undefined;
  #lastServed: Rank = 'origin';
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: TurnLimits = defaults) {
    this.#limits = limits;
    this.#places = new Shares(limits.answers);
    this.#unsent = new Shares(limits.unreadBytes);
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Waits for the turn of a request. The turn ends with {@link end}; a second call for one request has no effect.
   *
   * @returns nothing when the request need not wait; otherwise a promise, which stays pending when the client leaves
   */
  take(holder: Holder, asked: Asked): void | Promise<void> {
    if (asked.turn !== undefined) return undefined;
    const { origin, res } = asked;
    const turn: Turn = { holder, res, isHeld: false };
    asked.turn = turn;
    const isFirst = !this.#lines[holder.rank].has(holder.name);
    if (isFirst && this.#isInRound() && this.#places.tryTake(holder)) {
      turn.isHeld = true;
      this.#held.add(turn);
      return undefined;
    }
    return this.#wait(turn, toOriginHolder(origin).name, res);
  }

  /** Ends the turn of a request: its answer was made, or its client has left. */
  end({ origin, res, turn }: Asked): void {
    if (turn === undefined) return;
    if (turn.isHeld) this.#release(turn);
    if (res.writableLength > counted && !res.closed) this.#keepUnsent(toOriginHolder(origin), res);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /**
   * Whether the round of the event loop has time left. A thousand requests of one client can arrive in one round, and
   * would all be answered before those of others.
   */
  #isInRound(): boolean {
    const now = performance.now();
    if (this.#roundStart === undefined) {
      this.#roundStart = now;
      setImmediate(this.#endRound);
    }
    return now - this.#roundStart < roundTime;
  }

  readonly #endRound = (): void => {
    this.#roundStart = undefined;
  };

  #release(turn: Turn): void {
    turn.isHeld = false;
    this.#held.delete(turn);
    this.#places.give(turn.holder);
    this.#admitSoon();
  }

  #wait(turn: Turn, origin: string, res: ServerResponse): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { holder } = turn;
    const lines = this.#lines[holder.rank];
    const line = lines.get(holder.name) ?? { holder, byOrigin: new Map<string, Set<Waiter>>() };
    lines.set(holder.name, line);
    const own = line.byOrigin.get(origin) ?? new Set<Waiter>();
    line.byOrigin.set(origin, own);
    const leave = (): void => {
      res.off('close', leave);
      if (!own.delete(waiter)) return;
      this.#waiting -= 1;
      if (own.size === 0 && line.byOrigin.get(origin) === own) line.byOrigin.delete(origin);
      if (line.byOrigin.size === 0 && lines.get(holder.name) === line) lines.delete(holder.name);
      if (this.#waiting === 0) this.#stopLooking();
    };
    const waiter: Waiter = {
      begin: () => {
        leave();
        turn.isHeld = true;
        this.#held.add(turn);
        this.#places.add(holder);
        resolve();
      },
    };
    own.add(waiter);
    this.#waiting += 1;
    res.once('close', leave);
    this.#admitSoon();
    this.#timer ??= setInterval(() => this.#lapse(), lookInterval).unref();
    return promise;
  }

  /** Takes the places back from requests that wait for something else: their clients, which do not read, or other hosts. */
  #lapse(): void {
    const now = idleTime();
    for (const turn of this.#held) {
      turn.since ??= now;
      if (turn.res.writableNeedDrain || now - turn.since >= this.#limits.lease) this.#release(turn);
    }
  }

  #stopLooking(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #admitSoon(): void {
    if (this.#isAdmitting || this.#waiting === 0) return;
    this.#isAdmitting = true;
    setImmediate(() => {
      this.#isAdmitting = false;
      this.#admit(performance.now() + roundTime);
    });
  }

  /** Begins waiting requests, each when the one before it has done all that it could without waiting, until a time. */
  #admit(end: number): void {
    if (performance.now() >= end) this.#admitSoon();
    else if (this.#admitNext()) queueMicrotask(() => process.nextTick(() => this.#admit(end)));
  }

  /** Begins one waiting request: of an administrator, otherwise of an account and of an origin alternately. */
  #admitNext(): boolean {
    const ranks: readonly Rank[] =
      this.#lastServed === 'account' ? ['admin', 'origin', 'account'] : ['admin', 'account', 'origin'];
    for (const rank of ranks) {
      const lines = this.#lines[rank];
      for (const [name, line] of lines) {
        const obstacle = this.#places.obstacle(line.holder);
        // no other holder of this rank gets past these either
        if (obstacle?.of === 'total' || obstacle?.of === 'origins') break;
        if (obstacle !== undefined) continue;
        if (rank !== 'admin') this.#lastServed = rank;
        moveBack(lines, name, line);
        const [[origin, own]] = line.byOrigin as unknown as [[string, Set<Waiter>]];
        moveBack(line.byOrigin, origin, own);
        const [waiter] = own;
        waiter!.begin();
        return true;
      }
    }
    return false;
  }

  /** Counts an answer until its client has read it. Beyond a limit, the oldest of the origin that has most is given up. */
  #keepUnsent(holder: Holder, res: ServerResponse): void {
    const bytes = Math.min(res.writableLength, this.#limits.unreadBytes.share.origin);
    const own: Unsent = { res, bytes };
    for (let giver = this.#unsent.giver(holder, bytes); giver; giver = this.#unsent.giver(holder, bytes)) {
      const [oldest] = this.#unread.get(giver)!;
      this.#forget(giver, oldest!);
      oldest!.res.destroy();
    }
    const known = this.#unread.get(holder.name) ?? new Set<Unsent>();
    this.#unread.set(holder.name, known.add(own));
    this.#unsent.add(holder, bytes);
    res.once('close', () => this.#forget(holder.name, own));
  }

  #forget(name: string, own: Unsent): void {
    const known = this.#unread.get(name);
    if (!known?.delete(own)) return;
    if (known.size === 0) this.#unread.delete(name);
    this.#unsent.give({ name }, own.bytes);
  }
}
