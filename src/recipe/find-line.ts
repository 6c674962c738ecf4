import { isMap, isSeq, type Node } from 'yaml';
import { parseYamlTree, type YamlTree } from './read-yaml.ts';

/** Characters of a document in which a member is looked for: more take too long for a hint. */
const longest = 262_144;

/** The names and indexes of a path such as `spec.ingredients[2].name`. */
function toSteps(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([A-Za-z0-9_-]+)/g)].map(
    ([, index, quoted, name]) => (index === undefined ? (quoted ?? name ?? '') : Number(index)),
  );
}

/** The line that an error of the parser names itself. */
function toGivenLine(path: string): number | undefined {
  const [, given] = /^line (\d+),/.exec(path) ?? [];
  return given === undefined ? undefined : Number(given);
}

function locate({ document, lines }: Pick<YamlTree, 'document' | 'lines'>, path: string): number | undefined {
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

/**
 * Finds the line of a document that an error is about.
 *
 * @param path as SVC-VAL-001 names it: the path of a member, or `line 3, column 5`
 * @returns from 1; for a member that is missing, the line of what should have it; undefined for a very long document
 */
export function findLine(text: string, path: string): number | undefined {
  const given = toGivenLine(path);
  if (given !== undefined) return given;
  if (text.length > longest) return undefined;
  return findLines(Buffer.from(text), [path])[0];
}

/**
 * As `findLine`, for several paths and a document of any length, which is read once.
 *
 * @returns in the order of the paths; undefined for a member of a document that cannot be read as YAML
 */
export function findLines(bytes: Uint8Array, paths: readonly string[]): readonly (number | undefined)[] {
  const given = paths.map(toGivenLine);
  if (!given.includes(undefined)) return given;
  let tree: YamlTree | undefined;
  try {
    tree = parseYamlTree(bytes, '');
  } catch {}
  return paths.map((path, i) => given[i] ?? (tree && locate(tree, path)));
}
