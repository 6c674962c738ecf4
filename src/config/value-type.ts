import { resolve } from 'node:path';
import { formatDuration, parseDuration } from '../base/duration.ts';
import { formatByteRate, parseByteRate } from '../base/link/byte-rate.ts';
import { selectNearest } from '../base/nearest.ts';
import { parseByteSize } from '../text/size.ts';

/** A problem of one value; `path` is relative to the key (`[2].name`). The value itself is never repeated. */
interface ValueProblem {
  readonly path: string;
  readonly rule: string;
}

export interface Parsed {
  /** Absent when the value counts as unset, or has problems. */
  readonly value?: unknown;
  readonly problems: readonly ValueProblem[];
}

/** Format of values of one type in a flag or a variable, in the document and in the dump. */
export interface ValueType {
  /** Name in the table of the documentation. */
  readonly label: string;
  /** Absent when the type has no one-line form. Relative paths are resolved against `folder`. */
  readonly parseText?: (text: string, folder: string) => Parsed;
  /**
   * Reads a value of the document; `null` and `''` were already handled as unset, except with `keepsEmpty`. Relative
   * paths are resolved against `folder`.
   */
  readonly parseNode: (node: unknown, folder: string) => Parsed;
  readonly keepsEmpty?: boolean;
  /** Returns the value in the form of the document. */
  readonly format: (value: unknown) => unknown;
  /** JSON Schema of the dumped value. */
  readonly json: JsonSchema;
  /** JSON Schema of a value of the document, for editors. */
  readonly input: JsonSchema;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

const ok = (value: unknown): Parsed => ({ value, problems: [] });
const bad = (rule: string, path = ''): Parsed => ({ problems: [{ path, rule }] });
const same = (value: unknown): unknown => value;

const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;

/** A type whose document form is the text form; `kinds` are the YAML scalars that may be used for the text. */
function scalar(
  label: string,
  kinds: readonly ('string' | 'number' | 'boolean')[],
  parseText: (text: string, folder: string) => Parsed,
  { json, input = json }: { readonly json: JsonSchema; readonly input?: JsonSchema },
  format: (value: unknown) => unknown = same,
): ValueType {
  return {
    label,
    parseText,
    parseNode: (node, folder) => {
      if (typeof node === 'string') return parseText(node, folder);
      if (typeof node === 'number' || typeof node === 'boolean') {
        if (kinds.includes(typeof node as 'number' | 'boolean')) return parseText(String(node), folder);
        return bad(`must be ${article(label)}; quote it`);
      }
      return bad(`must be ${article(label)}`);
    },
    format,
    json,
    input,
  };
}

const anyText: JsonSchema = { type: 'string' };
const line: JsonSchema = { type: 'string', maxLength: 4096 };

function article(label: string): string {
  return /^[aeiou]/i.test(label) && !/^(URL|one)/.test(label) ? `an ${label}` : `a ${label}`;
}

/** A line of text without control characters. */
export function text(label = 'string'): ValueType {
  return scalar(
    label,
    ['string'],
    (value) =>
      controlCharacters.test(value)
        ? bad('must not contain control characters')
        : value.length > 4096
          ? bad('must be at most 4096 characters')
          : ok(value),
    { json: anyText, input: line },
  );
}

/** A local path. A relative one counts from the working directory in a flag or a variable, from the file in a document. */
export const path: ValueType = scalar(
  'path',
  ['string'],
  (value, folder) => {
    if (controlCharacters.test(value)) return bad('must not contain control characters');
    if (value.length > 4096) return bad('must be at most 4096 characters');
    return ok(resolve(folder, value));
  },
  { json: anyText, input: line },
);

/** A PEM text of several lines. */
export const pem: ValueType = scalar(
  'PEM text',
  ['string'],
  (value) => (value.length > 1 << 20 ? bad('must be at most 1 MiB') : ok(value)),
  { json: anyText, input: { type: 'string', maxLength: 1 << 20 } },
  (value) => (/PRIVATE KEY/.test(String(value)) ? 'REDACTED' : value),
);

export const secret: ValueType = scalar(
  'secret',
  ['string'],
  (value) =>
    /[\r\n\u0000]/.test(value)
      ? bad('must be one line')
      : value.length > 4096
        ? bad('must be at most 4096 characters')
        : ok(value),
  { json: { enum: ['', 'REDACTED'] }, input: line },
  (value) => (value === undefined || value === '' ? '' : 'REDACTED'),
);

/** A text that may contain a URL: all parts of the URL except scheme, host and path are left out of the dump. */
export function url(label: string): ValueType {
  return { ...text(label), format: (value) => redactUrl(String(value)) };
}

function redactUrl(value: string): string {
  return value
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1REDACTED@')
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^?#]*)[?#].*$/i, '$1?REDACTED');
}

export function oneOf(values: readonly string[]): ValueType {
  const label = values.map((value) => `\`${value}\``).join(', ');
  const rule = `must be one of ${values.join(', ')}`;
  return {
    label,
    parseText: (value) => {
      if (values.includes(value)) return ok(value);
      const nearest = selectNearest(value, values);
      return bad(nearest === undefined ? rule : `${rule}; did you mean ${nearest}?`);
    },
    parseNode: (node) => (typeof node === 'string' && values.includes(node) ? ok(node) : bad(rule)),
    format: same,
    json: { enum: values },
    input: { enum: values },
  };
}

export const boolean: ValueType = scalar(
  'bool',
  ['boolean', 'number'],
  (value) => {
    if (value === 'true' || value === '1') return ok(true);
    if (value === 'false' || value === '0') return ok(false);
    return bad('must be true, 1, false or 0');
  },
  { json: { type: 'boolean' }, input: { enum: [true, false, 1, 0, 'true', 'false', '1', '0'] } },
);

export const integer: ValueType = scalar(
  'int',
  ['number'],
  (value) => {
    const number = /^-?[0-9]{1,15}$/.test(value.trim()) ? Number(value) : Number.NaN;
    return Number.isSafeInteger(number) ? ok(number) : bad('must be a whole number');
  },
  { json: { type: 'integer' }, input: { type: ['integer', 'string'], pattern: '^\\s*-?[0-9]{1,15}\\s*$' } },
);

/** A duration in milliseconds. */
export const duration: ValueType = scalar(
  'duration',
  ['number'],
  (value) => {
    const milliseconds = parseDuration(value);
    return milliseconds === undefined
      ? bad('must be a duration with its unit, such as 30s, 15m or 1h30m')
      : ok(milliseconds);
  },
  {
    json: anyText,
    // a number without a unit is 0
    input: {
      type: ['string', 'integer'],
      pattern: '^\\s*(0|-?([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+)\\s*$',
      minimum: 0,
      maximum: 0,
    },
  },
  (value) => formatDuration(value as number),
);

/** A size in bytes. */
export const size: ValueType = scalar(
  'size',
  ['number'],
  (value) => {
    const bytes = parseByteSize(value);
    return bytes === undefined
      ? bad('must be a size such as 64MiB or 512kB, or a number of bytes')
      : ok(bytes);
  },
  {
    json: { type: ['string', 'integer'] },
    input: {
      type: ['string', 'integer'],
      pattern: '^\\s*[0-9]+(\\.[0-9]+)?\\s*([kKmMgGtT][iI]?)?[bB]?\\s*$',
      minimum: 0,
    },
  },
  (value) => formatExactSize(value as number),
);

/** A number of bytes a second; 0 for `unlimited`. */
export const byteRate: ValueType = scalar(
  'bytes a second',
  ['number'],
  (value) => {
    const read = parseByteRate(value);
    return 'rule' in read ? bad(read.rule) : ok(read.bytesPerSecond);
  },
  {
    json: anyText,
    input: {
      type: ['string', 'integer'],
      pattern:
        '^\\s*([0-9]+(\\.[0-9]+)?\\s*([kKmMgGtT][iI]?)?[bB]?(/[sS])?|[uU][nN][lL][iI][mM][iI][tT][eE][dD])\\s*$',
      minimum: 1024,
    },
  },
  (value) => formatByteRate(value as number),
);

/** Formats a whole number of the largest binary unit that divides it, so that the dump can be read back unchanged. */
function formatExactSize(bytes: number): string | number {
  for (const [unit, length] of [
    ['TiB', 2 ** 40],
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (bytes >= length && bytes % length === 0) return `${bytes / length}${unit}`;
  }
  return bytes;
}

/** A list; on one line, commas separate its items. An explicit empty list is not the same as an unset one. */
export function listOf(item: ValueType, label = `list of ${item.label}s`): ValueType {
  const parseItem = item.parseText;
  const collect = (parts: readonly Parsed[]): Parsed => {
    const problems = parts.flatMap((part, index) =>
      part.problems.map(({ path: below, rule }) => ({ path: `[${index}]${below}`, rule })),
    );
    return problems.length > 0 ? { problems } : ok(parts.map((part) => part.value));
  };
  return {
    label,
    keepsEmpty: true,
    ...(parseItem === undefined
      ? {}
      : {
          parseText: (value: string, folder: string) =>
            collect(
              value
                .split(',')
                .map((part) => part.trim())
                .filter((part) => part !== '')
                .map((part) => parseItem(part, folder)),
            ),
        }),
    parseNode: (node, folder) => {
      if (node === null) return bad('must be a list: write [] for an empty one, or remove the key');
      if (!Array.isArray(node)) return bad('must be a list');
      if (node.length > 10_000) return bad('must have at most 10000 items');
      return collect(
        node.map((entry) =>
          entry === null || entry === '' ? bad('must not be empty') : item.parseNode(entry, folder),
        ),
      );
    },
    format: (value) => (value as unknown[]).map((entry) => item.format(entry)),
    json: { type: 'array', items: item.json },
    input: { type: 'array', items: item.input, maxItems: 10_000 },
  };
}

/** A map from names to texts. */
export function mapOf(label: string): ValueType {
  const value = text();
  return {
    label,
    parseNode: (node, folder) => {
      if (!isRecord(node)) return bad('must be a map');
      const problems: ValueProblem[] = [];
      const entries: [string, unknown][] = [];
      for (const [name, entry] of Object.entries(node)) {
        const parsed =
          entry === null || entry === '' ? bad('must not be empty') : value.parseNode(entry, folder);
        problems.push(...parsed.problems.map(({ rule }) => ({ path: `["${name}"]`, rule })));
        entries.push([name, parsed.value]);
      }
      return problems.length > 0 ? { problems } : ok(Object.fromEntries(entries));
    },
    format: same,
    json: { type: 'object', additionalProperties: anyText },
    input: { type: 'object', additionalProperties: line },
  };
}

export interface FieldEntry {
  readonly name: string;
  readonly type: ValueType;
  readonly doc: string;
  readonly required?: boolean;
  readonly default?: unknown;
}

/** A structured item with named members; unknown members are refused. */
export function objectOf(fields: readonly FieldEntry[]): ValueType {
  return {
    label: 'item',
    parseNode: (node, folder) => {
      if (!isRecord(node)) return bad(`must be a map with ${fields.map(({ name }) => name).join(', ')}`);
      const problems: ValueProblem[] = [];
      const value: Record<string, unknown> = {};
      for (const name of Object.keys(node)) {
        if (fields.some((field) => field.name === name)) continue;
        problems.push({
          path: `.${name}`,
          rule: unknownKey(
            name,
            fields.map((field) => field.name),
          ),
        });
      }
      for (const field of fields) {
        const given = node[field.name];
        const parsed = isUnset(given, field.type) ? ok(undefined) : field.type.parseNode(given, folder);
        problems.push(
          ...parsed.problems.map((problem) => ({ ...problem, path: `.${field.name}${problem.path}` })),
        );
        const present = parsed.value ?? field.default;
        if (present !== undefined) value[field.name] = present;
        else if (field.required && parsed.problems.length === 0) {
          problems.push({ path: `.${field.name}`, rule: 'is required' });
        }
      }
      return problems.length > 0 ? { problems } : ok(value);
    },
    format: (value) =>
      Object.fromEntries(
        fields
          .filter((field) => (value as Record<string, unknown>)[field.name] !== undefined)
          .map((field) => [field.name, field.type.format((value as Record<string, unknown>)[field.name])]),
      ),
    json: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field.name, field.type.json])),
      required: fields
        .filter((field) => field.required || field.default !== undefined)
        .map(({ name }) => name),
      additionalProperties: false,
    },
    input: {
      type: 'object',
      properties: Object.fromEntries(
        fields.map(({ name, type, doc }) => [name, { ...type.input, description: doc }]),
      ),
      required: fields.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    },
  };
}

/** Returns whether a node of the document leaves its key unset: no value, or an empty text. */
export function isUnset(node: unknown, type: ValueType): boolean {
  return node === undefined || ((node === null || node === '') && !type.keepsEmpty);
}

/** Returns the rule that an unknown key breaks, with the nearest known name as a suggestion. */
export function unknownKey(name: string, known: Iterable<string>): string {
  const nearest = selectNearest(name, known);
  return nearest === undefined ? 'is not a setting' : `is not a setting; did you mean ${nearest}?`;
}

export function isRecord(node: unknown): node is Record<string, unknown> {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}
