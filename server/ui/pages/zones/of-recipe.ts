import type { ZoneBoard, ZoneBoardRecipe } from '../../../../src/contract/zone-board.ts';
import { isToCarry } from '../../../../src/engine/zone/to-carry.ts';
import { zones as text } from '../../../../src/text/words/delivering/zones.ts';
import { urgencyOf } from '../../../../src/view/zone/standing.ts';
import { hasZones, mostShown, peekZones } from '../../../views/zones.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { deliveryLink } from '../../parts/delivery-link.ts';
import { table } from '../../parts/table.ts';
import { noValue, tableMoment, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { toWantedPlan } from '../deliver/wanted.ts';
import { recipeNotes } from './cards.ts';
import { blockedLine, codeLink, stateKinds, urgencyOfRecipe } from './cells.ts';

/** A recipe as a zone has it. */
export interface ZoneRecipe {
  readonly zone: string;
  readonly recipe: ZoneBoardRecipe;
}

/** The boards of the zones, the most urgent first, as far as they are known without waiting; none where no zone is configured. */
export async function peekBoards(call: PageCall): Promise<readonly ZoneBoard[]> {
  if (!hasZones(call)) return [];
  return [...(await peekZones(call, mostShown)).values()].sort((a, b) => urgencyOf(a) - urgencyOf(b));
}

/** The recipes of the zones that a test chooses, the most urgent first. */
export const selectOfZones = (
  boards: readonly ZoneBoard[],
  isChosen: (recipe: ZoneBoardRecipe, zone: string) => boolean,
): readonly ZoneRecipe[] =>
  boards
    .flatMap(({ name: zone, recipes }) =>
      recipes.filter((recipe) => isChosen(recipe, zone)).map((recipe) => ({ zone, recipe })),
    )
    .sort((a, b) => urgencyOfRecipe(a.recipe) - urgencyOfRecipe(b.recipe));

/** The state of a recipe in a zone. */
export const zoneRecipeBadge = ({ words: { say } }: PageCall, { state }: ZoneBoardRecipe): Html =>
  badge(stateKinds[state], say(text[state]));

/** A row of a zone: the recipe that it wants, or only the version that its receipt names. */
type Row = Pick<ZoneRecipe, 'zone'> &
  Partial<Pick<ZoneRecipe, 'recipe'>> &
  Pick<ZoneBoardRecipe, 'present' | 'since'>;

/** The zones that want a recipe, with its state in each and the way to a delivery, then others that have it; empty without any. */
export async function inZones(call: PageCall, name: string): Promise<Html | undefined> {
  const { say } = call.words;
  const boards = await peekBoards(call);
  const rows: readonly Row[] = [
    ...selectOfZones(boards, (recipe) => recipe.name === name).map((each) => ({
      ...each,
      present: each.recipe.present,
      since: each.recipe.since,
    })),
    ...boards.flatMap(({ name: zone, receipt, unwanted = [] }) =>
      unwanted
        .filter((one) => one.name === name)
        .map(({ present }) => ({ zone, present, since: receipt?.issuedAt })),
    ),
  ];
  if (rows.length === 0) return undefined;
  const mayPlan = call.can('operator');
  return html`<h2>${say(text.inZones)}</h2>${table<Row>({
    caption: say(text.inZones),
    empty: '',
    rows,
    columns: [
      {
        label: say(text.zone),
        isHeader: true,
        cell: ({ zone }) => html`<a href="${toPath('/zones/{zone}', { zone })}">${untrusted(zone)}</a>`,
      },
      {
        label: say(text.state),
        isLead: true,
        cell: ({ zone, recipe }) => {
          if (recipe === undefined) return html`<span class="muted">${say(text.thereUnwanted)}</span>`;
          const { code, delivery, error } = recipe;
          const reason = code === undefined || error !== undefined ? '' : html` ${codeLink(code)}`;
          const plan =
            mayPlan && isToCarry(recipe)
              ? html` <a href="${toWantedPlan(zone)}">${say(text.deliver)}</a>`
              : '';
          return html`${zoneRecipeBadge(call, recipe)}${reason}${delivery === undefined ? '' : html` ${deliveryLink(call, delivery)}`}${plan}${recipe.state === 'blocked' ? blockedLine(call.words, code) : ''}${recipeNotes(call, zone, recipe)}`;
        },
      },
      {
        label: say(text.wanted),
        cell: ({ recipe }) =>
          recipe === undefined ? noValue : untrusted(recipe.wanted ?? recipe.requested ?? ''),
      },
      {
        label: say(text.present),
        cell: ({ present }) => (present === undefined ? noValue : untrusted(present)),
      },
      {
        label: say(text.asOf),
        isTime: true,
        cell: ({ since }) => (since === undefined ? noValue : tableMoment(call.words, since)),
      },
    ],
  })}`;
}
