import { Option } from 'clipanion';
import { parseDuration, suggestDuration } from '../../src/base/duration.ts';
import { selectNearest } from '../../src/base/nearest.ts';
import { checkText } from '../../src/contract/check-value.ts';
import type { Field } from '../../src/contract/operation.ts';
import type { Schema, TypeOf } from '../../src/contract/schema.ts';
import { fr, type Sentence } from '../../src/text/language.ts';
import type { ArgumentDefinition, FlagDefinition, Values } from './command-definition.ts';
import { CommandLineError } from './command-line-error.ts';
import { toRuleSentence } from './sentence-error.ts';

const flagDefinition = Symbol('flag');
const argumentDefinition = Symbol('argument');

/** A property of a command class before clipanion replaces it with a value. */
interface Declared {
  readonly [flagDefinition]?: FlagDefinition;
  readonly [argumentDefinition]?: ArgumentDefinition;
  readonly transformer: (...args: readonly unknown[]) => unknown;
}

/** Returns the flag that a property of a new command declares. */
export function getFlag(property: unknown): FlagDefinition | undefined {
  return (property as Declared | undefined)?.[flagDefinition];
}

/** Returns the argument that a property of a new command declares. */
export function getArgument(property: unknown): ArgumentDefinition | undefined {
  return (property as Declared | undefined)?.[argumentDefinition];
}

/** Adds a definition to an option of clipanion, and the function that reads its value. */
function declare<T>(
  option: unknown,
  definition: Pick<Declared, typeof flagDefinition | typeof argumentDefinition>,
  read: (value: never) => unknown = (value) => value,
): T {
  const { transformer, ...others } = option as Declared;
  const declared: Declared = {
    ...others,
    ...definition,
    transformer: (...args) => {
      const value = transformer(...args);
      return value === undefined ? undefined : read(value as never);
    },
  };
  // clipanion replaces the declaration with the value, of this type
  return declared as T;
}

const toFlag = (names: string, help: Sentence, values: Values, takesValue = true) => ({
  [flagDefinition]: { names: names.split(','), takesValue, help, values },
});

/** Words that are listed all to somebody who mistyped one. */
const mostListed = 12;

/** Reads a word of a list, in any case. @throws CommandLineError */
function readChoice<V extends string>(name: string, words: readonly V[], given: string): V {
  const found = words.find((word) => word.toLowerCase() === given.toLowerCase());
  if (found !== undefined) return found;
  const known = words.join(', ');
  if (words.length === 1)
    throw new CommandLineError([`${name} takes only ${known}`, fr`${name} n’accepte que ${known}`]);
  const nearest = words.length > mostListed ? selectNearest(given, words) : undefined;
  if (nearest !== undefined)
    throw new CommandLineError([
      `${name} does not take '${given}'; did you mean ${nearest}?`,
      fr`${name} n’accepte pas « ${given} » ; vouliez-vous dire ${nearest} ?`,
    ]);
  throw new CommandLineError([`${name} takes one of ${known}`, fr`${name} prend une valeur parmi ${known}`]);
}

/** The flags of commands, each as the value of a property of the class. */
export const flag = {
  /** A text; undefined when absent. */
  text: (name: string, help: Sentence, values: Values = 'value'): string | undefined =>
    declare(Option.String(name), toFlag(name, help, values)),

  /** Each text of a repeatable flag. */
  each: (name: string, help: Sentence, values: Values = 'value'): string[] =>
    declare(Option.Array(name, []), toFlag(name, help, values)),

  /** Whether the flag is given. */
  present: (name: string, help: Sentence): boolean =>
    declare(Option.Boolean(name, false), toFlag(name, help, 'value', false)),

  /** A text, or true for the flag without a value; a value follows `=` only. */
  optional: (name: string, help: Sentence, values: Values = 'value'): string | boolean | undefined =>
    declare(Option.String(name, { tolerateBoolean: true }), toFlag(name, help, values, false)),

  /** A word of a list, in any case. */
  choice: <const V extends string>(name: string, words: readonly V[], help: Sentence): V | undefined =>
    declare(Option.String(name), toFlag(name, help, words), (given: string) =>
      readChoice(name, words, given),
    ),

  /** Each word of a repeatable flag, in any case. */
  choices: <const V extends string>(name: string, words: readonly V[], help: Sentence): readonly V[] =>
    declare(Option.Array(name, []), toFlag(name, help, words), (given: readonly string[]) =>
      given.map((word) => readChoice(name, words, word)),
    ),

  /** A whole number from 1 on. @param most the largest; default: no limit */
  count: (name: string, help: Sentence, most = Number.MAX_SAFE_INTEGER): number | undefined =>
    declare(Option.String(name), toFlag(name, help, 'number'), (given: string) => {
      const number = /^[0-9]{1,15}$/.test(given) ? Number(given) : 0;
      if (number >= 1 && number <= most) return number;
      const range = most === Number.MAX_SAFE_INTEGER ? '≥ 1' : `1 … ${most}`;
      throw new CommandLineError([
        `${name} must be a whole number (${range})`,
        fr`${name} doit être un nombre entier (${range})`,
      ]);
    }),

  /** A duration, as a number of milliseconds. */
  duration: (name: string, help: Sentence): number | undefined =>
    declare(Option.String(name), toFlag(name, help, 'duration'), (given: string) => {
      const milliseconds = parseDuration(given);
      if (milliseconds !== undefined && milliseconds > 0 && milliseconds < 2 ** 31) return milliseconds;
      const plain = suggestDuration(given);
      throw new CommandLineError([
        `${name} must be a duration greater than 0, such as 30s or 15m${plain === undefined ? '' : `: ${given} is written ${plain}`}`,
        fr`${name} doit être une durée supérieure à 0, par exemple 30s ou 15m${plain === undefined ? '' : fr` : ${given} s’écrit ${plain}`}`,
      ]);
    }),
} as const;

const toArgument = (name: Sentence, values: Values, required = true, repeated = false) => ({
  [argumentDefinition]: { name, values, required, repeated },
});

/**
 * A flag made of a query parameter of the API: words, values and limits come from the record of the operation.
 *
 * @param shape of a text
 */
export function flagOf<S extends Schema>(
  name: string,
  { schema, help }: Pick<Field<S, Sentence>, 'schema' | 'help'>,
  shape: Values = 'text',
): TypeOf<S> | undefined {
  const { type, items, maximum } = schema;
  const words = (items ?? schema).enum as readonly string[] | undefined;
  const made =
    words !== undefined
      ? flag[type === 'array' ? 'choices' : 'choice'](name, words, help)
      : type === 'integer'
        ? flag.count(name, help, maximum)
        : declare(Option.String(name), toFlag(name, help, shape), (given: string) => {
            const broken = checkText(given, schema);
            if (broken === undefined) return given;
            const [english, french] = toRuleSentence(broken);
            throw new CommandLineError([`${name} ${english}`, fr`${name} ${french}`]);
          });
  return made as TypeOf<S> | undefined;
}

/** The positional arguments of commands, in their order, each as the value of a property of the class. */
export const argument = {
  text: (name: Sentence, values: Values = 'value'): string =>
    declare(Option.String({ name: name[0], required: true }), toArgument(name, values)),

  optional: (name: Sentence, values: Values = 'value'): string | undefined =>
    declare(Option.String({ name: name[0], required: false }), toArgument(name, values, false)),

  /** Any number, also none. */
  any: (name: Sentence, values: Values = 'value'): string[] =>
    declare(Option.Rest({ name: name[0] }), toArgument(name, values, false, true)),

  /** One or more. */
  each: (name: Sentence, values: Values = 'value'): string[] =>
    declare(Option.Rest({ name: name[0], required: 1 }), toArgument(name, values, true, true)),

  /** A word of a list, in any case. */
  choice: <const V extends string>(name: Sentence, words: readonly V[]): V =>
    declare(Option.String({ name: name[0], required: true }), toArgument(name, words), (given: string) =>
      readChoice(name[0], words, given),
    ),
} as const;
