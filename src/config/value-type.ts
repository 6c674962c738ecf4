import { resolve } from 'node:path';
import { formatDuration, parseDuration } from '../base/duration.ts';
import { formatByteRate, parseByteRate } from '../base/link/byte-rate.ts';
import { selectNearest } from '../base/nearest.ts';
import { fr, type Sentence } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { parseByteSize, suggestSize } from '../text/size.ts';

/** A problem of one value; `path` is relative to the key (`[2].name`). The value itself is never repeated. */
interface ValueProblem {
  readonly path: string;
  readonly rule: Rule;
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
const bad = (broken: Rule, path = ''): Parsed => ({ problems: [{ path, rule: broken }] });

/** The rule of a text that is too long. */
export const atMostCharacters = (n: number): Rule =>
  rule(['must be at most {n} characters', fr`doit avoir au plus {n} caractères`], { n });

/** The rule of a value that is empty. */
export const notEmpty = rule(['must not be empty', fr`ne doit pas être vide`]);

const same = (value: unknown): unknown => value;

const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;

/** A value with its article, by the name of its type. */
const valueNames = {
  string: ['a string', fr`un texte`],
  path: ['a path', fr`un chemin`],
  'repository path': ['a repository path', fr`un chemin de dépôt`],
  'path in the store': ['a path in the store', fr`un chemin dans le stockage`],
  'path, https URL or oci:// reference': [
    'a path, https URL or oci:// reference',
    fr`un chemin, une URL https ou une référence oci://`,
  ],
  'host:port': ['a host:port', fr`un hôte:port`],
  host: ['a host', fr`un hôte`],
  URL: ['a URL', fr`une URL`],
  'time zone': ['a time zone', fr`un fuseau horaire`],
  'PEM text': ['a PEM text', fr`un texte PEM`],
  secret: ['a secret', fr`un secret`],
  bool: ['a bool', fr`un booléen`],
  int: ['an int', fr`un nombre entier`],
  duration: ['a duration', fr`une durée`],
  size: ['a size', fr`une taille`],
  'bytes a second': ['a bytes a second', fr`un nombre d’octets par seconde`],
} as const satisfies Readonly<Record<string, Sentence>>;

type Label = keyof typeof valueNames;

/** A type whose document form is the text form; `kinds` are the YAML scalars that may be used for the text. */
function scalar(
  label: Label,
  kinds: readonly ('string' | 'number' | 'boolean')[],
  parseText: (text: string, folder: string) => Parsed,
  { json, input = json }: { readonly json: JsonSchema; readonly input?: JsonSchema },
  format: (value: unknown) => unknown = same,
): ValueType {
  const kind = rule(valueNames[label]);
  return {
    label,
    parseText,
    parseNode: (node, folder) => {
      if (typeof node === 'string') return parseText(node, folder);
      if (typeof node === 'number' || typeof node === 'boolean') {
        if (kinds.includes(typeof node as 'number' | 'boolean')) return parseText(String(node), folder);
        return bad(
          rule(['must be {kind}; quote it', fr`doit être {kind} ; mettez la valeur entre guillemets`], {
            kind,
          }),
        );
      }
      return bad(rule(['must be {kind}', fr`doit être {kind}`], { kind }));
    },
    format,
    json,
    input,
  };
}

const anyText: JsonSchema = { type: 'string' };
const line: JsonSchema = { type: 'string', maxLength: 4096 };

/** The problem of a text that is not a line without control characters, if it is none. */
function checkLine(value: string): Parsed | undefined {
  if (controlCharacters.test(value))
    return bad(
      rule(['must not contain control characters', fr`ne doit pas contenir de caractères de contrôle`]),
    );
  return value.length > 4096 ? bad(atMostCharacters(4096)) : undefined;
}

/** A line of text without control characters. */
export function text(label: Label = 'string'): ValueType {
  return scalar(label, ['string'], (value) => checkLine(value) ?? ok(value), { json: anyText, input: line });
}

/** A local path. A relative one counts from the working directory in a flag or a variable, from the file in a document. */
export const path: ValueType = scalar(
  'path',
  ['string'],
  (value, folder) => checkLine(value) ?? ok(resolve(folder, value)),
  { json: anyText, input: line },
);

/** A PEM text of several lines. */
export const pem: ValueType = scalar(
  'PEM text',
  ['string'],
  (value) =>
    value.length > 1 << 20 ? bad(rule(['must be at most 1 MiB', fr`doit faire au plus 1 Mio`])) : ok(value),
  { json: anyText, input: { type: 'string', maxLength: 1 << 20 } },
  (value) => (/PRIVATE KEY/.test(String(value)) ? 'REDACTED' : value),
);

export const secret: ValueType = scalar(
  'secret',
  ['string'],
  (value) =>
    /[\r\n\u0000]/.test(value)
      ? bad(rule(['must be one line', fr`doit tenir sur une ligne`]))
      : value.length > 4096
        ? bad(atMostCharacters(4096))
        : ok(value),
  { json: { enum: ['', 'REDACTED'] }, input: line },
  (value) => (value === undefined || value === '' ? '' : 'REDACTED'),
);

/** A text that may contain a URL: all parts of the URL except scheme, host and path are left out of the dump. */
export function url(label: Label): ValueType {
  return { ...text(label), format: (value) => redactUrl(String(value)) };
}

function redactUrl(value: string): string {
  return value
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1REDACTED@')
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^?#]*)[?#].*$/i, '$1?REDACTED');
}

export function oneOf(values: readonly string[]): ValueType {
  const label = values.map((value) => `\`${value}\``).join(', ');
  const broken = (nearest?: string): Parsed =>
    bad(
      rule(
        [
          'must be one of {values}[; did you mean {nearest}?]',
          fr`doit être l’un de : {values}[ ; vouliez-vous dire {nearest} ?]`,
        ],
        { values: values.join(', '), nearest },
      ),
    );
  return {
    label,
    parseText: (value) => (values.includes(value) ? ok(value) : broken(selectNearest(value, values))),
    parseNode: (node) => (typeof node === 'string' && values.includes(node) ? ok(node) : broken()),
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
    return bad(rule(['must be true, 1, false or 0', fr`doit être true, 1, false ou 0`]));
  },
  { json: { type: 'boolean' }, input: { enum: [true, false, 1, 0, 'true', 'false', '1', '0'] } },
);

export const integer: ValueType = scalar(
  'int',
  ['number'],
  (value) => {
    const number = /^-?[0-9]{1,15}$/.test(value.trim()) ? Number(value) : Number.NaN;
    return Number.isSafeInteger(number)
      ? ok(number)
      : bad(rule(['must be a whole number', fr`doit être un nombre entier`]));
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
      ? bad(
          rule([
            'must be a duration with its unit, such as 30s, 15m or 1h30m',
            fr`doit être une durée avec son unité, par exemple 30s, 15m ou 1h30m`,
          ]),
        )
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

/** The value and its plain form, where a size is written as in French. */
function toHint(given: string): Readonly<Record<string, string>> {
  const plain = suggestSize(given);
  return plain === undefined ? {} : { given, plain };
}

/** A size in bytes. */
export const size: ValueType = scalar(
  'size',
  ['number'],
  (value) => {
    const bytes = parseByteSize(value);
    return bytes === undefined
      ? bad(
          rule(
            [
              'must be a size such as 64MiB or 512kB, or a number of bytes[; {given} is written {plain}]',
              fr`doit être une taille, par exemple 64MiB ou 512kB, ou un nombre d’octets[ ; {given} s’écrit {plain}]`,
            ],
            toHint(value),
          ),
        )
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
      if (node === null)
        return bad(
          rule([
            'must be a list: write [] for an empty one, or remove the key',
            fr`doit être une liste : écrivez [] pour une liste vide, ou retirez la clé`,
          ]),
        );
      if (!Array.isArray(node)) return bad(rule(['must be a list', fr`doit être une liste`]));
      if (node.length > 10_000)
        return bad(rule(['must have at most {n} items', fr`doit avoir au plus {n} éléments`], { n: 10_000 }));
      return collect(
        node.map((entry) => (entry === null || entry === '' ? bad(notEmpty) : item.parseNode(entry, folder))),
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
      if (!isRecord(node)) return bad(rule(['must be a map', fr`doit être un objet`]));
      const problems: ValueProblem[] = [];
      const entries: [string, unknown][] = [];
      for (const [name, entry] of Object.entries(node)) {
        const parsed = entry === null || entry === '' ? bad(notEmpty) : value.parseNode(entry, folder);
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
      if (!isRecord(node))
        return bad(
          rule(['must be a map with {fields}', fr`doit être un objet avec {fields}`], {
            fields: fields.map(({ name }) => name).join(', '),
          }),
        );
      const problems: ValueProblem[] = [];
      const value: Record<string, unknown> = {};
      for (const name of Object.keys(node)) {
        if (fields.some((field) => field.name === name)) continue;
        problems.push({
          path: `.${name}`,
          rule: toUnknownRule(
            selectNearest(
              name,
              fields.map((field) => field.name),
            ),
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
          problems.push({ path: `.${field.name}`, rule: rule(['is required', fr`est requis`]) });
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

/** Returns the rule that an unknown key breaks. @param nearest a known name as a suggestion */
export function toUnknownRule(nearest: string | undefined): Rule {
  return rule(
    [
      'is not a setting[; did you mean {nearest}?]',
      fr`n’est pas un réglage[ ; vouliez-vous dire {nearest} ?]`,
    ],
    { nearest },
  );
}

export function isRecord(node: unknown): node is Record<string, unknown> {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}
