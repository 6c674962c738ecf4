import { isDeepStrictEqual } from 'node:util';
import { isCollection, isMap, isScalar, isSeq, type Pair, parse, type Scalar, type YAMLMap } from 'yaml';
import { toRecipe } from '../../recipe/document.ts';
import type { Recipe } from '../../recipe/model.ts';
import {
  childPath,
  isYamlMap,
  parseYamlTree,
  readYaml,
  toYamlValue,
  type YamlTree,
  type YamlValue,
} from '../../recipe/read-yaml.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

type Steps = readonly (string | number)[];

/** A value for one member of a document. */
export interface DocumentEdit {
  /** Names and positions from the top of the document; the map that holds the member must exist. */
  readonly path: Steps;
  /** A text, a list of texts, or a map of texts. The texts have no control characters. */
  readonly value: string | readonly string[] | Readonly<Record<string, string>>;
  /** Member after which a new one is written, if it exists. Default: the last one. */
  readonly after?: string;
}

/** Text that replaces the characters from `start` to `end`. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A document with its members set. */
interface EditedDocument {
  readonly bytes: Buffer;
  /** The value read back from the bytes. */
  readonly value: YamlValue;
}

interface Ranged {
  readonly range: readonly [start: number, valueEnd: number, nodeEnd: number];
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Sets members of a document. All other bytes stay as they are: comments, order, quotes, indentation and line ends.
 *
 * @param bytes a document that `readYaml` accepts
 * @param file name of the document in errors
 * @param tree that of the document, where it was read before
 * @throws SVC-VAL-001 when the result would differ in more than the members set, such as through a shared anchor;
 *   SVC-VAL-002 when the result is larger than 4 MiB
 */
export function editDocument(
  bytes: Uint8Array,
  edits: readonly DocumentEdit[],
  file: string,
  tree: Pick<YamlTree, 'text' | 'document'> = parseYamlTree(bytes, file),
): EditedDocument {
  const before = toYamlValue(tree, file);
  const { text, document } = tree;
  const splices = edits.map((edit) => toSplice(text, document.contents, edit, file));
  const edited = Buffer.from(applySplices(text, splices));
  const marked = Buffer.from(bytes.subarray(0, 3)).equals(byteOrderMark);
  const result = marked ? Buffer.concat([byteOrderMark, edited]) : edited;
  const value = readResult(result, file);
  if (value === undefined || !isDeepStrictEqual(value, setValues(before, edits)))
    throw svcError('SVC-VAL-001', {
      file,
      path: formatSteps(edits[0]?.path ?? []),
      rule: rule([
        'cannot be written without changing other members: write each value out, without anchors',
        fr`ne peut pas être écrit sans changer d’autres membres ; écrivez chaque valeur, sans ancres`,
      ]),
    });
  return { bytes: result, value };
}

/** A recipe document with its members set, and the recipe that a reader finds in it. */
export interface EditedRecipe {
  readonly bytes: Uint8Array;
  readonly recipe: Recipe;
}

/** As `editDocument`, for a recipe. @throws SVC-VAL-001, also when the result is no recipe, SVC-VAL-002 */
export function editRecipe(
  bytes: Uint8Array,
  edits: readonly DocumentEdit[],
  file: string,
  tree?: YamlTree,
): EditedRecipe {
  const edited = editDocument(bytes, edits, file, tree);
  return { bytes: edited.bytes, recipe: toRecipe(edited.value, file) };
}

/** The tree of the result; undefined when it is no document any more. @throws SVC-VAL-002 */
function readResult(bytes: Buffer, file: string): YamlValue | undefined {
  try {
    return readYaml(bytes, file);
  } catch (error) {
    if ((error as { code?: string }).code === 'SVC-VAL-001') return undefined;
    throw error;
  }
}

function formatSteps(steps: Steps): string {
  return steps.reduce<string>((path, step) => childPath(path, step), '');
}

/** Splices at the same place keep their order. */
function applySplices(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text: replacement } of [...splices].sort((a, b) => a.start - b.start)) {
    pieces.push(text.slice(at, start), replacement);
    at = end;
  }
  return `${pieces.join('')}${text.slice(at)}`;
}

/** The document with members set, as a tree. A value shared by an alias is copied, so that the other place keeps it. */
function setValues(tree: YamlValue, edits: readonly DocumentEdit[]): YamlValue {
  const own = new Set<unknown>();
  const take = <T extends object>(node: T, copy: (node: T) => T): T => {
    if (own.has(node)) return node;
    const copied = copy(node);
    own.add(copied);
    return copied;
  };
  const set = (node: YamlValue | undefined, [step, ...rest]: Steps, value: YamlValue): YamlValue => {
    if (step === undefined) return value;
    if (Array.isArray(node)) {
      const list = take(node as YamlValue[], (items) => [...items]);
      list[Number(step)] = set(list[Number(step)], rest, value);
      return list;
    }
    const map = take(isYamlMap(node) ? (node as Map<string, YamlValue>) : new Map(), (one) => new Map(one));
    map.set(String(step), set(map.get(String(step)), rest, value));
    return map;
  };
  return edits.reduce((result, { path, value }) => set(result, path, toTree(value)), tree);
}

function toTree(value: DocumentEdit['value']): YamlValue {
  if (typeof value === 'string' || Array.isArray(value)) return value as YamlValue;
  return new Map(Object.entries(value));
}

function toSplice(text: string, root: unknown, { path, value, after }: DocumentEdit, file: string): Splice {
  const map = path.slice(0, -1).reduce<unknown>(step, root);
  const name = String(path.at(-1));
  if (!isMap(map))
    throw svcError('SVC-VAL-001', {
      file,
      path: formatSteps(path),
      rule: rule([
        'cannot be written without changing other members: write each value out, without anchors',
        fr`ne peut pas être écrit sans changer d’autres membres ; écrivez chaque valeur, sans ancres`,
      ]),
    });
  const pair = findPair(map, name);
  return pair === undefined
    ? insertMember(text, map, { name, value, after: after === undefined ? undefined : findPair(map, after) })
    : replaceValue(text, pair, value);
}

function step(node: unknown, name: string | number): unknown {
  if (isSeq(node)) return node.items[Number(name)];
  return isMap(node) ? findPair(node, String(name))?.value : undefined;
}

function findPair(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name);
}

function replaceValue(text: string, { value: node }: Pair, value: DocumentEdit['value']): Splice {
  const [start, end] = (node as Ranged).range;
  const style = isScalar(node) ? node.type : undefined;
  // the range of a block scalar has its last line break
  const tail = text[end - 1] === '\n' && end > start ? '\n' : '';
  return { start, end, text: `${toInline(value, style)}${tail}` };
}

interface NewMember {
  readonly name: string;
  readonly value: DocumentEdit['value'];
  readonly after: Pair | undefined;
}

function insertMember(text: string, map: YAMLMap, { name, value, after }: NewMember): Splice {
  const previous = after ?? map.items.at(-1);
  if (map.flow || previous === undefined) {
    const member = `${name}: ${toInline(value)}`;
    const [start] = (map as unknown as Ranged).range;
    const at = previous === undefined ? start + 1 : endOf(previous);
    return { start: at, end: at, text: previous === undefined ? member : `, ${member}` };
  }
  const column = columnOf(text, map.items[0]!);
  const end = endOf(previous);
  const lineEnd = text[end - 1] === '\n' ? end - 1 : text.indexOf('\n', end);
  const breaks = lineEnd > 0 && text[lineEnd - 1] === '\r' ? '\r\n' : '\n';
  const margin = ' '.repeat(column);
  const lines = toLines(name, value, indentOf(text, map)).map((line) => `${margin}${line}`);
  if (lineEnd < 0) return { start: text.length, end: text.length, text: `${breaks}${lines.join(breaks)}` };
  const at = lineEnd + 1;
  return { start: at, end: at, text: lines.map((line) => `${line}${breaks}`).join('') };
}

/** The offset after the last character of a member, without the comment that follows it. */
function endOf({ key, value }: Pair): number {
  if (value === null || value === undefined) return (key as Ranged).range[1];
  if (isCollection(value) && !value.flow) {
    const last = value.items.at(-1);
    if (isMap(value) && last !== undefined) return endOf(last as Pair);
    if (isSeq(value) && last !== undefined) return endOf({ key: undefined, value: last } as unknown as Pair);
  }
  return (value as Ranged).range[1];
}

/** Spaces before a member of a block map, where `- ` counts as two. */
function columnOf(text: string, { key }: Pair): number {
  const [start] = (key as Ranged).range;
  return start - (text.lastIndexOf('\n', start - 1) + 1);
}

/** Columns by which a member of this map would be indented below it: as another member, else two. */
function indentOf(text: string, map: YAMLMap): number {
  for (const { value } of map.items)
    if (isMap(value) && !value.flow && value.items[0] !== undefined)
      return columnOf(text, value.items[0]) - columnOf(text, map.items[0]!);
  return 2;
}

function toLines(name: string, value: DocumentEdit['value'], indent: number): readonly string[] {
  if (typeof value === 'string' || Array.isArray(value)) return [`${name}: ${toInline(value)}`];
  const members = Object.entries(value).map(
    ([key, text]) => `${' '.repeat(indent)}${key}: ${toScalar(text)}`,
  );
  return [`${name}:`, ...members];
}

function toInline(value: DocumentEdit['value'], style?: Scalar['type']): string {
  if (typeof value === 'string') return toScalar(value, style);
  if (Array.isArray(value))
    return `[${(value as readonly string[]).map((text) => toScalar(text)).join(', ')}]`;
  return `{ ${Object.entries(value)
    .map(([key, text]) => `${key}: ${toScalar(text)}`)
    .join(', ')} }`;
}

/** A text as a scalar, in the quotes of the one that it replaces. */
function toScalar(text: string, style?: Scalar['type']): string {
  if (style === 'QUOTE_SINGLE') return `'${text.replaceAll("'", "''")}'`;
  return style !== 'QUOTE_DOUBLE' && isPlain(text) ? text : JSON.stringify(text);
}

/** Whether parsers of YAML 1.1 and 1.2 read the text as itself without quotes, also between brackets. */
function isPlain(text: string): boolean {
  if (/^sha(?:256|512):[0-9a-f]+$/.test(text) || /^v?\d+\.\d+\.\d+$/.test(text)) return true;
  if (!/^[A-Za-z0-9_][A-Za-z0-9_./:@+-]*$/.test(text) || text.endsWith(':')) return false;
  return parse(text, { schema: 'core' }) === text && parse(text, { version: '1.1' }) === text;
}
