import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ofFilesets, ofReceipts, ofRecipes, ofTasks } from '../../../server/ui/pages/search/state-words.ts';
import { zoneRecipeStates } from '../../../src/contract/zone-board.ts';
import { dossier } from '../../../src/text/words/delivering/dossier.ts';
import { zones } from '../../../src/text/words/delivering/zones.ts';
import { nuanceWords, outcomeWords } from '../../../src/text/words/history.ts';
import type { Sentence } from '../../../src/text/words/words.ts';

const pages = join(import.meta.dirname, '../../../server/ui');

const isSentence = (value: unknown): value is Sentence =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

/** The text of a call from its name to its last parenthesis. */
function callAt(source: string, start: number): string {
  let depth = 0;
  for (let i = start; i < source.length; i += 1) {
    if (source[i] === '(') depth += 1;
    if (source[i] === ')' && --depth === 0) return source.slice(start, i + 1);
  }
  return '';
}

/** The modules of words that a page imports, by the name that it gives them. */
async function importedWords(file: string, source: string): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const [, names = '', from = ''] of source.matchAll(
    /import \{([^}]*)\} from '([^']*text\/words\/[^']*)'/g,
  )) {
    const words: Readonly<Record<string, unknown>> = await import(join(dirname(file), from));
    for (const each of names.split(',')) {
      const [name = '', as = name] = each.trim().split(' as ');
      found.set(as, words[name]);
    }
  }
  return found;
}

/** The words of the badges that the pages show, and of the tables that declare states: each with its place. */
export async function listShownStates(): Promise<
  readonly { readonly place: string; readonly words: Sentence }[]
> {
  const tables = {
    recipes: ofRecipes.words,
    tasks: ofTasks.words,
    receipts: ofReceipts.words,
    filesets: ofFilesets.words,
    deliveries: dossier.states,
    standings: zones.standings,
    zones: Object.fromEntries(zoneRecipeStates.map((state) => [state, zones[state]])),
    outcomes: outcomeWords,
    nuances: nuanceWords,
  };
  const found = Object.entries(tables).flatMap(([table, words]) =>
    Object.entries(words).map(([name, sentence]) => ({ place: `${table}.${name}`, words: sentence })),
  );
  for (const file of globSync(join(pages, '**/*.ts'))) {
    const source = readFileSync(file, 'utf8');
    const words = await importedWords(file, source);
    for (const { index } of source.matchAll(/\b(?:badge|stamp)\(/g))
      for (const [, table = '', name = ''] of callAt(source, index).matchAll(/\b([a-z]\w*)\.(\w+)\b/gi)) {
        const sentence = (words.get(table) as Readonly<Record<string, unknown>> | undefined)?.[name];
        if (isSentence(sentence))
          found.push({ place: `${file.slice(pages.length + 1)}: ${table}.${name}`, words: sentence });
      }
  }
  return found;
}
