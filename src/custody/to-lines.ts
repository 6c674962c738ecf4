import type { DetailName } from '../base/details.ts';
import { custodyLimits } from '../contract/custody.ts';
import type { CustodyDetails, CustodyEntry, CustodySubject, NewLine } from './model.ts';
import { toRefused } from './refused.ts';

/** Subjects of one line: their longest form fits into it beside the details. */
const mostSubjects = 100;
/** Characters of the names of one line's subjects, or of all its details. */
const mostCharacters = 4096;
/** Characters of one text among the details: a long path leaves the others their room. */
const longestText = 1024;

/**
 * Makes as many lines as the subjects of an event need: each has all details, and in `refused` the code and the name of those
 * of its subjects that were refused.
 */
export function toLines(
  { type, actor, subjects = [], details = {} }: CustodyEntry,
  place: Pick<NewLine, 'step' | 'of' | 'result'>,
): readonly NewLine[] {
  const groups: CustodySubject[][] = [[]];
  let characters = 0;
  for (const { name, digest, code } of subjects) {
    const cut = cutText(name, custodyLimits.name);
    // a refused one is named twice
    const length = cut.length + (code === undefined ? 0 : toRefused({ name: cut, code }).length);
    characters += length;
    const group = groups.at(-1)!;
    if (group.length === mostSubjects || (characters > mostCharacters && group.length > 0)) {
      groups.push([]);
      characters = length;
    }
    groups.at(-1)!.push({ name: cut, digest, code });
  }
  const common = { type, ...place, actor: cutText(actor, custodyLimits.actor) };
  const shared = toDetails(details);
  return groups.map((group) => {
    const refused = group.flatMap(({ name, code }) => (code === undefined ? [] : toRefused({ name, code })));
    return {
      ...common,
      subjects: group.map(({ name, digest }) => ({ name, digest })),
      details: refused.length === 0 ? shared : { ...shared, refused },
    };
  });
}

function toDetails(details: CustodyDetails): NewLine['details'] {
  const kept: Record<string, NonNullable<CustodyDetails[DetailName]>> = {};
  let room = mostCharacters;
  const take = (text: string): string => {
    const cut = cutText(text, room);
    room -= cut.length;
    return cut;
  };
  for (const [name, value] of Object.entries(details)) {
    if (value === undefined) continue;
    if (typeof value === 'string') kept[name] = take(cutText(value, longestText));
    else if (typeof value === 'object') kept[name] = value.flatMap((one) => (room > 0 ? [take(one)] : []));
    else kept[name] = value;
  }
  return kept;
}

const cutText = (text: string, characters: number): string =>
  text.length <= characters ? text : `${text.slice(0, Math.max(0, characters - 1))}…`;
