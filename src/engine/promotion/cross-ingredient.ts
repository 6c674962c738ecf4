import { isSvcError, svcError } from '../../base/error.ts';
import type { Platform } from '../../oci/platform.ts';
import type { CallOptions, Prober, Source } from '../../oci/ports.ts';
import { formatReference, type RepositoryReference } from '../../oci/reference.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { collectSignatures } from '../../trust/discover.ts';
import { toScopePath } from '../../trust/scope.ts';
import { copyGraph } from '../copy-graph.ts';
import { HeldContent, withHeld } from '../held-content.ts';
import { readManifest } from '../read-manifest.ts';
import { holdSignatures } from '../resolve-recipe.ts';
import { listAbsentPlatforms, toTopUp } from '../top-up.ts';
import type { Bridge } from './bridge.ts';
import type { Crossing, PromotionOptions } from './model.ts';

/**
 * Pushes an ingredient with its signatures. A destination that refuses a sparse index gets all platforms, from the
 * source.
 *
 * @throws SVC-DST-002 where these cannot be had, and what copying throws
 */
export async function crossIngredient(
  bridge: Bridge,
  options: PromotionOptions,
  ingredient: CookedRecipe['ingredients'][number],
  repository: string,
  place: RepositoryReference,
  tag: string,
): Promise<Crossing> {
  const { report, signal } = options;
  const call: CallOptions = signal ? { signal } : {};
  const reference = `${formatReference(ingredient.ref)}:${ingredient.version}`;
  const target = bridge.open(place);
  const local = options.source(repository);
  const held = new HeldContent();
  const source: Source & Partial<Prober> = {
    ...withHeld(local, held),
    ...(local.hasBlob ? { hasBlob: (blob, at) => local.hasBlob!(blob, at) } : {}),
  };
  const { content } = await readManifest(
    source,
    { mediaType: '', digest: ingredient.digest, size: 0 },
    reference,
    call,
  );
  const standing = await target.resolve(tag, call);
  if (standing && standing.digest !== ingredient.digest)
    report.log('warn', 'A tag at the destination is re-pointed', {
      destination: `${formatReference(place)}:${tag}`,
      from: standing.digest,
      digest: ingredient.digest,
    });
  const found = await collectSignatures(local, ingredient.digest, call);
  holdSignatures(held, found);
  let signatureBytes = 0;
  let signatureCount = 0;
  const copy = (from: Source, platforms: readonly Platform[]) =>
    copyGraph(from, target, content, {
      ...bridge.copying(from, target, reference),
      platforms,
      tag,
      beforeRoot: async () => {
        const moved = await bridge.carry(
          found,
          source,
          target,
          ingredient.digest,
          toScopePath(ingredient.ref),
          reference,
        );
        signatureBytes += moved.bytes;
        signatureCount += moved.count;
      },
    });
  let first: { bytes: number; count: number } = { bytes: 0, count: 0 };
  try {
    first = (await copy(source, ingredient.platforms)).moved;
  } catch (error) {
    if (!isSvcError(error, 'SVC-DST-002') || ingredient.platforms.length === 0) throw error;
    const missing = await listAbsentPlatforms(
      source,
      ingredient.digest,
      ingredient.platforms,
      reference,
      call,
    );
    const refusal = svcError(
      'SVC-DST-002',
      { reference: `${formatReference(place)}:${tag}`, missing },
      { cause: error },
    );
    if (!options.upstream) throw refusal;
    report.log('warn', 'The destination refuses a sparse index: all platforms are taken from the source', {
      destination: `${formatReference(place)}:${tag}`,
      missing,
    });
    try {
      first = (await copy(toTopUp(source, options.upstream(ingredient.ref)), [])).moved;
    } catch (cause) {
      if (isSvcError(cause, 'SVC-REG-005')) throw refusal;
      throw cause;
    }
  }
  const count = first.count + signatureCount;
  const isMoved = count > 0 || standing?.digest !== ingredient.digest;
  return { status: isMoved ? 'pushed' : 'up-to-date', bytes: first.bytes + signatureBytes };
}
