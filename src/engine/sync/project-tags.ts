import type { StoreIndex, TagRecord } from '../../catalog/model.ts';
import { rePoint, toAliasTags, withOwner } from '../../catalog/re-point.ts';
import type { Owner } from '../../contract/content.ts';
import { toTagKey } from '../../store/judge-put.ts';
import type { OwnedTag } from './ownership.ts';

/** Tags as they are after a run, before its prune. */
export interface ProjectedTags {
  /** Tags that the run changes, by `<repository>:<tag>`. */
  readonly changed: ReadonlyMap<string, TagRecord>;
  /** Aliases that keep content for other owners where the run points their tag elsewhere. */
  readonly kept: readonly TagRecord[];
  /** Owners that the recipes of the run add to each tag. */
  readonly wanted: ReadonlyMap<string, readonly Owner[]>;
  /** Tags that get these names only in the order of the run: a recipe wants the alias that another tag's content would get. */
  readonly inOrder: ReadonlySet<string>;
}

/**
 * Projects the tag records of the store after the recipes of a run are complete, by the rule that the store
 * applies. After the run the projection equals the records.
 */
export function projectTags(
  owned: readonly OwnedTag[],
  index: Pick<StoreIndex, 'tag' | 'displacedFrom'>,
): ProjectedTags {
  const changed = new Map<string, TagRecord>();
  const kept = new Map<string, TagRecord>();
  const wanted = new Map<string, readonly Owner[]>();
  /** The alias tags that were tried, by the tag whose content needs one. */
  const tried = new Map<string, readonly string[]>();
  for (const { owner, ...place } of owned) {
    const { repository, tag, digest } = place;
    const key = toTagKey(place);
    wanted.set(key, withOwner(wanted.get(key) ?? [], owner));
    const tagAt = (name: string) =>
      changed.get(toTagKey({ repository, tag: name })) ?? index.tag(repository, name);
    const known = tagAt(tag);
    if (known === undefined || known.digest === digest) {
      const owners = withOwner(known?.owners ?? [], owner);
      if (owners !== known?.owners || known.held) changed.set(key, { ...place, owners, held: false });
      continue;
    }
    const { owners, kept: others } = rePoint(known, owner, {
      digestAt: (name) => tagAt(name)?.digest,
      displaced: () => index.displacedFrom(repository, tag),
    });
    changed.set(key, { ...place, owners, held: false });
    if (others === undefined) continue;
    tried.set(
      key,
      listTried(known, others.tag).map((name) => toTagKey({ repository, tag: name })),
    );
    const alias = tagAt(others.tag);
    const record: TagRecord = {
      ...known,
      tag: others.tag,
      owners: others.owners.reduce(withOwner, alias?.owners ?? []),
      held: known.held && alias?.held !== false,
    };
    changed.set(toTagKey(record), record);
    kept.set(toTagKey(record), record);
  }
  const inOrder = new Set<string>();
  for (const [key, names] of tried)
    for (const name of names) if (wanted.has(name)) inOrder.add(key).add(name);
  return { changed, kept: [...kept.values()], wanted, inOrder };
}

/** Lists the alias tags that are tried for the content of a tag, through the chosen one. */
function listTried({ tag, digest }: Pick<TagRecord, 'tag' | 'digest'>, chosen: string): readonly string[] {
  const tried: string[] = [];
  for (const alias of toAliasTags(tag, digest)) {
    tried.push(alias);
    if (alias === chosen) break;
  }
  return tried;
}
