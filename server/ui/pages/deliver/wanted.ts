import type { ZoneBoard, ZoneBoardRecipe } from '../../../../src/contract/zone-board.ts';
import { nameWanted, refusalOf, selectCarried, toCarry } from '../../../../src/engine/zone/to-carry.ts';
import { plan as words } from '../../../../src/text/words/delivering/plan.ts';
import { zones as zoneWords } from '../../../../src/text/words/delivering/zones.ts';
import { hasZones, showZone } from '../../../views/zones.ts';
import { type Html, html } from '../../html.ts';
import { answer } from '../../parts/badge.ts';
import { deliveryLink } from '../../parts/delivery-link.ts';
import { icon } from '../../parts/icons.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { codeLink } from '../zones/cells.ts';
import { sayZone } from '../zones/words.ts';
import type { Asked } from './asked.ts';

/** What a plan takes for a zone by its board. */
interface Chosen {
  /** `<name>@<version>`, of this store; absent: all of the store. */
  readonly recipes?: readonly string[];
  /** Whether recipes that the zone wants cannot be brought. */
  readonly isInPart?: boolean;
  /** Why the plan has these, or that there is nothing to plan. */
  readonly note: Html;
}

/** Names in a sentence. */
const mostNames = 10;

/** The plan of a delivery, with the recipes that its zone wants and lacks. */
export const toWantedPlan = (zone: string): string => toPath('/deliver', {}, { zone, wanted: 'true' });

/**
 * Selects what a zone wants and lacks, as its board says it. Undefined where that is not asked for, and for a zone without a
 * Retriever here.
 */
export async function chooseWanted(call: PageCall, asked: Asked): Promise<Chosen | undefined> {
  const { zone, recipes } = asked;
  const isKnown = hasZones(call) && call.instance.context.config.zones.some(({ name }) => name === zone);
  if (!asked.wanted || recipes.length > 0 || !isKnown) return undefined;
  const board = await showZone(call, zone, 'page');
  if (board.wanted.state !== 'unresolved') return chooseFrom(call, board);
  const why = sayZone(call.words, board);
  return { note: noteOf([untrusted(call.words.say(words.wantedUnknown, { why }))]) };
}

const toNames = (all: readonly string[]): string =>
  `${all.slice(0, mostNames).join(', ')}${all.length > mostNames ? ', …' : ''}`;

const noteOf = (parts: readonly (Html | string)[]): Html =>
  html`<div class="note">${icon('info')}<p>${parts.map((part) => html`${part} `)}</p></div>`;

/** The recipes that the zone would refuse again, with the remedy of each reason. */
function refusedLines(call: PageCall, refused: readonly ZoneBoardRecipe[]): readonly Html[] {
  const { say } = call.words;
  const byReason = Map.groupBy(refused, ({ code }) => refusalOf(code));
  return [...byReason].map(([reason, all]) => {
    const codes = [...new Set(all.flatMap(({ code }) => code ?? []))];
    const names = toNames(all.map(nameWanted));
    return html`${untrusted(say(words.wantedRefused, { count: all.length, names }))} ${say(zoneWords.refusals[reason])} ${codes.map((code) => html`${codeLink(code)} `)}`;
  });
}

/** The recipes on their way, with their deliveries: the page of each says how they can be carried again. */
function transitLine(call: PageCall, inTransit: readonly ZoneBoardRecipe[]): Html {
  const deliveries = [...new Set(inTransit.flatMap(({ delivery }) => delivery ?? []))];
  return html`${call.words.say(words.wantedTransit, { count: inTransit.length })} ${deliveries.map((id) => html`${deliveryLink(call, id)} `)}`;
}

function chooseFrom(call: PageCall, board: ZoneBoard): Chosen {
  const { say } = call.words;
  const { name: zone } = board;
  const carry = toCarry(board);
  const { lacking, unknown, unresolved, inTransit, refused, bytes } = carry;
  const all = [...lacking, ...unknown];
  const carried = selectCarried(carry, call.store);
  const { recipes } = carried;
  const absent = carried.absent.map(nameWanted);
  const isInPart = absent.length + unresolved.length > 0;
  const names = toNames(unresolved.map(({ name }) => name));
  const rest = [
    ...(inTransit.length === 0 ? [] : [transitLine(call, inTransit)]),
    ...refusedLines(call, refused),
    ...(unresolved.length === 0
      ? []
      : [untrusted(say(words.wantedUnresolved, { count: unresolved.length, names }))]),
    ...(absent.length === 0 ? [] : [untrusted(say(words.wantedAbsent, { names: toNames(absent) }))]),
  ];
  const ways = html`<a href="${toPath('/zones/{zone}', { zone })}">${untrusted(say(zoneWords.openZone, { zone }))}</a> · <a href="${toPath('/deliver', {}, { zone })}">${say(words.allOfStore)}</a>`;
  if (recipes.length === 0)
    return {
      recipes,
      note: answer({
        kind: all.length + unresolved.length === 0 ? 'plain' : 'warn',
        mark: say(all.length === 0 ? words.stampNone : zoneWords.stampLacks),
        what: untrusted(
          say(all.length === 0 ? words.wantedNothing : words.wantedNone, { zone, count: all.length }),
        ),
        lines: [...rest, ways],
      }),
    };
  const isSure = unknown.length === 0;
  return {
    recipes,
    isInPart,
    note: noteOf([
      untrusted(say(isSure ? words.wantedPlan : words.wantedPerhaps, { zone, count: recipes.length })),
      ...rest,
      ...(isSure && !isInPart && bytes !== undefined ? [say(words.wantedBytes, { bytes })] : []),
      ways,
    ]),
  };
}
