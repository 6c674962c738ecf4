import { type ZoneBoard, type ZoneBoardRecipe, zoneRecipeStates } from '../../src/contract/zone-board.ts';
import { fr, speak } from '../../src/text/language.ts';
import { zones as text } from '../../src/text/words/delivering/zones.ts';
import { words } from '../../src/text/words/words.ts';
import { renderTable } from '../cli/print.ts';
import { type Fact, renderFacts } from './facts.ts';
import type { RenderOptions } from './options.ts';
import { toTime } from './time.ts';

/** The number of recipes in each state, in the words of the page; only `current` is named where it is none. */
function toCounts({ totals }: Pick<ZoneBoard, 'totals'>, { language }: RenderOptions): string {
  return zoneRecipeStates
    .filter((state) => totals[state] > 0 || state === 'current')
    .map((state) => words[language].say(text.stateCounts[state], { count: totals[state] }))
    .join(', ');
}

/** The last receipt of a zone, and everything that is wrong with it. */
function toReceiptLine({ receipt, unbelieved, code }: ZoneBoard, { language }: RenderOptions): string {
  const { say } = words[language];
  if (code !== undefined) return say(text.unreadable, { code });
  if (unbelieved !== undefined) {
    const { sequence, issuedAt } = unbelieved;
    return say(text.unbelieved, { sequence, time: toTime(issuedAt, language) });
  }
  if (receipt === undefined) return say(text.noReceipt);
  const { sequence, issuedAt, overdue, via, fork, otherMedium } = receipt;
  const parts = [
    say(text.receiptLine, { sequence, time: toTime(issuedAt, language), via }),
    ...(overdue ? [say(text.overdue)] : []),
    ...(fork === undefined ? [] : [say(text.forked, { sequence: fork.sequence })]),
    ...(otherMedium === undefined ? [] : [say(text.otherMedium, { ...otherMedium })]),
  ];
  return parts.join(', ');
}

/** The deliveries that no receipt confirms. */
const toOnWay = ({ deliveries }: ZoneBoard, { language }: RenderOptions): readonly string[] =>
  deliveries.map(({ id, parts, startedAt, overdue, inPart }) => {
    const { say } = words[language];
    const { awaited = [] } = inPart ?? {};
    return [
      say(text.deliveryLine, { id, parts, time: toTime(startedAt, language) }),
      ...(inPart === undefined
        ? []
        : [say(text.inPartLine, { awaited: awaited.length === 0 ? undefined : awaited })]),
      ...(overdue ? [say(text.overdue)] : []),
    ].join(', ');
  });

/** Deliveries that do not count: not proved, or not written whole. */
const toDoubted = (doubted: ZoneBoard['unproved'] = [], { language }: RenderOptions): readonly string[] =>
  doubted.map(({ id, parts, startedAt }) =>
    words[language].say(text.deliveryLine, { id, parts, time: toTime(startedAt, language) }),
  );

/** Whether the wanted versions are known, and since when. */
function toResolved({ wanted: { state, resolvedAt, code } }: ZoneBoard, { language }: RenderOptions): string {
  const time = toTime(resolvedAt, language);
  return words[language].say(state === 'resolved' ? text.resolvedLine : text[state], { time, code });
}

/** Most deliveries of a zone in the list of zones. */
const mostOnWay = 3;

function shorten(lines: readonly string[], zone: string, { language }: RenderOptions): readonly string[] {
  const more = lines.length - mostOnWay;
  if (more <= 0) return lines;
  const rest = speak(language)(
    `and ${more} more: svc zones ${zone}`,
    fr`et ${more} autres : svc zones ${zone}`,
  );
  return [...lines.slice(0, mostOnWay), rest];
}

/** All zones, a line each; further deliveries of a zone are below it. */
export function renderZones(boards: readonly ZoneBoard[], options: RenderOptions): string {
  const { say } = words[options.language];
  if (boards.length === 0) return `${say(text.none)}\n`;
  const headings = [text.zone, text.recipes, text.receipt, text.deliveries, text.resolved].map((one) =>
    say(one).toUpperCase(),
  );
  const rows = boards.flatMap((board) => {
    const lines = [
      ...toOnWay(board, options),
      ...toDoubted(board.unproved, options).map((line) => say(text.unprovedLine, { line })),
      ...toDoubted(board.unfinished, options).map((line) => say(text.unfinishedLine, { line })),
    ];
    const [first = '–', ...others] = shorten(lines, board.name, options);
    return [
      [
        board.name,
        toCounts(board, options),
        toReceiptLine(board, options),
        first,
        toResolved(board, options),
      ],
      ...others.map((line) => ['', '', '', line, '']),
    ];
  });
  return renderTable(headings, rows, options.width);
}

/** One zone with its recipes. */
export function renderZone(board: ZoneBoard, options: RenderOptions): string {
  const { language, width } = options;
  const { say } = words[language];
  const { recipes } = board;
  const isOnWay = toOnWay(board, options);
  const unproved = toDoubted(board.unproved, options);
  const unfinished = toDoubted(board.unfinished, options);
  const list = speak(language);
  const facts: readonly Fact[] = [
    [list('zone', fr`zone`), board.name],
    [list('receipt', fr`reçu`), toReceiptLine(board, options)],
    ['retriever', toResolved(board, options)],
    ...(isOnWay.length === 0 ? [] : [[list('on the way', fr`en route`), isOnWay] as const]),
    ...(unproved.length === 0 ? [] : [[list('not proved', fr`sans preuve`), unproved] as const]),
    ...(unfinished.length === 0
      ? []
      : [[list('not written whole', fr`écriture inachevée`), unfinished] as const]),
    [list('recipes', fr`recettes`), toCounts(board, options)],
  ];
  const headings = [text.recipe, text.wanted, text.present, text.state].map((one) => say(one).toUpperCase());
  const rows = recipes.map((one) => [
    one.name,
    one.wanted ?? one.requested ?? '',
    one.present ?? '',
    toState(one, options),
  ]);
  return `${renderFacts(facts, width)}\n${rows.length === 0 ? '' : renderTable(headings, rows, width)}`;
}

function toState({ state, code, delivery }: ZoneBoardRecipe, { language }: RenderOptions): string {
  const reasons = [delivery, code].filter((one) => one !== undefined);
  return `${words[language].say(text[state])}${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`;
}
