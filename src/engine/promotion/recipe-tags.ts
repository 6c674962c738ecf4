import { KeyedSerial } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { svcError } from '../../base/error.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference, type RepositoryReference } from '../../oci/reference.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import { readManifest } from '../copy/read-manifest.ts';
import type { Crossing, PromotableRecipe } from './model.ts';

/**
 * Refuses to put a recipe under a tag that leads to another document.
 *
 * @throws SVC-POL-004
 */
export async function requireSameDocument(
  target: RemoteRepository,
  standing: Digest,
  { digest, documentDigest }: Pick<PromotableRecipe, 'digest' | 'documentDigest'>,
  reference: string,
  call: CallOptions,
): Promise<void> {
  if (standing === digest) return;
  const descriptor = { mediaType: '', digest: standing, size: 0 };
  const { manifest } = await readManifest(target, descriptor, reference, call);
  if (manifest.kind === 'image' && manifest.layers.some((one) => one.digest === documentDigest)) return;
  throw svcError('SVC-POL-004', { reference, published: standing, candidate: digest });
}

/** The recipe tags of one destination during one promotion: each has one document, and one crossing at a time. */
interface RecipeTags {
  /**
   * Takes the tag for a recipe, before anything of it is pushed. Calls count in their order: the first document has a
   * tag that leads nowhere yet.
   *
   * @returns the repository, which knows where the tag leads
   * @throws SVC-POL-004 when the tag leads to another document, or another one has taken it
   */
  claim(place: RepositoryReference, recipe: PromotableRecipe): Promise<RemoteRepository>;
  /** Runs the crossing of a recipe that has the tag. `target` is as claimed while nothing else has crossed to it. */
  cross(
    place: RepositoryReference,
    recipe: PromotableRecipe,
    target: RemoteRepository,
    work: (target: RemoteRepository) => Promise<Crossing>,
  ): Promise<Crossing>;
}

export function openRecipeTags(
  open: (place: RepositoryReference) => RemoteRepository,
  call: CallOptions,
): RecipeTags {
  const tags = new KeyedSerial();
  const claims = new Map<string, Pick<PromotableRecipe, 'digest' | 'documentDigest'>>();
  const crossed = new Set<string>();
  const toName = (place: RepositoryReference, { version }: PromotableRecipe) =>
    `${formatReference(place)}:${version}`;
  return {
    claim: (place, recipe) => {
      const reference = toName(place, recipe);
      return tags.run([reference], async () => {
        const target = open(place);
        const standing = await target.resolve(recipe.version, call);
        if (standing) await requireSameDocument(target, standing.digest, recipe, reference, call);
        const claim = claims.get(reference) ?? recipe;
        claims.set(reference, claim);
        if (!standing && claim.documentDigest !== recipe.documentDigest)
          throw svcError('SVC-POL-004', { reference, published: claim.digest, candidate: recipe.digest });
        return target;
      });
    },
    cross: (place, recipe, target, work) => {
      const reference = toName(place, recipe);
      return tags.run([reference], async () => {
        const crossing = await work(crossed.has(reference) ? open(place) : target);
        if (crossing.status === 'pushed') crossed.add(reference);
        return crossing;
      });
    },
  };
}
