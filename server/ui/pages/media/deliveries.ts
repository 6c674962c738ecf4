import type { Delivery } from '../../../../src/contract/delivery.ts';
import type { RecipeVerdict } from '../../../../src/contract/medium.ts';
import { field } from '../../../../src/contract/operation.ts';
import { forgetDelivery } from '../../../../src/contract/operations/media.ts';
import { oneOf } from '../../../../src/contract/schema.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { deliveries, deliveryStates } from '../../../../src/text/words/delivering/deliveries.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { sayNoneWhole } from '../../../../src/view/medium-standing.ts';
import { isUnsure, listNeededParts, sayNeeded } from '../../../../src/view/needed-parts.ts';
import { isSettled } from '../../../../src/view/received-deliveries.ts';
import { findVerification, listDeliveries } from '../../../views/media.ts';
import { listWaitsNow } from '../../../views/zone/waits.ts';
import { attr, type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { deliveryLink } from '../../parts/delivery-link.ts';
import { errorBlock } from '../../parts/error.ts';
import { facts, table } from '../../parts/table.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { evidenceLink } from '../evidence.ts';

/** Deliveries and recipes that a page lists; the API has all of them. */
const mostDeliveries = 10;
const mostRecipes = 50;
const mostParts = 20;

type Recipe = Delivery['recipes'][number];

/** The mark of each state of a recipe. */
const recipeKinds: Readonly<Record<Recipe['state'], BadgeKind>> = {
  landed: 'ok',
  waiting: 'warn',
  held: 'warn',
  failed: 'bad',
};
/** The order of the states, the most urgent first. */
const states: readonly Recipe['state'][] = ['failed', 'held', 'waiting', 'landed'];

/** The content that a recipe needs from elsewhere, under its name. */
export function needsList(
  call: PageCall,
  recipe: Pick<RecipeVerdict, 'needs'>,
  title: Sentence = deliveries.needs,
): Html | string {
  const lines = needsLines(call, recipe);
  return lines === '' ? '' : html`<p><strong>${call.words.say(title)}</strong></p>${lines}`;
}

/** The same alone: from the base, and from other parts. */
export function needsLines(
  { words: { say } }: PageCall,
  { needs = [] }: Pick<RecipeVerdict, 'needs'>,
): Html | string {
  if (needs.length === 0) return '';
  return html`<ul>${needs.map(
    ({ from, part, parts = [part ?? 0], files, bytes }) =>
      html`<li>${from === 'base' ? say(deliveries.fromBase, { files, bytes }) : say(deliveries.fromPart, { files, bytes, parts })}</li>`,
  )}</ul>`;
}

/** The parts of a delivery that arrived, and those that are still needed. @param codes as {@link deliveryBlock} has them */
export function arrivalRows(
  call: PageCall,
  delivery: Delivery,
  codes: ReadonlyMap<string, string> = new Map(),
): readonly (readonly [string, Html | string])[] {
  const { say, format } = call.words;
  const { landed, parts } = delivery;
  const needed = listNeededParts(delivery);
  const last = landed
    .map(({ importedAt }) => importedAt)
    .sort()
    .at(-1);
  return [
    [
      say(deliveries.arrived),
      last === undefined
        ? sayNoneWhole(call.words, delivery)
        : say(deliveries.arrivedLine, {
            count: landed.length,
            parts: landed.map(({ part }) => part),
            total: parts,
            time: format.time(last),
          }),
    ],
    ...(needed.length === 0
      ? []
      : [
          [
            say(deliveries.needed),
            html`${needed.length > mostParts ? format.list(needed.map(({ part }) => format.number(part))) : ''}<ul>${needed
              .slice(0, mostParts)
              .map((one) => html`<li>${untrusted(sayNeeded(call.words, one))}</li>`)}</ul>${
              isUnsure(delivery) ? html`<p class="muted">${say(deliveries.unsure)}</p>` : ''
            }`,
          ] as const,
        ]),
    ...refusedRow(call, delivery, codes),
  ];
}

/** The place of a recipe in a list that leads with the most urgent state. */
export const urgencyOf = ({ state }: Pick<Recipe, 'state'>): number => states.indexOf(state);

/** Why recipes of deliveries were refused: codes by `name@version`, as far as they are known. */
export async function listRefusals(call: PageCall): Promise<ReadonlyMap<string, string>> {
  const owed = (await listWaitsNow(call, call.identity))?.owed ?? [];
  return new Map(
    owed.flatMap(({ name, version, code }) => (code === undefined ? [] : [[`${name}@${version}`, code]])),
  );
}

/** The state of a recipe in the zone. */
export function arrivedBadge(
  { words: { say } }: PageCall,
  { state, parts: waits, baseDelivery }: Recipe,
  delivery: Delivery,
): Html {
  const isLost = delivery.overtakenBy !== undefined && state !== 'landed';
  return badge(
    recipeKinds[state],
    say(isLost ? deliveries.notLanded : deliveries[state], {
      ...{ parts: waits, delivery: baseDelivery ?? delivery.baseDelivery },
    }),
  );
}

/**
 * A delivery: the parts that arrived, those that are still needed, and the recipes of an incomplete one.
 *
 * @param options.anchors identifiers that a block of the page has: several peers may use one
 * @param options.codes why recipes were refused, by name and version, as far as that is known
 */
export function deliveryBlock(
  call: PageCall,
  delivery: Delivery,
  {
    anchors = new Set<string>(),
    codes = new Map(),
  }: { readonly anchors?: Set<string>; readonly codes?: ReadonlyMap<string, string> } = {},
): Html {
  const { say } = call.words;
  const { id, peer, complete, overtakenBy, base, recipes } = delivery;
  const listed = [...recipes].sort((a, b) => urgencyOf(a) - urgencyOf(b));
  const mark = complete
    ? badge('ok', say(deliveries.complete))
    : badge('warn', say(overtakenBy ? deliveries.overtaken : deliveries.incomplete));
  const note =
    overtakenBy === undefined
      ? ''
      : html`<p>${untrusted(say(deliveries.overtakenLine, { medium: overtakenBy, id }))}</p>`;
  const rest =
    recipes.length > mostRecipes
      ? html`<p class="muted">${say(deliveries.recipesMore, { shown: mostRecipes, count: recipes.length })}</p>`
      : '';
  const anchor = anchors.has(id) ? undefined : id;
  anchors.add(id);
  return html`<h3 ${attr('id', anchor)}>${deliveryLink(call, id)} ${mark}</h3>${note}${facts([
    ...(peer === undefined ? [] : [[say(deliveries.peer), untrusted(peer)] as const]),
    ...arrivalRows(call, delivery, codes),
    ...(base === undefined
      ? []
      : [
          [
            say(deliveries.base),
            untrusted(say(deliveries.baseLine, { ...base, sequence: base.sequence || undefined })),
          ] as const,
        ]),
  ])}${
    complete
      ? ''
      : html`${table<Recipe>({
          caption: say(deliveries.recipe),
          empty: '',
          rows: listed.slice(0, mostRecipes),
          columns: [
            {
              label: say(deliveries.recipe),
              isHeader: true,
              cell: ({ name, version }) => html`${untrusted(name)} ${untrusted(version)}`,
            },
            {
              label: say(deliveries.state),
              cell: (one) => arrivedBadge(call, one, delivery),
            },
          ],
        })}${rest}`
  }`;
}

/** The recipes that the checks refused, and why. */
function refusedRow(
  { words: { say, format } }: PageCall,
  { complete, overtakenBy, recipes }: Delivery,
  codes: ReadonlyMap<string, string>,
): readonly (readonly [string, Html])[] {
  if (complete || overtakenBy !== undefined) return [];
  const names = recipes.flatMap(({ name, version, blocked }) => {
    const key = `${name}@${version}`;
    const code = codes.get(key);
    return blocked ? [code === undefined ? key : `${key} (${code})`] : [];
  });
  if (names.length === 0) return [];
  const shown = names.slice(0, mostParts);
  return [
    [say(deliveries.refused), untrusted(format.list(names.length > shown.length ? [...shown, '…'] : shown))],
  ];
}

/** Whether a delivery is in a state: the disks of one that newer media overtook are refused, and so it is lost. */
const isIn: Readonly<Record<keyof typeof deliveryStates, (delivery: Delivery) => boolean>> = {
  arrived: ({ complete }) => complete,
  'on-the-way': ({ complete, overtakenBy }) => !complete && overtakenBy === undefined,
  lost: ({ complete, overtakenBy }) => !complete && overtakenBy !== undefined,
  refused: ({ recipes }) => recipes.some(({ state }) => state === 'failed'),
};

/** The parameter of the page of the medium that selects its deliveries. */
export const ofState = field(
  oneOf(...(Object.keys(deliveryStates) as (keyof typeof deliveryStates)[])),
  'Only deliveries in this state',
  'lost',
);
export type DeliveriesCall = PageCall<{
  readonly page?: number | undefined;
  readonly deliveries?: keyof typeof deliveryStates | undefined;
}>;

/** The deliveries in a state, with the way to all of them. */
function stateList(
  call: PageCall,
  state: keyof typeof deliveryStates,
  { all, codes }: { readonly all: readonly Delivery[]; readonly codes: ReadonlyMap<string, string> },
): Html {
  const { say } = call.words;
  const found = all.filter(isIn[state]);
  return html`<h2>${say(deliveryStates[state])}</h2><p><a href="/media#deliveries">${say(parts.dropFilter)}</a></p>${
    found.length === 0
      ? html`<p class="muted">${say(deliveries.noneInState)}</p>`
      : deliveryList(call, found, { codes })
  }`;
}

/** Leads administrators to the page that forgets a delivery whose disks will not come. */
function forgetLink(call: PageCall, { id, complete }: Delivery): Html | string {
  if (complete || !call.can(forgetDelivery.floor)) return '';
  const path = toPath('/media/deliveries/{delivery}/forget', { delivery: id });
  return html`<p><a class="button button-plain" href="${path}">${call.words.say(deliveries.forgetNamed, { id })}</a></p>`;
}

/** Deliveries with the ways on from each, and how many more there are. */
function deliveryList(
  call: PageCall,
  all: readonly Delivery[],
  options: NonNullable<Parameters<typeof deliveryBlock>[2]>,
): Html {
  const shown = all
    .slice(0, mostDeliveries)
    .map(
      (one) =>
        html`${deliveryBlock(call, one, options)}${forgetLink(call, one)}${evidenceLink(call, one.id)}`,
    );
  const more = { shown: mostDeliveries, count: all.length };
  return html`${shown}${all.length > mostDeliveries ? html`<p class="muted">${call.words.say(deliveries.more, more)}</p>` : ''}`;
}

/**
 * The delivery of the medium that is here, then those of other media: the ones that wait for disks, and the others folded; empty
 * without any, and without a state folder. With a state in the query, all that are in it.
 */
export async function deliveriesBlock(call: DeliveriesCall): Promise<Html> {
  const { words, tasks } = call;
  const { deliveries: state } = call.query;
  const { say } = words;
  try {
    const { deliveries: all } = await listDeliveries(call);
    const codes = await listRefusals(call);
    if (state !== undefined) return stateList(call, state, { all, codes });
    if (all.length === 0) return html``;
    const { medium, passport } = findVerification(call)?.report ?? {};
    const isOwn = ({ id, peer }: Delivery): boolean =>
      id === medium?.delivery?.id && peer === passport?.signer;
    const own = all.filter(isOwn);
    const others = all.filter((each) => !isOwn(each));
    const options = { anchors: new Set<string>(), codes };
    // those that wait for disks stand open: the pages lead to them
    const waiting = others.filter((each) => !isSettled(each));
    const settled = others.filter(isSettled);
    const open = settled.filter(({ complete }) => !complete).length || undefined;
    const [last] = tasks.listHeads({ type: 'media-import', pageSize: 1 }).tasks;
    return html`${own.length === 0 ? '' : html`<h2>${say(deliveries.own)}</h2>${deliveryList(call, own, options)}`}
${waiting.length === 0 ? '' : html`<h2>${say(deliveries.waitingTitle)}</h2>${deliveryList(call, waiting, options)}`}
${settled.length === 0 ? '' : html`<h2>${say(deliveries.othersTitle)}</h2><details class="fold"><summary>${say(deliveries.others, { count: settled.length, open })}</summary>${deliveryList(call, settled, options)}</details>`}
${last === undefined ? '' : html`<p class="way"><a href="${toPath('/tasks/{id}', { id: last.id })}">${say(deliveries.lastTask)}</a></p>`}`;
  } catch (error) {
    if (!isSvcError(error)) throw error;
    // an instance without a state folder imports no medium
    if (error.code === 'SVC-CFG-001') return html``;
    return errorBlock({ words, error, hasHelp: true, heading: html`<h2>${say(deliveries.title)}</h2>` });
  }
}
