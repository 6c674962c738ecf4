import { Pacer } from '../base/pacer.ts';
import type { RecipeRecord } from '../catalog/model.ts';
import type { ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'store' | 'gate'>;

/** The content that recipes brought into a repository, with the times of their runs (RFC 3339 UTC). */
export interface Arrivals {
  last: string;
  /** Tags and times in turns: an object for each would take several times the memory. */
  readonly tags: string[];
}

/** By repository. */
export type Landed = ReadonlyMap<string, Arrivals>;

const known = new WeakMap<readonly RecipeRecord[], Promise<Landed>>();

async function collect(records: readonly RecipeRecord[], wanted?: ReadonlySet<string>): Promise<Landed> {
  const pacer = new Pacer();
  const found = new Map<string, Arrivals>();
  const note = ({ repository, tag }: Pick<RecipeRecord, 'repository' | 'tag'>, at: string): void => {
    if (wanted?.has(repository) === false) return;
    const before = found.get(repository);
    if (before === undefined) found.set(repository, { last: at, tags: [tag, at] });
    else {
      if (before.last < at) before.last = at;
      before.tags.push(tag, at);
    }
  };
  for (const record of records) {
    if (pacer.isDue()) await pacer.rest();
    note(record, record.resolvedAt);
    for (const ingredient of record.ingredients) note(ingredient, record.resolvedAt);
  }
  return found;
}

/** The content that recipes brought into the whole store; collected once for the same records. */
export function allLanded({ store }: Pick<Parts, 'store'>): Promise<Landed> {
  const records = store.index.recipes();
  const before = known.get(records);
  if (before !== undefined) return before;
  const found = collect(records);
  known.set(records, found);
  return found;
}

/** The content that recipes brought into these repositories; of a guarded medium, recipes that passed. */
export function landedOf({ store, gate }: Parts, repositories: readonly string[]): Promise<Landed> {
  if (!gate.guarded) return allLanded({ store });
  const passed = store.index.recipes().filter(({ repository, tag }) => gate.allowsTag(repository, tag));
  return collect(passed, new Set(repositories));
}

/** The times of the tags of a repository, each of the last run that brought it. */
export function timesOfTags({ tags }: Arrivals): ReadonlyMap<string, string> {
  const times = new Map<string, string>();
  for (let i = 0; i < tags.length; i += 2) {
    const [tag, at] = [tags[i]!, tags[i + 1]!];
    const before = times.get(tag);
    if (before === undefined || before < at) times.set(tag, at);
  }
  return times;
}
