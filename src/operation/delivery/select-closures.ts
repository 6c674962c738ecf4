import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '../../base/digest.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import { listAbsentPlatforms } from '../../engine/copy/top-up.ts';
import { closeWholeRecipe, listLost, type RecipeClosure } from '../../engine/delivery/close.ts';
import { blobPath } from '../../oci/layout.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference, parseRepositoryReference } from '../../oci/reference.ts';
import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

/** A recipe that is not written: the store has lost content of it, which the zone lacks. */
export interface BlockedRecipe {
  readonly record: RecipeRecord;
  /** The lost files. Content behind a lost manifest is not known. */
  readonly missing: readonly Digest[];
  readonly error: SvcError;
}

export interface SelectedClosures {
  readonly closures: readonly RecipeClosure[];
  readonly blocked: readonly BlockedRecipe[];
}

const nameOf = ({ name, version }: RecipeRecord): string => `${name}@${version}`;

/** The recipe with the error that names its first lost file. */
export function toBlocked(
  { root }: Pick<Store, 'root'>,
  record: RecipeRecord,
  missing: readonly Digest[],
): BlockedRecipe {
  const detail = rule(
    ['it is the first of {count} lost files', fr`c’est le premier de {count} fichiers perdus`],
    { count: missing.length },
  );
  const path = blobPath(missing[0]!);
  const isThere = lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
  const error = svcError('SVC-STO-010', {
    path,
    recipe: nameOf(record),
    ...(isThere ? { damaged: 'yes' } : {}),
    ...(missing.length === 1 ? {} : { detail }),
  });
  return { record, missing, error };
}

/**
 * Closes recipes of the store. A recipe whose content the store has lost, or that is damaged there, is blocked whole, unless the zone has that content.
 *
 * @param known content of the zone
 * @throws the errors of `closeRecipe`; SVC-STO-010 when every recipe is blocked
 */
export async function selectClosures(
  store: Store,
  records: readonly RecipeRecord[],
  known: ReadonlySet<Digest>,
  call: CallOptions,
): Promise<SelectedClosures> {
  const closures: RecipeClosure[] = [];
  const blocked: BlockedRecipe[] = [];
  for (const record of records) {
    const closure = await closeWholeRecipe(store, record, call);
    const missing = await listLost(store, record, closure, known);
    if (closure !== undefined && missing.length === 0) closures.push(closure);
    else blocked.push(toBlocked(store, record, missing));
  }
  const [first] = blocked;
  if (closures.length === 0 && first !== undefined) throw first.error;
  return { closures, blocked };
}

/**
 * Finds the recipes that a registry would refuse which takes no index without all of its images: the delivery brings, and the
 * zone has, only some of the platforms.
 *
 * @param known content of the zone
 * @returns SVC-DST-002 about the first such index of each, by the digest of the recipe
 * @throws errors of reading the store
 */
export async function findRefusals(
  store: Store,
  closures: readonly RecipeClosure[],
  known: ReadonlySet<Digest>,
  call: CallOptions,
): Promise<ReadonlyMap<Digest, SvcError>> {
  const brought = new Set(closures.flatMap(({ always }) => [...always.keys()]));
  const refusals = new Map<Digest, SvcError>();
  for (const { record } of closures)
    for (const { repository, ref, tag, digest } of record.ingredients) {
      // an index that the zone has is not pushed
      if (refusals.has(record.digest) || known.has(digest)) continue;
      const { resolve, fetchManifest, fetchBlob } = openRepository(store, repository, {
        owner: { provenance: 'recipe' },
      });
      const reference = formatReference({ ...parseRepositoryReference(ref), tag });
      const hasManifest = async (child: Digest): Promise<boolean> => brought.has(child) || known.has(child);
      const source = { resolve, fetchManifest, fetchBlob, hasManifest };
      const missing = await listAbsentPlatforms(source, digest, reference, call);
      if (missing.length > 0) refusals.set(record.digest, svcError('SVC-DST-002', { reference, missing }));
    }
  return refusals;
}
