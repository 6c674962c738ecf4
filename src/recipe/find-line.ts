import { isMap, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
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

/** Maps of more pairs are looked through once. */
const fewPairs = 16;
const pairsOf = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

/** Finds the first pair with a key: a map may have thousands, and each be looked for. */
function findPair(map: YAMLMap, key: string): Pair | undefined {
  const { items } = map;
  if (items.length <= fewPairs) return items.find((pair) => String(pair.key) === key);
  let pairs = pairsOf.get(map);
  if (pairs === undefined) {
    pairs = new Map(items.toReversed().map((pair) => [String(pair.key), pair]));
    pairsOf.set(map, pairs);
  }
  return pairs.get(key);
}

function locate({ document, lines }: Pick<YamlTree, 'document' | 'lines'>, path: string): number | undefined {
  let node: unknown = document.contents;
  let offset = (document.contents as Node | null)?.range?.[0];
  for (const step of toSteps(path)) {
    if (isMap(node)) {
      const pair = findPair(node, String(step));
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
 * @returns from 1; for a missing member, the line of its parent; undefined for a very long document
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
  if (paths.every((path) => toGivenLine(path) !== undefined)) return locateMembers(undefined, paths);
  let tree: YamlTree | undefined;
  try {
    tree = parseYamlTree(bytes, '');
  } catch {}
  return locateMembers(tree, paths);
}

/** As {@link findLines}, in a tree that was read before. */
export function locateMembers(
  tree: Pick<YamlTree, 'document' | 'lines'> | undefined,
  paths: readonly string[],
): readonly (number | undefined)[] {
  return paths.map((path) => toGivenLine(path) ?? (tree && locate(tree, path)));
}
