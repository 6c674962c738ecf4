import { digestAlgorithm, hashBytes } from '../../base/digest.ts';
import type { Platform } from '../../oci/platform.ts';
import type { CallOptions, ManifestContent, Prober, Resolver, Source } from '../../oci/ports.ts';
import { formatReference, type RepositoryReference } from '../../oci/reference.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { collectAll } from '../../trust/discover.ts';
import { toScopePath } from '../../trust/scope.ts';
import { copyGraph } from '../copy/copy-graph.ts';
import { HeldContent, holdSignatures, withHeld } from '../copy/held-content.ts';
import { readManifest } from '../copy/read-manifest.ts';
import { listAbsentPlatforms, toTopUp } from '../copy/top-up.ts';
import type { PromotionOptions, PushResult } from './model.ts';
import type { PushSession } from './push-session.ts';

/**
 * A view of a repository for pushing one manifest. Registries name tagged content by sha256. A tag that resolves to the
 * bytes of this manifest is reported with the digest of the pin, in its algorithm.
 */
function asPinned<T extends Resolver>(target: T, { descriptor: { digest }, bytes }: ManifestContent): T {
  return {
    ...target,
    async resolve(reference, options) {
      const found = await target.resolve(reference, options);
      if (!found || digestAlgorithm(found.digest) === digestAlgorithm(digest)) return found;
      return hashBytes(bytes, digestAlgorithm(found.digest)) === found.digest ? { ...found, digest } : found;
    },
  };
}

/**
 * Pushes an ingredient with its signatures and those of its platform images. A destination that refuses a
 * sparse index gets all platforms: those in the store, and the others from upstream.
 *
 * @param repository name of the local repository
 * @param place repository at the destination
 * @param tag tag at the destination
 * @throws SVC-DST-002 with the platforms that are not available, errors of the copy
 */
export async function pushIngredient(
  session: PushSession,
  options: PromotionOptions,
  ingredient: CookedRecipe['ingredients'][number],
  repository: string,
  place: RepositoryReference,
  tag: string,
): Promise<PushResult> {
  const { report, signal } = options;
  const call: CallOptions = { signal };
  const reference = `${formatReference(ingredient.ref)}:${ingredient.version}`;
  const local = options.source(repository);
  const held = new HeldContent();
  const source: Source & Prober = {
    ...withHeld(local, held),
    hasBlob: (blob, at) => local.hasBlob(blob, at),
    hasManifest: (digest, at) => local.hasManifest(digest, at),
  };
  const { content } = await readManifest(
    source,
    { mediaType: '', digest: ingredient.digest, size: 0 },
    reference,
    call,
  );
  const target = asPinned(session.open(place), content);
  const current = await target.resolve(tag, call);
  if (current && current.digest !== ingredient.digest)
    report.log('warn', 'A tag at the destination is re-pointed', {
      destination: `${formatReference(place)}:${tag}`,
      from: current.digest,
      digest: ingredient.digest,
    });
  const scopePath = toScopePath(ingredient.ref);
  let signatureBytes = 0;
  let signatureCount = 0;
  const tellSparse = (isTaken: boolean): void =>
    options.onSparse?.({ place, digest: ingredient.digest, isTaken });
  let isPut = false;
  const copy = (from: Source, platforms: readonly Platform[]) => {
    const copying = session.copying(from, target, reference);
    return copyGraph(from, target, content, {
      ...copying,
      onPut: (one, bytes) => {
        copying.onPut?.(one, bytes);
        isPut ||= one.digest === ingredient.digest;
      },
      platforms,
      tag,
      beforeRoot: async (carried) => {
        for (const subject of carried) {
          const found = await collectAll(local, subject, call);
          if (found.evidence.length === 0) continue;
          holdSignatures(held, found);
          const moved = await session.carry(found, source, target, subject, reference, scopePath, 'none');
          signatureBytes += moved.bytes;
          signatureCount += moved.count;
        }
        await target.confirm(call);
      },
    });
  };
  let first: { bytes: number; count: number } = { bytes: 0, count: 0 };
  try {
    first = (await copy(source, ingredient.platforms)).moved;
    if (isPut && options.onSparse && ingredient.platforms.length > 0) {
      const absent = await listAbsentPlatforms(
        { ...source, hasManifest: (digest, at) => target.hasManifest(digest, at) },
        ingredient.digest,
        reference,
        call,
      );
      if (absent.length > 0) tellSparse(true);
    }
  } catch (error) {
    if (!isSvcError(error, 'SVC-DST-002') || ingredient.platforms.length === 0) throw error;
    const missing = await listAbsentPlatforms(source, ingredient.digest, reference, call);
    const refusal = svcError(
      'SVC-DST-002',
      { reference: `${formatReference(place)}:${tag}`, missing },
      { cause: error },
    );
    const upstream = options.upstream?.(ingredient.ref);
    if (missing.length > 0) tellSparse(false);
    if (missing.length > 0 && !upstream) throw refusal;
    report.log('warn', 'The destination refuses a sparse index: all platforms are pushed', {
      destination: `${formatReference(place)}:${tag}`,
      missing,
    });
    try {
      first = (await copy(upstream ? toTopUp(source, upstream) : source, [])).moved;
      tellSparse(false);
    } catch (cause) {
      if (isSvcError(cause, 'SVC-REG-005')) throw refusal;
      throw cause;
    }
  }
  await target.confirm(call);
  const count = first.count + signatureCount;
  const isMoved = count > 0 || current?.digest !== ingredient.digest;
  return { status: isMoved ? 'pushed' : 'up-to-date', bytes: first.bytes + signatureBytes };
}
