import type { GateRefusal } from '../base/gate-refusal.ts';
import type { RecipeVerdict } from '../contract/medium.ts';
import type { MediumDelivery } from '../contract/status.ts';
import { overview } from '../text/words/overview.ts';
import type { Words } from '../text/words/words.ts';
import { isElsewhere, type MediumStanding, sayStanding } from './medium-standing.ts';
import { isFailedSync, type Run, type WantedRecipe, wantedState } from './runs.ts';
import { addWithheld } from './zone/blocked.ts';

/** Whether the zone has its wanted recipes. */
export type Verdict =
  | { readonly kind: 'closed'; readonly because: 'unverified' | 'refused' | 'replaced' }
  | ({ readonly kind: 'closed'; readonly because: 'elsewhere' } & MediumStanding)
  | {
      readonly kind: 'run-failed';
      /** When a synchronization failed that knew its recipes (RFC 3339 UTC). */
      readonly at?: string;
      /** The last one before it that brought or confirmed recipes, which are here. */
      readonly of?: string;
      readonly count?: number;
      readonly total?: number;
      readonly damaged?: number;
    }
  | {
      readonly kind: 'missing';
      readonly count: number;
      readonly total: number;
      /** The parts of the delivery that bring all of them. */
      readonly parts?: readonly number[];
      /** Whether they are those of deliveries, and not those that a Retriever wants. */
      readonly isDelivered?: boolean;
      /** Those of the others of which the store has lost a part. */
      readonly damaged?: number;
    }
  | { readonly kind: 'gone'; readonly count: number; readonly total: number; readonly damaged?: number }
  /** All are here, and the store has lost a part of some. */
  | { readonly kind: 'damaged'; readonly count: number; readonly total: number }
  | {
      readonly kind: 'complete';
      readonly count: number;
      readonly isDelivered?: boolean;
      /** The delivery whose recipes are all in the zone, where its medium serves none. */
      readonly delivery?: MediumDelivery;
    }
  /** No disk of the delivery is expected any more: a newer medium was imported since. */
  | { readonly kind: 'overtaken'; readonly delivery: MediumDelivery }
  | {
      readonly kind: 'blocked';
      readonly count: number;
      /** Recipes that passed: here, or still to be imported. */
      readonly passed: number;
      readonly isUnimported: boolean;
    }
  | { readonly kind: 'unimported'; readonly count: number }
  | { readonly kind: 'here'; readonly count: number }
  | { readonly kind: 'nothing' };

const reasons = {
  'SVC-MED-030': 'unverified',
  'SVC-MED-032': 'refused',
  'SVC-MED-033': 'replaced',
} as const satisfies Record<GateRefusal['code'], string>;

interface Known {
  /** Why no content is served. */
  readonly refusal: Pick<GateRefusal, 'code' | 'awaits'> | undefined;
  /** The delivery of the medium, as the zone has received it. */
  readonly delivery: MediumDelivery | undefined;
  /** The run that ended last. */
  readonly last: Pick<Run, 'task' | 'recipes'> | undefined;
  /** When the last synchronization ended that brought or confirmed a recipe. */
  readonly good?: string | undefined;
  /** The wanted recipes of that run and the others that the zone waits for, as the store stands now. */
  readonly wanted: readonly WantedRecipe[];
  /** Recipes of the store. */
  readonly recipes: number;
  /** Whether the medium was verified and has not reached the destination yet. */
  readonly isUnimported: boolean;
  /** Recipes of the medium that are withheld, and that the zone does not have from another one. */
  readonly blocked: readonly Pick<RecipeVerdict, 'name' | 'version' | 'reason'>[];
  /** Whether the wanted recipes are those of deliveries. Default: a Retriever wants them. */
  readonly isDelivered?: boolean;
}

/** What the zone still waits for, among its wanted recipes. */
export const listOwed = (wanted: readonly WantedRecipe[]): readonly WantedRecipe[] =>
  wanted.filter(({ owed, standing }) => owed !== undefined && standing !== 'here');

/**
 * Decides whether the zone has its wanted recipes: those of the run that ended last and of all that is still open, against those
 * that are here now.
 */
export function toZoneVerdict(known: Known): Verdict {
  const { refusal, delivery, last, wanted, recipes, isUnimported, blocked } = known;
  const from = known.isDelivered === true ? { isDelivered: true } : {};
  const owed = listOwed(wanted).length;
  const present = wanted.filter(({ standing }) => standing === 'here').length;
  if (refusal !== undefined) {
    const closed = toClosedVerdict(refusal, delivery);
    // the missing recipes of the zone do not depend on the disk that is here, once that was imported
    const isImported = closed.kind === 'closed' && closed.because === 'elsewhere' && delivery?.imported;
    if (owed === 0 || (closed.kind === 'closed' && !isImported)) return closed;
    // the delivery of one medium says nothing of the others
    const landed = closed.kind === 'complete' ? closed.count : 0;
    const total = owed + Math.max(landed, present);
    return { kind: 'missing', count: owed, total, ...selectAwaited(wanted, delivery), ...from };
  }
  const here: Verdict =
    blocked.length > 0
      ? { kind: 'blocked', count: blocked.length, passed: recipes, isUnimported }
      : recipes === 0
        ? { kind: 'nothing' }
        : { kind: isUnimported ? 'unimported' : 'here', count: recipes };
  if (last === undefined)
    return owed === 0
      ? here
      : {
          kind: 'missing',
          count: owed,
          total: owed + Math.max(recipes, present),
          ...selectAwaited(wanted, delivery),
          ...from,
        };
  // the recipes are settled before steps of the whole run, such as prune, can fail
  if (last.recipes.length === 0 && last.task.status !== 'done') return { kind: 'run-failed' };
  const total = wanted.length;
  const count = wanted.filter(({ standing }) => standing === 'missing').length;
  const gone = wanted.filter(({ standing }) => standing === 'gone').length;
  const all = addWithheld(wanted, blocked);
  const damaged = wanted.filter((each) => wantedState(each) === 'damaged').length;
  const broken = damaged === 0 ? {} : { damaged };
  if (isFailedSync(last)) {
    const { finishedAt: at, createdAt } = last.task;
    const isAnyHere = wanted.some(({ standing }) => standing === 'here');
    const of = known.good !== undefined && isAnyHere ? { of: known.good } : {};
    return { kind: 'run-failed', at: at ?? createdAt, ...of, count: count + gone, total, ...broken };
  }
  if (count > 0)
    return {
      kind: 'missing',
      count: all.filter(({ standing }) => standing !== 'here').length,
      total: all.length,
      ...selectAwaited(all, delivery),
      ...from,
      ...broken,
    };
  // a run that succeeded imported another medium
  if (total === 0 || blocked.length > 0 || isUnimported) return here;
  if (gone > 0) return { kind: 'gone', count: gone, total, ...broken };
  if (damaged > 0) return { kind: 'damaged', count: damaged, total };
  return { kind: 'complete', count: total, ...from };
}

/** The parts to import, where every recipe that is not here waits for them. */
function selectAwaited(
  wanted: Known['wanted'],
  delivery: MediumDelivery | undefined,
): { readonly parts?: readonly number[] } {
  const isWaiting = wanted.every(
    ({ standing, status, isAside, owed }) =>
      standing === 'here' ||
      (status === 'skipped' && !isAside) ||
      (owed?.state === 'missing' && owed.delivery?.id === delivery?.id && delivery !== undefined),
  );
  const isExpected = delivery?.imported && delivery.overtakenBy === undefined;
  return isWaiting && isExpected && delivery.needed.length > 0 ? { parts: delivery.needed } : {};
}

function toClosedVerdict(
  refusal: NonNullable<Known['refusal']>,
  delivery: MediumDelivery | undefined,
): Verdict {
  if (!isElsewhere(refusal, delivery)) return { kind: 'closed', because: reasons[refusal.code] };
  if (delivery?.complete) return { kind: 'complete', count: delivery.recipes, delivery };
  if (delivery?.overtakenBy !== undefined) return { kind: 'overtaken', delivery };
  return { kind: 'closed', because: 'elsewhere', awaits: refusal.awaits, delivery };
}

export function toVerdictSentence(words: Pick<Words, 'say' | 'format'>, verdict: Verdict): string {
  const { say, format } = words;
  switch (verdict.kind) {
    case 'closed':
      return verdict.because === 'elsewhere' ? sayStanding(words, verdict) : say(overview.closed);
    case 'run-failed':
      if (verdict.at === undefined) return say(overview.runFailed);
      return say(overview.syncFailed, {
        at: format.time(verdict.at),
        of: verdict.of && format.time(verdict.of),
        count: verdict.count || undefined,
        total: verdict.total,
        damaged: verdict.damaged,
      });
    case 'missing':
      return say(verdict.isDelivered ? overview.missingDelivered : overview.missing, {
        count: verdict.count,
        total: verdict.total,
        parts: verdict.parts,
        damaged: verdict.damaged,
      });
    case 'gone':
      return say(overview.gone, { count: verdict.count, total: verdict.total, damaged: verdict.damaged });
    case 'damaged':
      return say(overview.wantedDamaged, { count: verdict.count, total: verdict.total });
    case 'complete':
      return verdict.delivery === undefined
        ? say(verdict.isDelivered ? overview.completeDelivered : overview.complete, { count: verdict.count })
        : sayStanding(words, { awaits: undefined, delivery: verdict.delivery });
    case 'overtaken':
      return sayStanding(words, { awaits: undefined, delivery: verdict.delivery });
    case 'blocked':
      if (verdict.isUnimported && verdict.passed > 0)
        return say(overview.unimportedPart, {
          passed: say(overview.unimported, { count: verdict.passed }),
          blocked: say(overview.blockedRest, { count: verdict.count }),
        });
      return say(overview.blocked, {
        count: verdict.count,
        here: verdict.passed === 0 ? undefined : say(overview.here, { count: verdict.passed }),
      });
    case 'unimported':
      return say(overview.unimported, { count: verdict.count });
    case 'here':
      return say(overview.here, { count: verdict.count });
    case 'nothing':
      return say(overview.nothing);
  }
}
