import { formatMember, listMembers } from '../../recipe/compare-members.ts';
import { listUnseen } from '../../text/escape.ts';
import { type Finding, ingredientPath, type PureRule } from './model.ts';
import type { UnseenComment } from './unseen-comments.ts';

/** A text that readers see otherwise than it is: its characters without width or of direction are named. */
export const unseenCharacter: PureRule = function* ({ metadata, ingredients }): Generator<Finding> {
  yield* findIn(metadata, 'metadata');
  for (const [position, { extract }] of ingredients.entries())
    if (extract !== undefined) yield* findIn({ extract }, ingredientPath(position));
};

/** The same outside of values: for comments, and the names of anchors and tags. */
export function toCommentFinding({ path, characters }: UnseenComment): Finding {
  const params = { characters: characters.slice(0, mostNamed).join(', ') };
  return { rule: 'unseen-comment', severity: 'warning', path, params };
}

/** Characters that a finding names. */
const mostNamed = 10;

/** @param path of the part in the document */
function* findIn(part: object, path: string): Generator<Finding> {
  for (const [member, value] of listMembers(part)) {
    const found = listUnseen(`${member} ${formatMember(value)}`);
    if (found.length === 0) continue;
    const characters = found.slice(0, mostNamed).join(', ');
    const own = `${path}.${member}`;
    yield { rule: 'unseen-character', severity: 'warning', path: own, params: { member: own, characters } };
  }
}
