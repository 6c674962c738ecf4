import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node } from 'yaml';
import { readNamed } from '../disk/named-file.ts';
import { TooLargeError, toUnreadableRule } from '../disk/named-file-error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { composeYaml, type YamlProblem } from '../yaml/compose-yaml.ts';
import { decodeText } from '../yaml/decode-text.ts';
import { isRecord } from './value-type.ts';

const sizeLimit = 1 << 20;

export interface ConfigDocument {
  /** The document as plain values; empty when there is none. */
  readonly root: Readonly<Record<string, unknown>>;
  /** Returns the line of a key path (`trust.roots[1].name`), or of the nearest key above it. */
  readonly lineOf: (path: string) => number | undefined;
  /** Reasons why the document cannot be read. */
  readonly problems: readonly DocumentProblem[];
  /** Whether there is no file of this path. */
  readonly isAbsent: boolean;
}

interface DocumentProblem {
  /** Path of the key, if the problem concerns one key. */
  readonly key?: string;
  readonly rule: Rule;
  readonly line?: number;
}

const empty: ConfigDocument = { root: {}, lineOf: () => undefined, problems: [], isAbsent: false };

/**
 * Reads one YAML document of at most 1 MiB and 100 aliases, without duplicate keys and custom tags. `composeYaml`
 * limits its depth and tokens.
 *
 * @param explicit whether the user named the path: the file must then exist
 */
export async function readConfigDocument(path: string, explicit: boolean): Promise<ConfigDocument> {
  let bytes: Uint8Array;
  try {
    bytes = await readNamed(path, sizeLimit);
  } catch (error) {
    if (error instanceof TooLargeError)
      return refuse(rule(['must be at most 1 MiB', fr`doit faire au plus 1 Mio`]));
    const code = (error as NodeJS.ErrnoException).code;
    const isAbsent = code === 'ENOENT';
    return { ...(isAbsent && !explicit ? empty : refuse(toUnreadableRule(error))), isAbsent };
  }
  const decoded = decodeText(bytes);
  return 'rule' in decoded ? refuse(decoded.rule) : parseConfigDocument(decoded.text);
}

/** Ends the reading at the first problem of the form. */
class UnreadableError extends Error {
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem) {
    super(String(problem.rule));
    this.problem = problem;
  }
}

function parseConfigDocument(text: string): ConfigDocument {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  // the message of the parser may quote the document, secrets included
  const fail = ({ offset, code, mistake, rule: broken }: YamlProblem): Error => {
    const told = mistake ?? (code === undefined ? broken : describe(code));
    if (offset === undefined)
      return new UnreadableError({
        rule: rule(['is not valid YAML: {rule}', fr`n’est pas du YAML valide : {rule}`], { rule: told }),
      });
    const { line, col } = lines.linePos(offset);
    return new UnreadableError({
      rule: rule(
        [
          'is not valid YAML in column {column}: {rule}',
          fr`n’est pas du YAML valide à la colonne {column} : {rule}`,
        ],
        { column: col, rule: told },
      ),
      line,
    });
  };
  let document: Document.Parsed;
  try {
    document = composeYaml(text, lines, fail, { stringKeys: true });
  } catch (error) {
    if (error instanceof UnreadableError) return { ...empty, problems: [error.problem] };
    throw error;
  }
  const repeated = [...listRepeatedKeys(document.contents)].slice(0, 20);
  if (repeated.length > 0)
    return {
      ...empty,
      problems: repeated.map(({ path, offset }) => ({
        key: path,
        rule: rule(['is given twice', fr`est donné deux fois`]),
        line: lineAt(offset),
      })),
    };
  let root: unknown;
  try {
    root = document.toJS({ maxAliasCount: 100 });
  } catch {
    return refuse(
      rule([
        'is not valid YAML: too many or unresolved aliases',
        fr`n’est pas du YAML valide : trop d’alias, ou des alias sans ancre`,
      ]),
    );
  }
  if (root === null || root === undefined) return empty;
  if (!isRecord(root)) return refuse(rule(['must be a map of settings', fr`doit être un objet de réglages`]));
  return {
    root,
    lineOf: (path) => {
      const position = findNode(document.contents, path)?.range?.[0];
      return position === undefined ? undefined : lineAt(position);
    },
    problems: [],
    isAbsent: false,
  };
}

function refuse(broken: Rule): ConfigDocument {
  return { ...empty, problems: [{ rule: broken }] };
}

const descriptions: Readonly<Record<string, Rule>> = {
  MULTIPLE_DOCS: rule(['more than one document', fr`plus d’un document`]),
  TAG_RESOLVE_FAILED: rule(['an unknown tag', fr`un tag inconnu`]),
  NON_STRING_KEY: rule(['a key that is not a text', fr`une clé qui n’est pas un texte`]),
};

function describe(code: string): Rule | string {
  return descriptions[code] ?? code.toLowerCase().replaceAll('_', ' ');
}

/** Lists the keys that an earlier key of their map has too, in the order of the document. */
function* listRepeatedKeys(
  node: unknown,
  path = '',
): Generator<{ readonly path: string; readonly offset: number }> {
  if (isSeq(node))
    for (const [i, item] of node.items.entries()) yield* listRepeatedKeys(item, `${path}[${i}]`);
  if (!isMap(node)) return;
  const known = new Set<string>();
  for (const { key, value } of node.items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    const own = path === '' ? name : `${path}.${name}`;
    if (known.has(name)) yield { path: own, offset: key.range?.[0] ?? 0 };
    known.add(name);
    yield* listRepeatedKeys(value, own);
  }
}

/** Returns the node of the key itself if it can be found, so that the line is the one that an editor shows. */
function findNode(contents: unknown, path: string): Node | undefined {
  let node: unknown = contents;
  let last: Node | undefined;
  for (const [part] of path.matchAll(/[^.[\]"]+/g)) {
    if (isAlias(node)) return last;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === part);
      if (pair === undefined) return last;
      last = pair.key as Node;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      if (node === undefined) return last;
      last = node as Node;
    } else return last;
  }
  return last;
}
