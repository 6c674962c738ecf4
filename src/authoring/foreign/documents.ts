import { isBareScalar, isYamlMap, readYaml, type YamlMap, type YamlValue } from '../../recipe/read-yaml.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

/** One document of a stream. */
export interface YamlDocument {
  readonly value: YamlMap;
  /** Line of its first line in the source, from 1. */
  readonly line: number;
}

/** Forms that Kubernetes, compose and their tools accept, beyond our own documents. */
const foreign = { duplicateKeys: 'last', scalarKeys: 'as-text' } as const;

/** Values of a document when each alias is replaced by its target: readers walk that many. */
const mostValues = 1_000_000;

/**
 * Reads one document of another program.
 *
 * @throws SVC-VAL-001, SVC-VAL-002 as `readYaml`; SVC-VAL-001 when its aliases stand for more than a million values
 */
export function readForeignYaml(text: string | Uint8Array, file: string): YamlValue {
  const value = readYaml(typeof text === 'string' ? Buffer.from(text) : text, file, foreign);
  if (countValues(value, new Map()) > mostValues)
    throw svcError('SVC-VAL-001', {
      file,
      rule: rule(
        [
          'its aliases stand for more than {mostValues} values',
          fr`ses alias représentent plus de {mostValues} valeurs`,
        ],
        { mostValues },
      ),
    });
  return value;
}

/**
 * Reads a document of helm, with its merge keys resolved. An empty one, or one of comments alone, is an empty map.
 *
 * @returns undefined when it is no map
 * @throws as `readForeignYaml`
 */
export function readHelmMap(bytes: Uint8Array, file: string): YamlMap | undefined {
  const value = resolveMerges(readForeignYaml(bytes, file));
  return isBareScalar(value) && value.bare === null ? new Map() : toMap(value);
}

/** Counts values, those behind an alias once for each alias, in time of the document as written. */
function countValues(value: YamlValue, known: Map<YamlValue, number>): number {
  if (typeof value === 'string' || isBareScalar(value)) return 1;
  const before = known.get(value);
  if (before !== undefined) return before;
  let count = 1;
  const children = isYamlMap(value) ? value.values() : (value as readonly YamlValue[]);
  for (const child of children) count += countValues(child, known);
  known.set(value, count);
  return count;
}

/**
 * Reads a stream of YAML documents, each within the limits of `readYaml`. Documents that are empty or not maps are
 * skipped.
 *
 * @param text any length; the caller limits it
 * @param isWanted returns false for the text of documents that need not be read
 * @throws SVC-VAL-001 with the line where the document begins, SVC-VAL-002
 */
export function* readForeignDocuments(
  text: string,
  file: string,
  isWanted: (text: string) => boolean = () => true,
): Generator<YamlDocument> {
  let line = 1;
  // a line that begins with --- stands between documents: inside a document the text would be indented
  for (const part of text.split(/^---(?=[ \t\r\n]|$)/m)) {
    const start = line;
    line += countLines(part);
    if (!hasContent(part) || !isWanted(part)) continue;
    const name = start === 1 ? file : `${file} (document at line ${start})`;
    const value = readForeignYaml(part.replace(/^\.\.\.[ \t]*\r?$/m, ''), name);
    if (isYamlMap(value)) yield { value, line: start };
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function hasContent(text: string): boolean {
  return text.split('\n').some((line) => !/^\s*(?:#.*)?$/.test(line));
}

/** Returns a scalar as text; a number as Go templates print it: `1.10` becomes `1.1`. */
export function toScalarText(value: YamlValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (!isBareScalar(value) || value.bare === null) return undefined;
  return typeof value.bare === 'number' ? String(value.bare) : value.source;
}

export function toMap(value: YamlValue | undefined): YamlMap | undefined {
  return isYamlMap(value) ? value : undefined;
}

/** Returns a value with the merge keys of all its maps resolved. */
export function resolveMerges(value: YamlValue): YamlValue {
  if (isYamlMap(value))
    return new Map([...withMerged(value)].map(([name, child]) => [name, resolveMerges(child)]));
  return Array.isArray(value) ? (value as readonly YamlValue[]).map(resolveMerges) : value;
}

/** Returns the members of a map, those of its merge keys (`<<`) included: its own members win. */
export function withMerged(map: YamlMap, depth = 0): YamlMap {
  const merge = map.get('<<');
  if (merge === undefined || depth > 16) return map;
  const parts = Array.isArray(merge) ? (merge as readonly YamlValue[]) : [merge];
  const merged = new Map<string, YamlValue>();
  for (const part of [...parts].reverse()) {
    const own = toMap(part);
    for (const [name, value] of own ? withMerged(own, depth + 1) : []) merged.set(name, value);
  }
  for (const [name, value] of map) if (name !== '<<') merged.set(name, value);
  return merged;
}
