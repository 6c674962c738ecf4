import { isSingular } from '../../src/text/amount.ts';
import { fr, type Language, type Sentence, say } from '../../src/text/language.ts';

/** Nouns that reports count, in the singular and the plural. */
const nouns = {
  blob: [
    ['blob', fr`blob`],
    ['blobs', fr`blobs`],
  ],
  entry: [
    ['entry', fr`entrée`],
    ['entries', fr`entrées`],
  ],
  file: [
    ['file', fr`fichier`],
    ['files', fr`fichiers`],
  ],
  ingredient: [
    ['ingredient', fr`ingrédient`],
    ['ingredients', fr`ingrédients`],
  ],
  item: [
    ['item', fr`élément`],
    ['items', fr`éléments`],
  ],
  line: [
    ['line', fr`ligne`],
    ['lines', fr`lignes`],
  ],
  manifest: [
    ['manifest', fr`manifeste`],
    ['manifests', fr`manifestes`],
  ],
  'more-line': [
    ['more line', fr`autre ligne`],
    ['more lines', fr`autres lignes`],
  ],
  recipe: [
    ['recipe', fr`recette`],
    ['recipes', fr`recettes`],
  ],
  segment: [
    ['segment', fr`segment`],
    ['segments', fr`segments`],
  ],
  signature: [
    ['signature', fr`signature`],
    ['signatures', fr`signatures`],
  ],
  tag: [
    ['tag', fr`étiquette`],
    ['tags', fr`étiquettes`],
  ],
} as const satisfies Readonly<Record<string, readonly [one: Sentence, many: Sentence]>>;

/** Renders a number with its noun: `1 recipe`, `2 recipes`. */
export function count(number: number, noun: keyof typeof nouns, language: Language): string {
  const [one, many] = nouns[noun];
  return `${number} ${say(isSingular(number, language) ? one : many, language)}`;
}

/** Renders the number of entries that no form of a report lists: `and 3 more`. */
export function renderUnlisted(number: number, language: Language): string {
  return say([`and ${number} more`, fr`et ${number} de plus`], language);
}

/** Renders the number of lines that a report omits: `and 3 more: see --output json`. */
export function renderOmitted(number: number, language: Language): string {
  return say(
    [`and ${number} more: see --output json`, fr`et ${number} de plus : voir --output json`],
    language,
  );
}
