import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
} from 'yaml';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { quote, type Rule, rule } from '../text/rule.ts';
import { composeYaml, yamlLimits } from '../yaml/compose-yaml.ts';
import { decodeText } from '../yaml/decode-text.ts';

export { yamlLimits } from '../yaml/compose-yaml.ts';

/** A YAML scalar that is not a string, with its source text. */
interface BareScalar {
  readonly bare: number | bigint | boolean | null;
  readonly source: string;
}

/** A document that JSON could express. Maps keep their order; their keys are strings. */
export type YamlValue = string | BareScalar | YamlMap | readonly YamlValue[];
export interface YamlMap extends ReadonlyMap<string, YamlValue> {}

export function isYamlMap(value: YamlValue | undefined): value is YamlMap {
  return value instanceof Map;
}

/** The items of a list; none for any other value. */
export function toItems(value: YamlValue | undefined): readonly YamlValue[] {
  return Array.isArray(value) ? (value as readonly YamlValue[]) : [];
}

export function isBareScalar(value: YamlValue | undefined): value is BareScalar {
  return typeof value === 'object' && 'bare' in value;
}

const coreTags = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
);

/** Departures from the strict form, for documents of other programs that read them in this way. */
export interface ReadYamlOptions {
  /** `last` uses the last of several. */
  readonly duplicateKeys?: 'refused' | 'last';
  /** `as-text` takes a number, a boolean or nothing as a key, as it is written. */
  readonly scalarKeys?: 'refused' | 'as-text';
}

interface Anchored {
  readonly value: YamlValue;
  readonly height: number;
}

/** Formats a path such as `spec.ingredients[2].digset`; quotes a key that is not a plain word. */
export function childPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  const short = key.length > 80 ? `${key.slice(0, 80)}…` : key;
  if (!/^[A-Za-z0-9_-]+$/.test(short)) return `${parent}[${JSON.stringify(short)}]`;
  return parent === '' ? short : `${parent}.${short}`;
}

/**
 * Reads one strict YAML 1.2 document: UTF-8, at most 4 MiB, 64 levels and 100 aliases. No tags beyond the core schema,
 * no duplicate keys, only string keys, no anchor that contains itself. Aliased values are shared, not copied.
 *
 * @param file name of the document in errors
 * @throws SVC-VAL-002 when larger than 4 MiB, SVC-VAL-001 with the place (a member's path, or line and column)
 */
export function readYaml(bytes: Uint8Array, file: string, options: ReadYamlOptions = {}): YamlValue {
  const foreign = options.duplicateKeys === 'last' || options.scalarKeys === 'as-text';
  return toYamlValue(parseYamlTree(bytes, file, { foreign }), file, options);
}

/** Converts a syntax tree, as `readYaml` does. @throws SVC-VAL-001 with the path of the member */
export function toYamlValue(
  { document }: Pick<YamlTree, 'document'>,
  file: string,
  options: ReadYamlOptions = {},
): YamlValue {
  const fail = (path: string, broken: Rule) => svcError('SVC-VAL-001', { file, path, rule: broken });
  const anchors = new Map<string, Anchored | undefined>();
  let aliases = 0;

  const follow = (alias: Alias, path: string, depth: number): Anchored => {
    aliases += 1;
    if (aliases > yamlLimits.aliases)
      throw fail(
        path,
        rule(['at most {aliases} aliases', fr`au plus {aliases} alias`], { aliases: yamlLimits.aliases }),
      );
    const target = anchors.get(alias.source);
    if (!target) {
      const broken = anchors.has(alias.source)
        ? rule(['an anchor cannot contain itself', fr`une ancre ne peut pas se contenir elle-même`])
        : rule(['the alias names no anchor before it', fr`l’alias ne nomme aucune ancre qui le précède`]);
      throw fail(path, broken);
    }
    if (depth + target.height > yamlLimits.depth)
      throw fail(
        path,
        rule(['nested deeper than {depth}', fr`imbriqué à plus de {depth} niveaux`], {
          depth: yamlLimits.depth,
        }),
      );
    return target;
  };

  // the height of a node is known before an alias can name the node, so sharing never nests deeper than the limit
  const walk = (node: ParsedNode | null, path: string, depth: number): Anchored => {
    if (node === null) return { value: { bare: null, source: '' }, height: 0 };
    if (isAlias(node)) return follow(node, path, depth);
    if (node.tag !== undefined && !coreTags.has(node.tag))
      throw fail(
        path,
        rule(['the tag {tag} is not accepted', fr`le tag {tag} n’est pas accepté`], {
          tag: node.tag.slice(0, 80),
        }),
      );
    if (depth > yamlLimits.depth)
      throw fail(
        path,
        rule(['nested deeper than {depth}', fr`imbriqué à plus de {depth} niveaux`], {
          depth: yamlLimits.depth,
        }),
      );
    const anchor = 'anchor' in node ? node.anchor : undefined;
    if (anchor !== undefined) anchors.set(anchor, undefined);
    let result: Anchored;
    if (isScalar(node)) {
      const { value } = node;
      result = {
        value:
          typeof value === 'string'
            ? value
            : { bare: value as BareScalar['bare'], source: node.source ?? '' },
        height: 0,
      };
    } else if (isSeq(node)) {
      let height = 0;
      const values = node.items.map((item, i) => {
        const child = walk(item as ParsedNode, childPath(path, i), depth + 1);
        height = Math.max(height, child.height + 1);
        return child.value;
      });
      result = { value: values, height };
    } else if (isMap(node)) {
      let height = 0;
      const map = new Map<string, YamlValue>();
      for (const { key, value } of node.items as { key: ParsedNode | null; value: ParsedNode | null }[]) {
        const asText = options.scalarKeys === 'as-text' && isScalar(key) && typeof key.value !== 'string';
        const name = asText ? (key.source ?? String(key.value)) : isScalar(key) ? key.value : undefined;
        if (typeof name !== 'string') {
          const shown = isScalar(key) ? String(key.source ?? key.value).slice(0, 80) : '';
          throw fail(
            path,
            rule(
              [
                'keys must be strings[: quote {shown}]',
                fr`les clés doivent être des textes[ : mettez {shown} entre guillemets]`,
              ],
              { shown },
            ),
          );
        }
        const own = childPath(path, name);
        if (isScalar(key) && key.tag !== undefined && !coreTags.has(key.tag))
          throw fail(
            own,
            rule(['the tag {tag} is not accepted', fr`le tag {tag} n’est pas accepté`], {
              tag: key.tag.slice(0, 80),
            }),
          );
        if (map.has(name) && options.duplicateKeys !== 'last')
          throw fail(own, rule(['the key is written twice', fr`la clé est en double`]));
        if (isScalar(key) && key.anchor !== undefined) anchors.set(key.anchor, { value: name, height: 0 });
        const child = walk(value, own, depth + 1);
        height = Math.max(height, child.height + 1);
        map.set(name, child.value);
      }
      result = { value: map, height };
    } else {
      throw fail(path, rule(['must be expressible as JSON', fr`doit pouvoir s’exprimer en JSON`]));
    }
    if (anchor !== undefined) anchors.set(anchor, result);
    return result;
  };
  return walk(document.contents, '', 0).value;
}

export interface YamlTree {
  /** Without a byte order mark; the offsets of the tree count in it. */
  readonly text: string;
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

/**
 * Reads the syntax tree of one document within the limits of size, depth and tokens. The content of the tree is not
 * checked: `readYaml` does that.
 *
 * @param file name of the document in errors
 * @throws SVC-VAL-002 when larger than 4 MiB, SVC-VAL-001 with line and column
 */
export function parseYamlTree(
  bytes: Uint8Array,
  file: string,
  { foreign = false }: { readonly foreign?: boolean } = {},
): YamlTree {
  if (bytes.length > yamlLimits.bytes) throw svcError('SVC-VAL-002', { limit: yamlLimits.bytes, file });
  const decoded = decodeText(bytes);
  if ('rule' in decoded) throw svcError('SVC-VAL-001', { file, path: '', rule: decoded.rule });
  const { text } = decoded;
  const lines = new LineCounter();
  const fail = (path: string, broken: Rule) => svcError('SVC-VAL-001', { file, path, rule: broken });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `line ${line}, column ${col}`;
  };
  const document = composeYaml(
    text,
    lines,
    ({ offset, mistake, rule: problem }) => {
      const params = { file, path: offset === undefined ? '' : at(offset), rule: quote(mistake ?? problem) };
      return svcError('SVC-VAL-001', params, mistake === undefined ? {} : { detail: problem });
    },
    { foreign },
  );
  const { yaml } = document.directives;
  if (yaml.explicit && yaml.version !== '1.2')
    throw fail('', rule(['must be YAML 1.2', fr`doit être du YAML 1.2`]));

  return { text, document, lines };
}
