import { isDifferent, listOtherMembers, type OtherMember } from '../../../../src/authoring/door.ts';
import type { RecipeDiff } from '../../../../src/contract/authoring.ts';
import { formatMember } from '../../../../src/recipe/compare-members.ts';
import { authoring } from '../../../../src/text/words/authoring.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { type Html, html } from '../../html.ts';
import { answer, type BadgeKind, badge } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { facts, table } from '../../parts/table.ts';
import { code, noValue, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';
import { kindBadge } from '../content/content-words.ts';
import { changedCell, changedDigest, errorCell, ingredientCell, moreNote, mostRows } from './rows.ts';

/** A row of the table: an ingredient that one recipe has, or that both have differently. */
interface Row {
  readonly name: string;
  readonly change: 'added' | 'removed' | 'repinned' | 'changed';
  readonly from?: RecipeDiff['changed'][number]['from'];
  readonly to: RecipeDiff['changed'][number]['to'];
  readonly platforms: Html | string;
  readonly bytes: number | undefined;
}

const changes: Readonly<Record<Row['change'], readonly [kind: BadgeKind, text: Sentence]>> = {
  added: ['ok', authoring.added],
  removed: ['stopped', authoring.removed],
  repinned: ['warn', authoring.repinned],
  changed: ['warn', authoring.changed],
};

function toRows({ words: { say } }: PageCall, { added, removed, changed }: RecipeDiff): readonly Row[] {
  const listed = (sentence: Sentence, list: readonly string[]): Html | string =>
    list.length === 0 ? '' : html`<div>${say(sentence, { list: list.join(', ') })}</div>`;
  return [
    ...added.map(
      (item): Row => ({
        name: item.name,
        change: 'added',
        to: item,
        platforms: item.platforms.length === 0 ? noValue : untrusted(item.platforms.join(', ')),
        bytes: item.bytes,
      }),
    ),
    ...removed.map(
      (item): Row => ({
        name: item.name,
        change: 'removed',
        to: item,
        platforms: item.platforms.length === 0 ? noValue : untrusted(item.platforms.join(', ')),
        bytes: undefined,
      }),
    ),
    ...changed.map(
      ({ name, from, to, platformsAdded, platformsRemoved, newBytes }): Row => ({
        name,
        change: from.version === to.version && from.digest === to.digest ? 'changed' : 'repinned',
        from,
        to,
        platforms: html`${listed(authoring.platformsAdded, platformsAdded)}${listed(authoring.platformsRemoved, platformsRemoved)}`,
        bytes: newBytes,
      }),
    ),
  ];
}

function rowTable(call: PageCall, rows: readonly Row[], total: number): Html {
  const { words } = call;
  const { say, format } = words;
  return html`${moreNote(call, total)}${table<Row>({
    caption: say(authoring.difference),
    empty: html`<p>${say(authoring.same)}</p>`,
    rows: rows.slice(0, mostRows),
    columns: [
      {
        label: say(authoring.ingredient),
        isHeader: true,
        cell: ({ name, to }) => html`${ingredientCell(name, to.ref)}<div>${kindBadge(words, to.kind)}</div>`,
      },
      {
        label: say(authoring.change),
        cell: ({ change }) => badge(changes[change][0], say(changes[change][1])),
      },
      { label: say(authoring.version), cell: ({ from, to }) => changedCell(from?.version, to.version) },
      {
        label: say(authoring.digest),
        cell: ({ from, to }) =>
          html`<div class="item-digest">${changedDigest(call, from?.digest, to.digest)}</div>`,
      },
      { label: say(authoring.writtenPlatforms), cell: ({ platforms }) => platforms },
      {
        label: say(authoring.bytes),
        isNumber: true,
        cell: ({ bytes }) => (bytes === undefined ? noValue : format.size(bytes)),
      },
    ],
  })}`;
}

/** The members that differ and that the table of ingredients does not show. */
function memberTable(call: PageCall, diff: RecipeDiff): Html | string {
  const { say } = call.words;
  const members = listOtherMembers(diff);
  if (members.length === 0) return '';
  return html`<h3>${say(authoring.otherMembers)}</h3>${moreNote(call, members.length)}${table<OtherMember>({
    caption: say(authoring.otherMembers),
    empty: '',
    rows: members.slice(0, mostRows),
    columns: [
      {
        label: say(authoring.ingredient),
        isHeader: true,
        cell: ({ ingredient }) =>
          ingredient === undefined ? say(authoring.ofRecipe) : untrusted(ingredient),
      },
      { label: say(authoring.member), cell: ({ path }) => code(path) },
      {
        label: say(authoring.old),
        cell: ({ from }) => (from === undefined ? noValue : untrusted(formatMember(from))),
      },
      {
        label: say(authoring.new),
        cell: ({ to }) => (to === undefined ? noValue : untrusted(formatMember(to))),
      },
    ],
  })}`;
}

function unreadTable(
  call: PageCall,
  { old, new: now, problems, problemsMore = 0 }: RecipeDiff,
): Html | string {
  const { say } = call.words;
  if (problems.length === 0) return '';
  return html`<h3>${say(authoring.unread)}</h3>${moreNote(call, problems.length + problemsMore)}${table<
    RecipeDiff['problems'][number]
  >({
    caption: say(authoring.unread),
    empty: '',
    rows: problems.slice(0, mostRows),
    columns: [
      { label: say(authoring.ingredient), isHeader: true, cell: ({ name }) => untrusted(name) },
      {
        label: say(authoring.ofRecipe),
        cell: ({ recipe }) => {
          const side = recipe === 'old' ? old : now;
          return untrusted(`${side.name} ${side.version}`);
        },
      },
      { label: say(authoring.problem), cell: ({ error }) => errorCell(call, error) },
    ],
  })}`;
}

/** How many bytes a place with the old recipe needs. */
export function differenceVerdict({ words: { say } }: PageCall, diff: RecipeDiff): Html {
  const { old, totals } = diff;
  const isOther = isDifferent(diff);
  const bytes = totals?.transferBytes;
  const known =
    bytes === undefined
      ? say(authoring.noTotals)
      : untrusted(say(authoring.transferSays, { bytes, old: `${old.name} ${old.version}` }));
  return answer({
    kind: 'plain',
    mark: say(isOther ? authoring.stampDifferent : authoring.stampSame),
    what: isOther ? known : say(authoring.noDifference),
  });
}

/** The difference of two recipes: its bytes, the ingredients that differ, and the ingredients that could not be read. */
export function differenceBlock(call: PageCall, diff: RecipeDiff): Html {
  const { words } = call;
  const { say, format } = words;
  const { old, new: now, totals, addedMore = 0, removedMore = 0, changedMore = 0 } = diff;
  const rows = toRows(call, diff);
  const side = ({ name, version, documentDigest }: RecipeDiff['old'], label: string): Html =>
    html`${untrusted(`${name} ${version}`)}<div class="item-digest muted">${copyable(words, documentDigest, `${label} – ${say(authoring.documentDigest)}`)}</div>`;
  const [oldLabel, newLabel] = [say(authoring.old), say(authoring.new)];
  return html`<h2>${say(isDifferent(diff) ? authoring.difference : authoring.noDifference)}</h2>${facts([
    [oldLabel, side(old, oldLabel)],
    [newLabel, side(now, newLabel)],
    ...(totals === undefined
      ? []
      : ([
          [say(authoring.transfer), html`<strong>${format.size(totals.transferBytes)}</strong>`],
          [say(authoring.newBytes), format.size(totals.newBytes)],
          [say(authoring.oldBytes), format.size(totals.oldBytes)],
        ] as const)),
  ])}${totals === undefined ? html`<p class="item-warning">${say(authoring.noTotals)}</p>` : ''}${rows.length > 0 || !isDifferent(diff) ? rowTable(call, rows, rows.length + addedMore + removedMore + changedMore) : ''}${memberTable(call, diff)}${unreadTable(call, diff)}`;
}
