import type { RecipeVerdict } from '../../../../src/contract/medium.ts';
import type { MediumDelivery } from '../../../../src/contract/status.ts';
import type { TaskHead } from '../../../../src/task/storage.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { errorKinds } from '../../../../src/text/errors/codes.ts';
import type { ErrorCode } from '../../../../src/text/errors/registry.ts';
import { startSentence } from '../../../../src/text/start-sentence.ts';
import { dossier } from '../../../../src/text/words/delivering/dossier.ts';
import { zones as zoneWords } from '../../../../src/text/words/delivering/zones.ts';
import { media } from '../../../../src/text/words/media.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import { isFailedSync, isRefused, type Run, type WantedRecipe } from '../../../../src/view/runs.ts';
import { takesMedia } from '../../../views/media.ts';
import type { Troubles as Recorded } from '../../../views/troubles.ts';
import { type Html, html } from '../../html.ts';
import { showSentence, wordError } from '../../parts/error.ts';
import { guideOf } from '../../parts/remedies.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { bringWay, mendStep, type Way } from '../damage.ts';
import { keyOfCause } from '../tasks/outcome.ts';
import { stallRemedy, typeWords } from '../tasks/task-words.ts';
import { missingPlace, sayDisks } from './missing-place.ts';
import type { UnsoundDeliveries } from './unsound.ts';

/** Steps shown; the others are folded. */
const most = 4;

/** What is wrong beside the wanted recipes. */
export interface Troubles extends Recorded {
  /** The running task, if it has stalled. */
  readonly stalled: TaskHead | undefined;
  /** The zones that lack recipes, and those whose records cannot be read, as far as the overview looks. */
  readonly zones: {
    readonly names: readonly string[];
    /** Those of them that a delivery helps. */
    readonly helped: readonly string[];
    /** How many lack recipes, and how many cannot be judged, of so many. */
    readonly lacking: number;
    readonly unknown: number;
    /** How many are overdue. */
    readonly late: number;
    /** Those whose delivery is overdue: receipts have entries of their own. */
    readonly lateDeliveries: readonly { readonly zone: string; readonly why: string }[];
    readonly total: number;
    readonly isAll: boolean;
  };
}

/** The zones of a page that does not judge them. */
export const noZones: Troubles['zones'] = {
  ...{ names: [], helped: [], lacking: 0, unknown: 0, total: 0, isAll: true },
  ...{ late: 0, lateDeliveries: [] },
};

/** Whether anything is wrong. */
export const hasTroubles = ({
  receipts,
  damaged,
  stalled,
  zones,
}: Omit<Troubles, 'damagedIn' | 'mending'>): boolean =>
  receipts.length > 0 ||
  damaged > 0 ||
  stalled !== undefined ||
  zones.names.length + zones.lateDeliveries.length > 0;

interface Step {
  readonly name: Html | string;
  readonly version?: string;
  /** The way to the page that mends it; undefined where the reader may open none. */
  readonly way: Way | undefined;
  readonly error?: WantedRecipe['error'];
  /** The recipe waits for other disks, of these parts where they are known. */
  readonly awaits?: readonly number[];
  /** The code, the remedy and the cause of an entry without an error record. */
  readonly code?: ErrorCode;
  readonly action?: Html | string;
  readonly why?: Html | string;
}

function item({ words }: PageCall, { name, version = '', way, error, awaits, ...own }: Step): Html {
  const { say } = words;
  const message = error && wordError(words, fromErrorRecord(error));
  const named = error?.code ?? own.code;
  const why =
    own.why ??
    (message === undefined ? say(awaits ? overview.absent : overview.goneBadge) : showSentence(message.what));
  const otherwise = awaits
    ? say(overview.awaitsStep, { parts: awaits.length > 0 ? awaits : undefined })
    : say(overview.goneStep);
  const code = named && html`<a class="todo-code" href="/help#${named}">${named}</a>`;
  return html`<li><div class="todo-head"><h3>${name} <span class="muted">${untrusted(version)}</span></h3>${code ?? ''}</div>
${why === '' ? '' : html`<p>${why}</p>`}
<p>${own.action ?? message?.action ?? otherwise}</p>${way === undefined ? '' : html`<p class="way"><a href="${way[1]}">${say(way[0])}</a></p>`}</li>\n`;
}

type WantingRun = Pick<Run, 'task' | 'delivery' | 'recipes'>;

/**
 * Why a recipe is not here: it waits for other disks of its delivery, its run ended before it was complete, a check or a fault
 * refused it, or it was here.
 */
function causeOf(
  run: WantingRun | undefined,
  { name, version, status, error, standing }: WantedRecipe,
): 'waits' | 'unfinished' | 'refused' | 'gone' {
  if (standing === 'gone') return 'gone';
  if (status !== 'skipped') return isRefused({ status, error }) ? 'refused' : 'unfinished';
  const isNamed = run?.delivery?.recipes.some(
    (one) => one.name === name && one.version === version && one.state === 'waiting',
  );
  const isImport = run?.task.type === 'media-import';
  return isImport && (isNamed || run.task.status !== 'cancelled') ? 'waits' : 'unfinished';
}

/** The step that brings a recipe that is not here. */
function missingStep(
  call: PageCall,
  run: WantingRun | undefined,
  recipe: WantedRecipe,
  delivery: MediumDelivery | undefined,
): Step {
  const { name, version, owed } = recipe;
  // this run did not leave out recipes of another delivery or of an earlier run
  const own = recipe.isAside ? undefined : run;
  const cause = causeOf(own, recipe);
  const error = recipe.error ?? (cause === 'unfinished' ? own?.task.error : undefined);
  const place = missingPlace(call, recipe, run);
  const onMedium: Way | undefined =
    call.can('operator') && takesMedia(call) ? [overview.openMedium, '/media'] : undefined;
  const ways = {
    waits: onMedium,
    unfinished: own?.task.type === 'sync' ? bringWay(call) : owed?.task === undefined ? onMedium : undefined,
    gone: bringWay(call),
    refused: undefined,
  };
  const ofDelivery: Way | undefined = place.startsWith('/media') ? [overview.openDelivery, place] : undefined;
  const open: Way = [place.startsWith('/tasks') ? overview.openRun : overview.openRecipe, place];
  const disks = error === undefined ? sayDisks(call.words, overview.awaitsDelivery, recipe) : undefined;
  return {
    name: html`<a href="${toPath('/recipes/-/{name}', { name })}">${untrusted(name)}</a>`,
    version,
    error,
    way: guideOf(error) ?? ofDelivery ?? ways[cause] ?? open,
    ...(cause === 'waits' ? { awaits: awaitedBy(recipe, own, delivery) } : {}),
    ...(error === undefined && cause !== 'gone' && cause !== 'waits'
      ? { why: call.words.say(owed?.state === 'blocked' ? media.recipeBlocked : overview.absent) }
      : {}),
    ...(disks === undefined ? {} : { action: untrusted(startSentence(disks)) }),
  };
}

/** The steps of a synchronization that brought nothing: one for each cause, and not one for each recipe. */
function failedSteps({ words }: PageCall, { task, recipes }: WantingRun): readonly Step[] {
  const path = toPath('/tasks/{id}', { id: task.id });
  const causes = new Map<string, WantedRecipe['error']>();
  for (const { error } of recipes)
    if (error !== undefined && !causes.has(keyOfCause(words, error)))
      causes.set(keyOfCause(words, error), error);
  return [...causes.values()].map((error) => ({
    name: html`<a href="${path}">${words.say(typeWords[task.type])}</a>`,
    way: guideOf(error) ?? [overview.openRun, path],
    error,
  }));
}

/** Damaged copies, on the disk, of recipes that the zone has: one entry for all, as none needs a step. */
function copyStep(
  { words: { say, format }, can }: PageCall,
  copies: readonly RecipeVerdict[],
): readonly Step[] {
  if (copies.length === 0) return [];
  const [first, ...others] = copies.map(({ name, version }) => `${name} ${version}`);
  const names =
    others.length < most ? [first!, ...others] : [first!, say(overview.toDoMore, { count: others.length })];
  return [
    {
      name: html`<span class="muted">${untrusted(format.list(names))}</span>`,
      way: can('operator') ? [overview.openMedium, '/media'] : undefined,
      why: say(overview.copyWhy),
      action: say(overview.copyStep, { count: copies.length }),
    },
  ];
}

/** What is wrong with a receipt that is neither contradicted nor overdue. */
const doubts = {
  unbelieved: { why: overview.unbelievedWhy, step: overview.unbelievedStep },
  future: { why: overview.futureWhy, step: overview.futureStep },
} as const;

/** Zones that a step names. */
const mostZoneNames = 8;

function nameFew(say: Words['say'], names: readonly string[]): readonly string[] {
  const rest = names.length - mostZoneNames;
  return rest <= 0 ? names : [...names.slice(0, mostZoneNames), say(overview.furtherZones, { count: rest })];
}

/** The steps about the store, the receipts and the running task. */
function troubleSteps(
  call: PageCall,
  { receipts, damaged, damagedIn, mending, stalled, zones: lacking }: Troubles,
): readonly Step[] {
  const { words, can } = call;
  const { say, format } = words;
  const { helped } = lacking;
  const others = lacking.names.filter((name) => !helped.includes(name));
  const list = (all: readonly string[]) => (all.length === 0 ? undefined : format.list(nameFew(say, all)));
  const names = damagedIn.slice(0, most).join(', ');
  const mend = mendStep(call, mending);
  return [
    ...(damaged === 0
      ? []
      : [
          {
            name: say(overview.store),
            way: mend.way ?? (can('admin') ? ([overview.openStore, '/admin/store'] as const) : undefined),
            code: 'SVC-STO-009' as const,
            action: untrusted(mend.text),
            why: untrusted(say(overview.damagedWhy, { count: damaged, names: names || undefined })),
          },
        ]),
    ...(stalled === undefined
      ? []
      : [
          {
            name: say(typeWords[stalled.type]),
            way: [overview.openRun, toPath('/tasks/{id}', { id: stalled.id })] as const,
            action: stallRemedy(words, stalled) ?? '',
            why: '',
          },
        ]),
    ...(lacking.names.length === 0
      ? []
      : [
          {
            name: say(zoneWords.title),
            way: [overview.openZones, '/zones'] as const,
            action: untrusted(
              say(overview.lackingStep, {
                ...{ helped: list(helped), others: list(others) },
                both: helped.length > 0 && others.length > 0 ? 'yes' : undefined,
              }),
            ),
            why: untrusted(say(overview.lackingWhy, { zones: list(lacking.names) })),
          },
        ]),
    ...lacking.lateDeliveries.map(({ zone, why }) => ({
      name: untrusted(zone),
      way: [overview.openZone, toPath('/zones/{zone}', { zone })] as const,
      action: untrusted(say(zoneWords.lateStep, { zone })),
      why: untrusted(`${why}.`),
    })),
    ...receipts.map(({ zone, hasPage, overdueSince, doubt, error }) => ({
      name: untrusted(zone),
      way:
        hasPage && doubt !== 'future'
          ? ([overview.openZone, toPath('/zones/{zone}', { zone })] as const)
          : ([overview.openReceipts, '/receipts'] as const),
      ...(error !== undefined
        ? { error }
        : doubt !== undefined
          ? { action: say(doubts[doubt].step), why: say(doubts[doubt].why) }
          : {
              action: say(overview.overdueStep),
              why: say(overview.overdueWhy, { time: format.time(overdueSince ?? '') }),
            }),
    })),
  ];
}

/** One entry for the deliveries that were not written whole or not proved, which leads to the list of each state. */
function unsoundStep({ words: { say } }: PageCall, unsound: readonly UnsoundDeliveries[]): readonly Step[] {
  const [first] = unsound;
  if (first === undefined) return [];
  const links = unsound.map(
    ({ state, count: n }) =>
      html`<a href="/deliveries?state=${state}">${say(dossier.stateCount, { n, state: say(dossier.states[state]) })}</a>`,
  );
  return [
    {
      name: say(dossier.title),
      way: [overview.openDeliveries, `/deliveries?state=${first.state}`],
      action: say(overview.unsoundStep),
      why: html`${links[0]!}${links[1] === undefined ? '' : html` · ${links[1]}`}`,
    },
  ];
}

/** How many zones lack recipes, with the numbers of their page. */
function sayZones(
  { say }: Pick<Words, 'say'>,
  { lacking, unknown, late, total, isAll }: Troubles['zones'],
): string {
  const params = { total, all: isAll ? 'all' : undefined };
  const others = { ...params, unknown: unknown || undefined };
  if (lacking > 0) return say(overview.lacking, { ...others, count: lacking, late: late || undefined });
  if (late > 0) return say(overview.zonesLate, { ...others, count: late });
  return say(overview.unjudged, { ...params, count: unknown });
}

/** What is wrong beside the recipes, in one sentence; empty where nothing is. */
export function troublesText(
  { say, format }: Words,
  { receipts, damaged, stalled, zones }: Omit<Troubles, 'damagedIn' | 'mending'>,
): string {
  return format.list([
    ...(damaged === 0 ? [] : [say(overview.damaged, { count: damaged })]),
    ...(receipts.length === 0 ? [] : [say(overview.doubtful, { count: receipts.length })]),
    ...(zones.names.length + zones.lateDeliveries.length === 0 ? [] : [sayZones({ say }, zones)]),
    ...(stalled === undefined ? [] : [say(overview.stalled)]),
  ]);
}

/** The same after the verdict on the recipes. */
export function addTroubles(
  words: Words,
  verdict: string,
  troubles: Omit<Troubles, 'damagedIn' | 'mending'>,
): string {
  return hasTroubles(troubles)
    ? words.say(overview.withTroubles, { verdict, troubles: troublesText(words, troubles) })
    : verdict;
}

/** The parts that a recipe waits for and that are still needed; those of the whole delivery where its own are not known. */
export function awaitedBy(
  { name, version }: Pick<WantedRecipe, 'name' | 'version'>,
  run: Pick<Run, 'delivery'> | undefined,
  delivery: MediumDelivery | undefined,
): readonly number[] {
  const needed = delivery?.needed ?? [];
  if (delivery?.id !== run?.delivery?.id) return needed;
  const own = run?.delivery?.recipes.find((one) => one.name === name && one.version === version);
  const parts = needed.filter((part) => own?.parts?.includes(part));
  return parts.length > 0 ? parts : needed;
}

/**
 * The steps that bring the missing recipes, one for each with its code, and those for everything else that is wrong. Without
 * any there is nothing to show.
 *
 * @param run that wanted the recipes
 * @param blocked recipes of the medium that the last verification withholds
 * @param copies those of them that the zone has from another medium: they ask for nothing, and come last
 * @param delivery of the medium that is here, as the zone has received it
 * @param unsound deliveries of this source that no zone can use
 */
export function todoList(
  call: PageCall,
  run: WantingRun | undefined,
  wanted: readonly WantedRecipe[],
  {
    blocked,
    copies,
    delivery,
    troubles,
    unsound,
  }: {
    readonly blocked: readonly RecipeVerdict[];
    readonly copies: readonly RecipeVerdict[];
    readonly delivery?: MediumDelivery | undefined;
    readonly troubles: Troubles;
    readonly unsound: readonly UnsoundDeliveries[];
  },
): Html | string {
  const { say } = call.words;
  const missing = wanted.filter(({ standing }) => standing !== 'here');
  const names = new Set(missing.map(({ name, version }) => `${name}@${version}`));
  const stepOf = (recipe: WantedRecipe): Step => missingStep(call, run, recipe, delivery);
  const own: readonly Step[] = [
    ...(run !== undefined && isFailedSync(run)
      ? failedSteps(call, run)
      : missing.filter(({ isAside }) => !isAside).map(stepOf)),
    ...blocked
      .filter(({ name, version }) => !names.has(`${name}@${version}`))
      .map(({ name, version, reason }) => ({
        name: html`<a href="${call.can('operator') ? '/media' : toPath('/recipes/-/{name}', { name })}">${untrusted(name)}</a>`,
        version,
        way: call.can('operator')
          ? ([overview.openMedium, '/media'] as const)
          : ([overview.openRecipe, toPath('/recipes/-/{name}', { name })] as const),
        error: reason && { ...reason, class: errorKinds[reason.code].class },
      })),
    ...troubleSteps(call, troubles),
    ...unsoundStep(call, unsound),
  ];
  // gaps of other deliveries and those of this run each have their own room in the list
  const aside = missing.filter(({ isAside }) => isAside).map(stepOf);
  const shown = [...own.slice(0, most), ...aside.slice(0, most), ...copyStep(call, copies)];
  const rest = [...own.slice(most), ...aside.slice(most)];
  if (shown.length === 0) return '';
  const listOf = (steps: readonly Step[]): Html =>
    html`<ol class="todo">${steps.map((step) => item(call, step))}</ol>`;
  return html`<h2>${say(overview.toDo)}</h2>${listOf(shown)}
${rest.length === 0 ? '' : html`<details class="fold"><summary>${say(overview.toDoMore, { count: rest.length })}</summary>${listOf(rest)}</details>`}`;
}
