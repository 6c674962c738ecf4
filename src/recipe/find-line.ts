import { isMap, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

/** Characters of a document in which a member is looked for: more take too long for a hint. */
const longest = 262_144;

/** The names and indexes of a path such as `spec.ingredients[2].name`. */
function toSteps(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([A-Za-z0-9_-]+)/g)].map(
    ([, index, quoted, name]) => (index === undefined ? (quoted ?? name ?? '') : Number(index)),
  );
}

/**
 * Finds the line of a document that an error is about.
 *
 * @param path as SVC-VAL-001 names it: the path of a member, or `line 3, column 5`
 * @returns from 1; for a member that is missing, the line of what should have it; undefined for a very long document
 */
export function findLine(text: string, path: string): number | undefined {
  const [, given] = /^line (\d+),/.exec(path) ?? [];
  if (given !== undefined) return Number(given);
  if (text.length > longest) return undefined;
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  let node: unknown = document.contents;
  let offset = (document.contents as Node | null)?.range?.[0];
  for (const step of toSteps(path)) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(key) === String(step));
      if (pair === undefined) break;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(step)];
      if (item === undefined) break;
      offset = (item as Node).range?.[0] ?? offset;
      node = item;
    } else break;
  }
  return offset === undefined ? undefined : lines.linePos(offset).line;
}
