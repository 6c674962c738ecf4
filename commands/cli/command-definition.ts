import { fr, type Sentence } from '../../src/text/language.ts';

/** Kinds of names that completion looks up in the local store. */
export type StoredName = 'recipe' | 'repository';
type Completion = 'file' | 'folder' | StoredName;

interface Shape {
  /** In help pages. */
  readonly placeholder: Sentence;
  readonly completion?: Completion;
}

/** The values that are no words of a list. */
const shapes = {
  address: { placeholder: ['<host:port>', fr`<hôte:port>`] },
  cookbook: { placeholder: ['<registry/path>', fr`<registre/chemin>`] },
  duration: { placeholder: ['<duration>', fr`<durée>`] },
  file: { placeholder: ['<path>', fr`<chemin>`], completion: 'file' },
  fingerprint: { placeholder: ['<fingerprint>', fr`<empreinte>`] },
  folder: { placeholder: ['<dir>', fr`<dossier>`], completion: 'folder' },
  host: { placeholder: ['<host>', fr`<hôte>`] },
  name: { placeholder: ['<name>', fr`<nom>`] },
  number: { placeholder: ['<number>', fr`<nombre>`] },
  path: { placeholder: ['<path>', fr`<chemin>`] },
  platform: { placeholder: ['<platform>', fr`<plateforme>`] },
  publishedRecipe: { placeholder: ['<name[@version]>', fr`<nom[@version]>`] },
  recipe: { placeholder: ['<name[@version]>', fr`<nom[@version]>`], completion: 'recipe' },
  repository: { placeholder: ['<repository>', fr`<dépôt>`], completion: 'repository' },
  source: { placeholder: ['<source>', fr`<source>`], completion: 'file' },
  text: { placeholder: ['<text>', fr`<texte>`] },
  url: { placeholder: ['<url>', fr`<url>`] },
  value: { placeholder: ['<value>', fr`<valeur>`] },
} as const satisfies Readonly<Record<string, Shape>>;

/** The values of a flag or an argument: a fixed list of words, or a shape. */
export type Values = readonly string[] | keyof typeof shapes;

/** A flag of a command. */
export interface FlagDefinition {
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly help: Sentence;
  readonly values: Values;
}

/** A positional argument of a command. */
export interface ArgumentDefinition {
  readonly name: Sentence;
  readonly values: Values;
  readonly required: boolean;
  /** Whether it takes one or more arguments. */
  readonly repeated: boolean;
}

/** Most characters of a list of words in a help page. A wrong word is answered with the whole list. */
const longestWords = 80;

/** Returns the placeholder of a value: `<path>`, or the words of a list. */
export function toPlaceholder(values: Values): Sentence {
  if (typeof values === 'string') return shapes[values].placeholder;
  const words = values.join('|');
  return words.length > longestWords ? shapes.name.placeholder : [words, fr`${words}`];
}

/** Returns the completion of a value: a list of words, files, folders or names of the local store; undefined: none. */
export function toCompletion(values: Values): readonly string[] | Completion | undefined {
  if (typeof values !== 'string') return values;
  const shape: Shape = shapes[values];
  return shape.completion;
}

/** The texts of the help page of a command, besides its summary and its flags. */
export interface CommandHelp {
  /** Paragraphs after the usage. */
  readonly details: readonly Sentence[];
  /** Command lines with their titles. */
  readonly examples: readonly (readonly [title: Sentence, line: string])[];
}

/** A command as help pages, completion and manual describe it. */
export interface CommandDefinition extends CommandHelp {
  readonly path: readonly string[];
  readonly summary: Sentence;
  readonly flags: readonly FlagDefinition[];
  readonly arguments: readonly ArgumentDefinition[];
}
