import type { Digest } from '../../src/base/digest.ts';
import { showHistory } from '../../src/view/history.ts';
import type { ViewParts } from './parts.ts';

/** The last push of content under a digest. */
export interface Push {
  readonly actor: string;
  /** RFC 3339 UTC. */
  readonly at: string;
}

/** By an object that is another one after a tag of a recipe has changed: a search of the records reads files. */
const known = new WeakMap<object, Map<Digest, Promise<Push | undefined>>>();

/** Finds the push of a recipe in the kept audit records; undefined where none is kept. */
export function findPush(
  { instance, store }: Pick<ViewParts, 'instance' | 'store'>,
  digest: Digest,
): Promise<Push | undefined> {
  const mark = store.index.markOf('Recipe');
  const found = known.get(mark) ?? new Map<Digest, Promise<Push | undefined>>();
  known.set(mark, found);
  const before = found.get(digest);
  if (before !== undefined) return before;
  const push = readPush(instance, digest);
  found.set(digest, push);
  push.catch(() => found.delete(digest));
  return push;
}

async function readPush({ context }: ViewParts['instance'], digest: Digest): Promise<Push | undefined> {
  const query = { subject: digest, action: 'content.push', pageSize: 1 } as const;
  const [record] = (await showHistory(context.config, query)).records;
  return record && { actor: record.actor, at: record.ts };
}
