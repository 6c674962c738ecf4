import { flags } from './flags.ts';
import { numbers } from './numbers.ts';
import { structures } from './structures.ts';
import { texts } from './texts.ts';
import { times } from './times.ts';

const terms: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...numbers, ...times, ...flags, ...texts, ...structures }),
);

/** The sentence that explains a member by its name; undefined for one whose schema explains itself. */
export function explain(name: string): string | undefined {
  return terms.get(name);
}
