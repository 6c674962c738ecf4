import type { ErrorRecord } from '../../../../src/contract/error.ts';
import { writeMedia } from '../../../../src/contract/operations/media.ts';
import { type SortValues, sortRows } from '../../../../src/contract/operations/sorting.ts';
import type { MediumWriting } from '../../../../src/contract/write-medium.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { renderError } from '../../../../src/text/message.ts';
import { sayRule } from '../../../../src/text/rule.ts';
import { plan as words } from '../../../../src/text/words/delivering/plan.ts';
import { isolate } from '../../../../src/text/words/isolate.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { bar } from '../../parts/bar.ts';
import { errorLine, showSentence } from '../../parts/error.ts';
import { facts, table } from '../../parts/table.ts';
import { code, noValue, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';
import { blockedLine } from '../zones/cells.ts';
import { nameFew } from '../zones/words.ts';
import type { Asked, DeliverCall } from './asked.ts';

/** Rows that a page shows; the API has all of them. */
const most = { recipes: 100, disks: 50, names: 8 } as const;

type Recipe = MediumWriting['recipes'][number];
type Disk = MediumWriting['volumes'][number];

function more({ words: { say } }: PageCall, shown: number, total: number): Html | string {
  return total > shown ? html`<p class="muted">${say(words.more, { shown, total })}</p>` : '';
}

/** The assumption of the plan about the zone: none by a receipt that another one makes doubtful. */
const countedBase = ({ delivery: { base } }: MediumWriting) =>
  base?.fork === undefined && base?.lower === undefined ? base : undefined;

/** The content of the zone that a plan counts on: another one than was asked for, where no receipt or delivery tells it. */
export const usedBase = (choice: Asked['base'], plan: MediumWriting): Asked['base'] =>
  countedBase(plan) === undefined ? 'none' : choice;

/** What the plan leaves out, with the source of that knowledge. */
function leftOut({ words: { say, format } }: PageCall, { base: choice }: Asked, plan: MediumWriting): string {
  const base = countedBase(plan);
  if (base === undefined) return say(choice === 'none' ? words.byChoice : words.byNothing);
  const bytes = plan.totals.absentBytes;
  if (base.from === 'sent') return say(words.bySent, { bytes });
  const { sequence, issuedAt } = base;
  return say(words.byReceipt, { bytes, sequence, time: issuedAt && format.time(issuedAt) });
}

function stateBadge(call: PageCall, { inZone, code: reason }: Recipe): Html {
  const { say } = call.words;
  switch (inZone) {
    case undefined:
      return badge('plain', say(words.absent));
    case 'present':
      return badge('ok', say(words.present));
    case 'incomplete':
      return badge('warn', say(words.incomplete));
    case 'blocked':
      return html`${badge('bad', say(words.blocked))}${reason === undefined ? '' : html` <a href="/help#${reason}">${reason}</a>`}${blockedLine(call.words, reason)}`;
  }
}

const nameOf = ({ name, version }: Pick<Recipe, 'name' | 'version'>): string => `${name}@${version}`;

/** The disk that has all of a recipe; nothing of a recipe without new content is carried. */
function diskOf(
  { words: { say, format } }: PageCall,
  volumes: readonly Disk[],
  recipe: Recipe,
): Html | string {
  if (recipe.writeBytes === 0) return noValue;
  const disk = volumes.find(({ recipes }) => recipes.includes(nameOf(recipe)));
  return disk === undefined ? say(words.several) : format.number(disk.part);
}

/** The states of a recipe in the zone, the most urgent first. */
const states: readonly Recipe['inZone'][] = ['blocked', 'incomplete', undefined, 'present'];

const sortValues: SortValues<Recipe, 'name' | 'state' | 'full' | 'left' | 'carried'> = {
  name: nameOf,
  state: ({ inZone }) => states.indexOf(inZone),
  full: ({ totalBytes }) => totalBytes,
  left: ({ absentBytes }) => absentBytes,
  carried: ({ writeBytes }) => writeBytes,
};

function recipeTable(call: DeliverCall, plan: MediumWriting): Html {
  const { recipes, volumes, totals } = plan;
  const { say, format } = call.words;
  const { 'plan-sort': sort = 'place', 'plan-order': order } = call.query;
  const unsigned = new Set(listUnsigned(call, plan));
  const sorted = sort === 'place' ? recipes : sortRows(recipes, sortValues, { sort, order });
  const state = {
    label: say(words.state),
    isState: true,
    sort: 'state',
    cell: (recipe: Recipe) => stateBadge(call, recipe),
  };
  const bytes = (label: string, of: 'totalBytes' | 'absentBytes' | 'writeBytes', key: string) => ({
    label,
    isNumber: true,
    sort: key,
    cell: (recipe: Recipe) => format.size(recipe[of]),
    sum: format.size(totals[of]),
  });
  return html`<h3>${say(words.recipes)}</h3>${table<Recipe>({
    caption: say(words.recipes),
    empty: '',
    rows: sorted.slice(0, most.recipes),
    list: { call: { ...call, query: { sort, order } }, section: 'plan', sort: 'place' },
    columns: [
      {
        label: say(words.recipe),
        isHeader: true,
        sort: 'name',
        cell: (recipe) =>
          html`${untrusted(nameOf(recipe))}${unsigned.has(recipe) ? html` ${badge('warn', say(words.unsignedShort))}` : ''}`,
        sum: say(words.together),
      },
      ...(countedBase(plan)?.from === 'receipt' ? [state] : []),
      { ...bytes(say(words.full), 'totalBytes', 'full'), isMinor: true },
      bytes(say(words.leftOut), 'absentBytes', 'left'),
      bytes(say(words.carried), 'writeBytes', 'carried'),
      { label: say(words.number), isNumber: true, cell: (recipe) => diskOf(call, volumes, recipe) },
    ],
  })}${more(call, most.recipes, recipes.length)}`;
}

/** The recipes that a disk brings whole, and its share of larger ones. */
function contentOf({ words: { say, format } }: PageCall, brought: ReadonlySet<string>, disk: Disk): string {
  const { segments } = disk;
  const recipes = disk.recipes.filter((name) => brought.has(name));
  const names = recipes.slice(0, most.names);
  const rest = recipes.length - names.length;
  const whole =
    recipes.length === 0
      ? say(disk.recipes.length === 0 ? words.wholeNone : words.wholeDocuments)
      : rest === 0
        ? format.list(names)
        : say(words.wholeMore, { names: names.join(', '), count: rest });
  return segments === 0 ? whole : `${whole}; ${say(words.segments, { segments })}`;
}

function diskTable(call: PageCall, { volumes, recipes }: MediumWriting): Html {
  const { say, format } = call.words;
  const brought = new Set(recipes.filter(({ writeBytes }) => writeBytes > 0).map(nameOf));
  return html`<h3>${say(words.perDisk)}</h3>${table<Disk>({
    caption: say(words.perDisk),
    empty: '',
    rows: volumes.slice(0, most.disks),
    columns: [
      { label: say(words.number), isHeader: true, cell: ({ part }) => format.number(part) },
      { label: say(words.atMost), isNumber: true, cell: ({ bytes }) => format.size(bytes) },
      { label: say(words.whole), isLead: true, cell: (disk) => untrusted(contentOf(call, brought, disk)) },
    ],
  })}${more(call, most.disks, volumes.length)}`;
}

/** What the volumes of the named folders give reason to look at. */
function warningNotes({ words: { language } }: PageCall, { checks }: MediumWriting): readonly Html[] {
  return checks.flatMap(({ path, warnings, warningRules = [] }) =>
    warnings.map((warning, i) => {
      const stored = warningRules[i];
      const said = stored === undefined ? warning : sayRule(stored, language);
      return html`<p class="item-warning">${code(path)} ${untrusted(said)}</p>`;
    }),
  );
}

const isAllThere = ({ recipes }: MediumWriting): boolean =>
  recipes.every(({ inZone }) => inZone === 'present');

/** The recipes of a plan that no trusted key verifies here. */
function listUnsigned({ store }: PageCall, { recipes }: MediumWriting): readonly Recipe[] {
  const planned = new Map(recipes.map((recipe): readonly [string, Recipe] => [recipe.digest, recipe]));
  return store.index.recipes().flatMap(({ digest, verified }) => {
    const recipe = planned.get(digest);
    return verified || recipe === undefined || recipe.inZone === 'present' ? [] : [recipe];
  });
}

/**
 * How much must be carried to the zone, and on how many disks.
 *
 * @param isInPart whether it lacks recipes that the zone wants
 */
export function planAnswer(call: PageCall, plan: MediumWriting, isInPart = false): Html {
  const {
    words: { say, format },
    can,
  } = call;
  const unsigned = listUnsigned(call, plan).map(({ name }) => name);
  const { delivery, totals, recipes, volumes } = plan;
  const isNothing = isAllThere(plan);
  const countOf = (state: Recipe['inZone']): number | undefined =>
    recipes.filter(({ inZone }) => inZone === state).length || undefined;
  const [blocked, incomplete] = [countOf('blocked'), countOf('incomplete')];
  const isTroubled = blocked !== undefined || incomplete !== undefined;
  const both = blocked !== undefined && incomplete !== undefined ? 'yes' : undefined;
  const lost = plan.blocked?.length;
  const isPart = isInPart || lost !== undefined;
  const isRefused = recipes.some(({ refusal }) => refusal !== undefined);
  return answer({
    kind: isPart || isTroubled || isRefused || unsigned.length > 0 ? 'warn' : isNothing ? 'plain' : 'ok',
    mark: say(isPart ? words.stampPartly : isNothing ? words.stampNothing : words.stampReady),
    what: say(words.result, { zone: delivery.zone, bytes: totals.writeBytes, count: volumes.length }),
    lines: [
      lost === undefined ? '' : html`<span class="item-warning">${say(words.lost, { count: lost })}</span>`,
      isTroubled
        ? html`<span class="item-warning">${say(words.troubled, { blocked, incomplete, both })}</span>`
        : '',
      unsigned.length === 0
        ? ''
        : html`<span class="item-warning">${untrusted(say(words.unsigned, { count: unsigned.length, names: nameFew(format, unsigned) }))}</span>`,
    ],
    step: html`<p class="answer-step"><a class="button" href="#run">${say(can(writeMedia.floor) ? words.toRun : words.toCommand)}</a></p>`,
  });
}

/** The recipes that are not written, each with its lost files, and the remedy once. */
const lostBlock = (call: PageCall, { blocked = [] }: MediumWriting): Html | string =>
  errorBlock(call, blocked);

function errorBlock(
  call: PageCall,
  blocked: readonly (Pick<Recipe, 'name' | 'version'> & { readonly error: ErrorRecord })[],
): Html | string {
  const [first] = blocked;
  if (first === undefined) return '';
  const { action } = renderError(fromErrorRecord(first.error), call.words.language, isolate);
  const shown = blocked.slice(0, most.recipes);
  return html`<ul>${shown.map((one) => html`<li class="item-warning">${untrusted(nameOf(one))}${call.words.say(parts.colon)} ${errorLine(call.words, one.error)}</li>`)}</ul><p>${showSentence(action)}</p>${more(call, shown.length, blocked.length)}`;
}

/** The recipes that the registry of the zone would refuse, and the remedy once. */
function refusedBlock(call: PageCall, { recipes }: MediumWriting): Html | string {
  const refused = recipes.flatMap((one) =>
    one.refusal === undefined ? [] : [{ ...one, error: one.refusal }],
  );
  return errorBlock(call, refused);
}

/** What must be carried: the bytes, the recipes with their state in the zone, and the disks. */
export function resultBlock(call: DeliverCall, asked: Asked, plan: MediumWriting): Html {
  const { say } = call.words;
  const { delivery, totals, unknownRoots } = plan;
  const { totalBytes, writeBytes } = totals;
  // where everything is carried, a bar would show nothing
  const part =
    writeBytes === totalBytes
      ? ''
      : html`${bar({ parts: [{ kind: 'done', share: writeBytes / totalBytes }] })}
<p class="muted">${say(words.barLine, { bytes: writeBytes, total: totalBytes })}</p>`;
  return html`<h2>${say(words.planHead)}</h2>${part}
${facts([
  [say(words.leftOut), leftOut(call, asked, plan)],
  [say(words.delivery), code(delivery.id)],
])}
${lostBlock(call, plan)}${refusedBlock(call, plan)}
${isAllThere(plan) ? html`<p>${say(words.allPresent)}</p>` : ''}
${unknownRoots.length === 0 ? '' : html`<p>${say(words.unknownRoots, { count: unknownRoots.length })}</p>`}
${warningNotes(call, plan)}
${recipeTable(call, plan)}
${diskTable(call, plan)}`;
}
