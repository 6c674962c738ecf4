import { systemClock } from '../../base/clock.ts';
import { Semaphore } from '../../base/concurrency.ts';
import { Once } from '../../base/once.ts';
import type { Report } from '../../base/report.ts';
import { orAfter, within } from '../../base/within.ts';
import type { Config } from '../../config/model.ts';
import { toShownSource } from '../../engine/sync/read-retriever.ts';
import type { SharedRecipes } from '../../engine/sync/resolve-retriever.ts';
import type { Wanted, WantedRecipe } from '../../engine/zone/zone-board.ts';
import { promptTransport } from '../../remote/transport/prompt-transport.ts';
import { fromErrorRecord, svcError, toSvcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { Context } from '../context.ts';
import { openPromptRegistry } from '../prompt-registry.ts';
import { resolveRetriever } from '../recipe/resolve-retriever.ts';

export type ConfiguredZone = Config['zones'][number];

type WantedContext = Pick<Context, 'config' | 'transport' | 'credentials' | 'registry' | 'policy' | 'report'>;

/** Milliseconds for which a resolution is used again, where nothing else is said. */
const minute = 60_000;
/** Retrievers that are resolved at once. */
const atOnce = 4;
/** Milliseconds for one Retriever. */
const longest = 120_000;

/** How long a caller waits for a Retriever, and which earlier answer serves it. */
export interface Waits {
  readonly patience?: number;
  readonly takesEarlier?: boolean;
  readonly freshFor?: number;
}

interface Resolution {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly wanted: Promise<Wanted>;
  /** The answer, once it is there. */
  answer?: Wanted;
  /** The answer of the resolution before it. */
  readonly before: Wanted | undefined;
  /** The last answer before it with versions. */
  readonly usable: Wanted | undefined;
}

interface Reach {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly context: WantedContext;
  /** Entries that several zones want are resolved once. */
  readonly shared: SharedRecipes;
}

/**
 * The recipes that zones should have. Each Retriever is resolved when it is asked for, and at most once a minute. A failure
 * is a result too.
 */
export class WantedRecipes {
  readonly #context: WantedContext;
  readonly #now: () => number;
  readonly #signal: AbortSignal | undefined;
  readonly #places = new Semaphore(atOnce);
  readonly #known = new Map<string, Resolution>();
  #reach: Reach | undefined;

  /**
   * @param options.now milliseconds since the epoch
   * @param options.signal ends the resolutions under way
   */
  constructor(
    context: WantedContext,
    options: { readonly now?: () => number; readonly signal?: AbortSignal | undefined } = {},
  ) {
    this.#context = context;
    this.#now = options.now ?? systemClock.wall;
    this.#signal = options.signal;
  }

  /**
   * The recipes of a zone.
   *
   * @param options.patience milliseconds to wait; then the earlier answer serves, or none, and the later one serves later
   *   calls. Default: until it is known
   * @param options.takesEarlier an earlier answer with versions serves at once while a later one is read, and where that failed:
   *   then with the error
   * @param options.freshFor milliseconds for which an earlier answer serves; a failure serves for a minute at most
   */
  async get(
    zone: ConfiguredZone,
    { patience, takesEarlier = false, freshFor = minute }: Waits = {},
  ): Promise<Wanted> {
    const key = `${zone.name} ${zone.retriever}`;
    let found = this.#known.get(key);
    const served = found?.answer?.code === undefined ? freshFor : Math.min(freshFor, minute);
    if (found === undefined || (found.answer !== undefined && this.#now() - found.at >= served)) {
      found = this.#start(zone, found);
      this.#known.set(key, found);
    }
    const { wanted, before, answer: known, usable } = found;
    if (takesEarlier && usable !== undefined) {
      if (known === undefined) return { ...usable, reading: true };
      if (!isUsable(known)) return { ...usable, ...toCause(known) };
    }
    if (patience === undefined) return wanted;
    try {
      const answer = await orAfter(patience, wanted, undefined);
      return answer ?? { ...(before ?? this.#toFailure(tooLate(zone.retriever))), reading: true };
    } catch (error) {
      return this.#toFailure(error);
    }
  }

  #start(zone: ConfiguredZone, last: Resolution | undefined): Resolution {
    const wanted = this.#places.run(() => this.#resolve(zone));
    const before = last?.answer;
    const usable = before !== undefined && isUsable(before) ? before : last?.usable;
    const resolution: Resolution = { at: this.#now(), wanted, before, usable };
    wanted.then(
      (answer) => {
        resolution.answer = answer;
      },
      // it is ended with the instance, and told to those who wait
      () => {},
    );
    return resolution;
  }

  async #resolve({ name, retriever }: ConfiguredZone): Promise<Wanted> {
    try {
      const { at, context, shared } = this.#open();
      const { zone, recipes } = await within(
        longest,
        this.#signal,
        () => tooLate(retriever),
        (signal) => resolveRetriever(context, { source: retriever, shared, signal }),
      );
      if (zone !== name) {
        this.#context.report.log('warn', 'The Retriever of a zone is that of another zone', {
          zone: name,
          retriever: zone,
        });
        const detail = rule(['names the Retriever of {zone}', fr`nomme le Retriever de {zone}`], { zone });
        return this.#toFailure(svcError('SVC-CFG-001', { setting: `zones (${name})`, detail }));
      }
      // the entries may be those of another zone, which were read before
      return { resolvedAt: toDate(at), recipes: recipes.map(toWanted) };
    } catch (error) {
      this.#signal?.throwIfAborted();
      const failure = toSvcError(error);
      this.#context.report.log('warn', 'The Retriever of a zone cannot be resolved', {
        zone: name,
        error: failure,
      });
      return this.#toFailure(failure);
    }
  }

  /** A silent host is waited for once in a minute, and not once for each zone. */
  #open(): Reach {
    const at = this.#now();
    if (this.#reach === undefined || at - this.#reach.at >= minute) {
      const { transport, report } = this.#context;
      const context = {
        ...this.#context,
        transport: promptTransport(transport),
        report: withoutNotes(report),
      };
      const registry = openPromptRegistry(context as Context);
      this.#reach = { at, context: { ...context, registry }, shared: new Once() };
    }
    return this.#reach;
  }

  #toFailure(error: unknown): Wanted {
    const failure = toSvcError(error);
    return { resolvedAt: toDate(this.#now()), recipes: [], code: failure.code, error: failure };
  }
}

const toDate = (at: number): string => new Date(at).toISOString();

/** Whether an answer has a version: where no entry has one, no cookbook answered. */
const isUsable = ({ code, recipes }: Wanted): boolean =>
  code === undefined && (recipes.length === 0 || recipes.some(({ digest }) => digest !== undefined));

/** Why an answer has no versions. */
function toCause({ code, error, recipes }: Wanted): Pick<Wanted, 'code' | 'error'> {
  return code === undefined ? { code: recipes[0]?.code, error: recipes[0]?.error } : { code, error };
}

/** Work that is not done in time: its hosts answer slowly, or not. @param source of the Retriever, an address or a path */
const tooLate = (source: string) =>
  svcError('SVC-SRV-006', { reason: 'reading', retriever: toShownSource(source) });

type Picked = Awaited<ReturnType<typeof resolveRetriever>>['recipes'][number];

/** An entry that a check refused is not wanted in any version. */
function toWanted({
  name,
  requested,
  version,
  digest,
  signature,
  keyFingerprint,
  problem,
}: Picked): WantedRecipe {
  if (problem === undefined) return { name, requested, version, digest, signature, keyFingerprint };
  const { subject: _, ...error } = problem;
  return { name, requested, code: error.code, error: fromErrorRecord(error) };
}

/** A report without the lines about each resolved recipe, which would be written every minute. */
const withoutNotes = (report: Report): Report => ({
  audit: (event) => report.audit(event),
  meter: report.meter,
  child: (fields) => withoutNotes(report.child(fields)),
  log: (level, message, fields) => {
    if (level === 'warn' || level === 'error') report.log(level, message, fields);
  },
});
