import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { resources } from './resources.ts';
import { type Bounds, type Holder, Shares } from './shares.ts';

/** In milliseconds. */
interface PlaceTimes {
  /** Maximum time that a caller waits for a place. */
  readonly wait: number;
  /** Maximum duration of the work. */
  readonly duration: number;
}

const placeTimes: PlaceTimes = { wait: 5_000, duration: 300_000 };
/** Of a place that is held until the client has the whole answer. */
const sendTimes: PlaceTimes = { ...placeTimes, duration: 3_600_000 };

/** The work of the places, named in the details of refusals. */
interface PlaceNames {
  /** Why no place is free: `other plans are being made`. */
  readonly busy: Rule;
  /** The work that took too long, as the subject of a sentence. */
  readonly one: Rule;
}

interface Waiter {
  readonly holder: Holder;
  readonly begin: () => void;
}

/**
 * Limits the work of one kind that is done at once, and that of one caller, so that no caller uses all places. A place that
 * becomes free goes to the permitted caller with the fewest places; among equals, to the first that asked.
 */
export class Places {
  readonly #times: PlaceTimes;
  readonly #names: PlaceNames;
  readonly #shares: Shares;
  readonly #waiting = new Set<Waiter>();

  constructor(bounds: Bounds, names: PlaceNames, times: PlaceTimes = placeTimes) {
    this.#shares = new Shares(bounds);
    this.#names = names;
    this.#times = times;
  }

  /**
   * Does work when there is a place for its caller.
   *
   * @param signal aborts the wait and the work
   * @param work must end when its signal aborts
   * @throws SVC-SRV-006 when no place is free in time or the work takes too long; the reason of the signal
   */
  async run<T>(holder: Holder, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    await this.#enter(holder, signal);
    const late = new AbortController();
    const { duration } = this.#times;
    const timer = setTimeout(
      () =>
        late.abort(
          toBusy(
            rule(['{one} took more than {duration} ms', fr`{one} a duré plus de {duration} ms`], {
              one: this.#names.one,
              duration,
            }),
          ),
        ),
      duration,
    );
    try {
      signal.throwIfAborted();
      return await work(AbortSignal.any([signal, late.signal]));
    } finally {
      clearTimeout(timer);
      this.#shares.give(holder);
      this.#admit();
    }
  }

  #enter(holder: Holder, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = {
      holder,
      begin: () => {
        leave();
        resolve();
      },
    };
    const giveUp = (reason: unknown): void => {
      leave();
      reject(reason as Error);
    };
    const timer = setTimeout(() => giveUp(toBusy(this.#names.busy)), this.#times.wait);
    const abort = (): void => giveUp(signal.reason);
    const leave = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(waiter);
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#waiting.add(waiter);
    if (signal.aborted) abort();
    this.#admit();
    return promise;
  }

  #admit(): void {
    for (;;) {
      let next: Waiter | undefined;
      for (const waiter of this.#waiting) {
        if (this.#shares.obstacle(waiter.holder) !== undefined) continue;
        if (next === undefined || this.#shares.of(waiter.holder) < this.#shares.of(next.holder))
          next = waiter;
      }
      if (next === undefined) return;
      this.#shares.add(next.holder);
      next.begin();
    }
  }
}

function toBusy(detail: Rule) {
  return svcError('SVC-SRV-006', {}, { detail });
}

/** The kinds of work that last long for a caller; `resources` has the limits of each. */
export const placeNames = {
  inspections: {
    busy: rule(['other artifacts are being inspected', fr`d’autres artefacts sont en cours d’examen`]),
    one: rule(['the inspection', fr`l’examen`]),
  },
  plans: {
    busy: rule(['other plans are being made', fr`d’autres plans sont en cours d’établissement`]),
    one: rule(['the plan', fr`le plan`]),
  },
  documents: {
    busy: rule([
      'other recipes are being pinned or compared',
      fr`d’autres recettes sont en train d’être figées ou comparées`,
    ]),
    one: rule(['the pin or comparison', fr`figer ou comparer`]),
  },
  evidence: {
    busy: rule([
      'another evidence pack is being made or sent',
      fr`un autre dossier de preuves est en cours de création ou d’envoi`,
    ]),
    one: rule(['the evidence pack', fr`le dossier de preuves`]),
  },
  exports: {
    busy: rule([
      'other exports of the history are being read',
      fr`d’autres exports de l’historique sont en cours de lecture`,
    ]),
    one: rule(['the export of the history', fr`l’export de l’historique`]),
  },
} as const satisfies Readonly<Record<string, PlaceNames>>;

/** The places of an instance. */
export type InstancePlaces = Readonly<Record<keyof typeof placeNames, Pick<Places, 'run'>>>;

export function openPlaces(): InstancePlaces {
  const open = (name: keyof typeof placeNames, times?: PlaceTimes) =>
    new Places(resources[name], placeNames[name], times);
  return {
    inspections: open('inspections'),
    plans: open('plans'),
    documents: open('documents'),
    evidence: open('evidence', sendTimes),
    exports: open('exports', sendTimes),
  };
}
