import type { ZoneBoard, ZoneRecipeState } from '../../../../src/contract/zone-board.ts';
import { zones as text } from '../../../../src/text/words/delivering/zones.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import { countLacking, isLate, standingOf } from '../../../../src/view/zone/standing.ts';

/** Whether the Retriever of a zone is being read for the first time: the wanted recipes are not known yet, and nothing failed. */
export const isAwaited = ({ wanted: { reading, state, code } }: ZoneBoard): boolean =>
  reading === true && state === 'unresolved' && code === 'SVC-SRV-006';

/** Seconds after which a page with a Retriever that is being read asks again. */
export const followEvery = 3;

/** Whether a Retriever of these zones is being read. */
export const isFollowed = (boards: readonly ZoneBoard[]): boolean =>
  boards.some(({ wanted }) => wanted.reading === true);

/** Recipes that a sentence names. */
const mostNamed = 3;

/** The first of these names, and that there are more. */
export const nameFew = (format: Words['format'], names: readonly string[]): string =>
  names.length > mostNamed ? `${names.slice(0, mostNamed).join(', ')}, …` : format.list(names);

/** Names of the recipes of a zone in one state, while they are few. */
function namesOf({ format }: Words, { recipes }: ZoneBoard, state: ZoneRecipeState): string | undefined {
  const found = recipes.filter((one) => one.state === state).map(({ name }) => name);
  return found.length === 0 || found.length > mostNamed ? undefined : format.list(found);
}

/** Names of the few recipes of which no version is known here, where only they are in an unknown state. */
export function unknownNames(words: Words, board: ZoneBoard): string | undefined {
  const isWanted = board.recipes.some(({ state, wanted }) => state === 'unknown' && wanted !== undefined);
  return isWanted ? undefined : namesOf(words, board, 'unknown');
}

/** The reason why the content of a zone is unknown. */
function sayUnknown(words: Words, board: ZoneBoard): string {
  const { say } = words;
  const { name: zone, code, receipt, unbelieved, wanted, recipes, totals } = board;
  if (code !== undefined) return say(text.saysUnreadable, { zone });
  if (receipt?.fork !== undefined) return say(text.saysForked, { zone, sequence: receipt.sequence });
  if (isAwaited(board)) return say(text.saysReading, { zone });
  if (wanted.state === 'unresolved')
    return say(wanted.code === 'SVC-SRV-006' ? text.saysUnanswered : text.saysUnresolved, { zone });
  if (unbelieved !== undefined) return say(text.saysUnbelieved, { zone, sequence: unbelieved.sequence });
  if (receipt === undefined) return say(text.saysNoReceipt, { zone });
  if (recipes.length === 0) return say(text.notKnown, { zone });
  const names = unknownNames(words, board);
  return names === undefined
    ? say(text.saysUnknownCount, { zone, count: totals.unknown })
    : say(text.saysUnknownNames, { zone, names });
}

/** Which receipt or delivery of a zone is overdue, as one sentence without its full stop; nothing where none is. */
export function sayLate({ say, format }: Words, board: ZoneBoard): string | undefined {
  const { name: zone, receipt, deliveries } = board;
  if (!isLate(board)) return undefined;
  const late = deliveries.find(({ overdue }) => overdue);
  if (receipt?.overdue || late === undefined)
    return say(text.saysOverdue, { zone, time: format.day(receipt?.issuedAt ?? '') });
  const due = format.day(late.overdueSince ?? late.startedAt);
  return say(text.saysLate, { zone, time: format.day(late.startedAt), due });
}

/** The states of recipes that a zone lacks. */
const lackingStates = ['blocked', 'missing', 'behind'] as const satisfies readonly ZoneRecipeState[];
export const isLacking = (state: ZoneRecipeState): boolean => lackingStates.some((one) => one === state);

/** The recipes that a zone lacks, by their states: a few by their names. */
export function sayLacking(words: Words, board: ZoneBoard): string {
  const { say } = words;
  const { totals } = board;
  const states = lackingStates.filter((state) => totals[state] > 0);
  const which = states.map((state) => {
    const names = countLacking(board) > mostNamed ? undefined : namesOf(words, board, state);
    return names === undefined
      ? say(text.stateCounts[state], { count: totals[state] })
      : say(text.stateNames, { names, state: say(state === 'behind' ? text.inAnother : text[state]) });
  });
  return which.join(', ');
}

/** The state of a zone as one sentence, without its full stop. */
export function sayZone(words: Words, board: ZoneBoard): string {
  const { say, format } = words;
  const { name: zone, totals, deliveries, receipt, recipes } = board;
  const standing = standingOf(board);
  if (standing === 'unknown') return sayUnknown(words, board);
  if (standing === 'lacks')
    return say(text.zoneLacks, { count: countLacking(board), zone, which: sayLacking(words, board) });
  if (standing === 'overdue') return sayLate(words, board)!;
  if (standing === 'awaits') {
    const [latest] = deliveries;
    if (latest?.inPart !== undefined) {
      const names = recipes.filter(({ delivery }) => delivery === latest.id).map((one) => one.name);
      const { awaited = [] } = latest.inPart;
      return say(text.saysInPart, {
        ...{ zone, time: format.day(latest.startedAt) },
        awaited: awaited.length === 0 ? undefined : awaited,
        names: names.length === 0 ? undefined : nameFew(format, names),
      });
    }
    return latest === undefined
      ? say(text.zoneAwaits, { count: totals['in-transit'], zone })
      : say(text.saysUnconfirmed, { zone, time: format.day(latest.startedAt) });
  }
  const time = receipt === undefined ? undefined : format.day(receipt.issuedAt);
  return say(text.zoneHas, { count: totals.current, zone, time });
}
