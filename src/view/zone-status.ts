import type { TaskStatus, TaskType } from '../contract/common.ts';
import type { RecipeVerdict } from '../contract/medium.ts';
import type { OwedRecipe, Status } from '../contract/status.ts';
import type { ListedRecipe } from '../operation/list-recipes.ts';
import type { TaskHead } from '../task/storage.ts';
import type { ErrorCode } from '../text/errors/registry.ts';
import { listLoweredHere } from './lowered.ts';
import {
  lastGoodSync,
  type Run,
  selectWanting,
  type WantedRecipe,
  wantedState,
  type wantedStates,
} from './runs.ts';
import { splitBlocked } from './zone/blocked.ts';
import { isOfDeliveries, listStanding, type Waits } from './zone/waits.ts';
import { toZoneVerdict, type Verdict } from './zone-verdict.ts';

/**
 * A recipe that is wanted, as it stands now. `blocked`: refused by a rule or a verification, `gone`: it was here, `damaged`: it is
 * here, and the store has lost a part of it,
 * `unimported`: the verified medium has it, and its import has not been recorded.
 */
export interface WantedState {
  readonly name: string;
  readonly version: string;
  /** The constraint, where it is not the version itself. */
  readonly requested?: string;
  /** The higher version that was here at the last run, where the source offered it no longer. */
  readonly lowerThan?: string;
  readonly state: (typeof wantedStates)[number] | 'unimported';
  readonly code?: ErrorCode;
  /** The open delivery that is to bring it. */
  readonly delivery?: OwedRecipe['delivery'];
}

/** The last run that ended. */
export interface LastRun {
  readonly id: string;
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly finishedAt?: string;
  readonly code?: ErrorCode;
  /** Of its items: a part of them may be done. */
  readonly counts?: TaskHead['counts'];
}

/** Facts about an instance or a store, and whether it has the wanted recipes. */
export interface ZoneStatus
  extends Pick<
    Status,
    | 'version'
    | 'gate'
    | 'occupancy'
    | 'volume'
    | 'pending'
    | 'nextSync'
    | 'link'
    | 'unimported'
    | 'lastImport'
    | 'delivery'
    | 'lowered'
    | 'notices'
    | 'unservedFilesets'
  > {
  /** URL of the instance; absent for a store that was read without one. */
  readonly instance?: string;
  readonly mode?: Status['mode'];
  readonly zone?: string;
  /** Absent for an instance. */
  readonly store?: {
    readonly root: string;
    readonly mediaId: string;
    /** Whether this instance made the store. */
    readonly standing: 'ours' | 'foreign';
  };
  readonly verdict: Verdict['kind'];
  /** `missing` includes gone recipes; `present` has no damaged ones. */
  readonly counts: {
    readonly wanted: number;
    readonly present: number;
    readonly damaged: number;
    readonly missing: number;
    readonly blocked: number;
    readonly unimported: number;
  };
  readonly wanted: readonly WantedState[];
  readonly running?: TaskHead;
  readonly lastRun?: LastRun;
}

export interface StatusFacts
  extends Pick<
    ZoneStatus,
    | 'instance'
    | 'version'
    | 'mode'
    | 'zone'
    | 'store'
    | 'gate'
    | 'occupancy'
    | 'volume'
    | 'pending'
    | 'nextSync'
    | 'link'
    | 'unimported'
    | 'lastImport'
    | 'delivery'
    | 'notices'
    | 'unservedFilesets'
    | 'running'
  > {
  /**
   * Whether the medium, as it is written now, was imported. The wanted recipes are then those of the medium. Imported
   * recipes are at the destination, even if the medium itself is not verified again.
   */
  readonly imported?: boolean;
  /** The freshest medium that was imported, where that is another one than the imported one that is here. */
  readonly newer?: string;
  /** Recipes that are here and served. */
  readonly recipes: readonly (ListedRecipe | Pick<ListedRecipe, 'name'>)[];
  /** Finished runs, newest first: the last one, and those before it up to the first that knew its recipes. */
  readonly runs: readonly Run[];
  /** What the zone still waits for, whichever medium was imported last; undefined where it is not known. */
  readonly waits?: Waits | undefined;
  /** Recipes of the medium that its verification refused. */
  readonly refused: readonly Pick<RecipeVerdict, 'name' | 'version' | 'digest' | 'reason'>[];
}

/** The recipes of a verified medium that wait for its import. */
const listUnimported = ({ unimported, recipes }: StatusFacts): readonly WantedState[] =>
  !unimported
    ? []
    : recipes.flatMap((each): readonly WantedState[] =>
        'version' in each ? [{ name: each.name, version: each.version, state: 'unimported' }] : [],
      );

const toKey = ({ name, version }: Pick<WantedState, 'name' | 'version'>): string => `${name}@${version}`;

const toWantedState = (each: WantedRecipe): WantedState => ({
  name: each.name,
  version: each.version,
  requested: each.requested,
  lowerThan: each.lowerThan,
  state: wantedState(each),
  code: each.error?.code ?? (each.owed?.code as ErrorCode | undefined),
  delivery: each.owed?.delivery,
});

function listWanted(facts: StatusFacts): readonly WantedState[] {
  const { gate, runs, refused, imported, unimported } = facts;
  // of a medium that is neither verified nor imported, nothing is known to be here
  const isClosed = gate.serving === 'closed' && imported !== true;
  const run = isClosed ? undefined : runs.find((each) => each.recipes.length > 0);
  const { lacking } = splitBlocked(refused, facts.waits);
  const lackingKeys = new Set(lacking.map(toKey));
  const ofRun = listStanding(run, facts)
    // what another delivery brought is refused now
    .filter((each) => !(each.isAside && each.standing === 'here' && lackingKeys.has(toKey(each))))
    .map(toWantedState);
  if (isClosed) return ofRun;
  // content of an earlier medium is at the destination, and not here
  const kept = unimported ? ofRun.filter(({ state }) => state === 'missing' || state === 'blocked') : ofRun;
  const known = new Set(kept.map(toKey));
  const ofMedium = lacking
    .filter((each) => !known.has(toKey(each)))
    .map(
      ({ name, version, reason }): WantedState => ({
        name,
        version,
        state: 'blocked',
        code: reason?.code,
      }),
    );
  const waiting = listUnimported(facts).filter((each) => !known.has(toKey(each)));
  return [...kept, ...ofMedium, ...waiting];
}

function toLastRun({ id, type, status, finishedAt, principalCode, error, counts }: TaskHead): LastRun {
  const code = principalCode ?? error?.code;
  return {
    id,
    type,
    status,
    finishedAt,
    code,
    counts,
  };
}

/** The run that ended last; an import that a command made is no task of the instance, and is known by its record. */
function selectLast({ runs, lastImport }: StatusFacts): LastRun | undefined {
  const last = runs[0] && toLastRun(runs[0].task);
  // the record of a part names no run
  if (lastImport?.runId === undefined || runs.some(({ task }) => task.runId === lastImport.runId))
    return last;
  const { runId, importedAt } = lastImport;
  if (last?.finishedAt !== undefined && Date.parse(last.finishedAt) > Date.parse(importedAt)) return last;
  return { id: runId, type: 'media-import', status: 'done', finishedAt: importedAt };
}

/** Arranges the facts about an instance or a store into its status. */
export function toZoneStatus(facts: StatusFacts): ZoneStatus {
  const { recipes, runs, refused, imported, newer, waits, ...shown } = facts;
  const wanted = listWanted(facts);
  const count = (...states: readonly WantedState['state'][]): number =>
    wanted.filter(({ state }) => states.includes(state)).length;
  const last = selectLast(facts);
  const lowered = listLoweredHere(runs, recipes);
  return {
    ...shown,
    verdict: toVerdict(facts).kind,
    counts: {
      wanted: wanted.length,
      present: count('present'),
      damaged: count('damaged'),
      missing: count('missing', 'gone'),
      blocked: count('blocked'),
      unimported: count('unimported'),
    },
    wanted,
    ...(lowered.length === 0 ? {} : { lowered }),
    ...(last === undefined ? {} : { lastRun: last }),
  };
}

/** Decides whether the wanted recipes are here, by the rule of the page. */
export function toVerdict(facts: StatusFacts): Verdict {
  const { gate, delivery, recipes, runs, refused, unimported, imported } = facts;
  const last = selectWanting(runs);
  // of a complete or overtaken delivery, its record says it, and not the run of one disk
  const isOver = delivery?.complete === true || delivery?.overtakenBy !== undefined;
  const isOpen = gate.serving === 'open' || (imported === true && !isOver);
  return toZoneVerdict({
    refusal: isOpen ? undefined : { code: gate.code ?? 'SVC-MED-030', awaits: gate.awaits },
    delivery,
    last,
    good: lastGoodSync(runs),
    wanted: listStanding(last, facts),
    recipes: new Set((imported === true ? (last?.recipes ?? []) : recipes).map(({ name }) => name)).size,
    isUnimported: unimported,
    blocked: splitBlocked(refused, facts.waits).lacking,
    isDelivered: isOfDeliveries(last, facts.waits),
  });
}

/** Verdicts that need attention: a wanted recipe is missing, blocked, or withheld. */
const unmet: ReadonlySet<Verdict['kind']> = new Set([
  'closed',
  'run-failed',
  'missing',
  'gone',
  'damaged',
  'blocked',
  'unimported',
]);

/** Whether something that is wanted is missing or blocked, a FileSet that the configuration serves included. */
export function isUnmet({ verdict, counts, notices }: ZoneStatus): boolean {
  const named = notices.includes('recipes-blocked') || notices.includes('filesets-unserved');
  return unmet.has(verdict) || counts.missing + counts.blocked + counts.damaged > 0 || named;
}
