import { KeyedSerial } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { documentOf } from '../../catalog/tag-rules.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference, type RepositoryReference } from '../../oci/reference.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import { toTransience } from '../../remote/transport/transience.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { readManifest } from '../copy/read-manifest.ts';
import type { PromotableRecipe, PushResult } from './model.ts';
import type { PushTarget } from './push-target.ts';

/**
 * Refuses to put a recipe under a tag that resolves to another document.
 *
 * @param current digest that the tag resolves to
 * @throws SVC-POL-004
 */
export async function requireSameDocument(
  target: RemoteRepository,
  current: Digest,
  { digest, documentDigest }: Pick<PromotableRecipe, 'digest' | 'documentDigest'>,
  reference: string,
  call: CallOptions,
): Promise<void> {
  if (current === digest) return;
  const descriptor = { mediaType: '', digest: current, size: 0 };
  const { manifest } = await readManifest(target, descriptor, reference, call);
  if (manifest.kind === 'image' && manifest.layers.some((one) => one.digest === documentDigest)) return;
  throw svcError('SVC-POL-004', { reference, published: current, candidate: digest });
}

/** The recipe tags of one destination during one promotion: one document for each, and one push at a time. */
interface RecipeTags {
  /**
   * Reserves the tag for a recipe, before any of its content is pushed. Of several documents for a tag that does not
   * exist yet, the first call succeeds.
   *
   * @returns the repository, which has resolved the tag
   * @throws SVC-POL-004 when the tag resolves to another document, or is reserved for another one
   */
  claim(place: RepositoryReference, recipe: PromotableRecipe): Promise<PushTarget>;
  /**
   * Pushes a recipe that has reserved the tag. `work` gets `target` until another recipe was pushed to the
   * tag, then a repository that resolves the tag again.
   */
  push(
    place: RepositoryReference,
    recipe: PromotableRecipe,
    target: PushTarget,
    work: (target: PushTarget) => Promise<PushResult>,
  ): Promise<PushResult>;
  /**
   * Pushes an ingredient to a repository of the cookbook.
   *
   * @param digest of the ingredient
   * @throws SVC-POL-004 when the tag resolves to a recipe, or is reserved for one, and the ingredient is not it
   */
  pushIngredient(
    place: RepositoryReference,
    tag: string,
    digest: Digest,
    work: () => Promise<PushResult>,
  ): Promise<PushResult>;
}

/** Whether the manifest of a tag is a recipe. A manifest that cannot be used is none. */
async function isRecipe(
  target: RemoteRepository,
  digest: Digest,
  reference: string,
  call: CallOptions,
): Promise<boolean> {
  try {
    const { manifest } = await readManifest(target, { mediaType: '', digest, size: 0 }, reference, call);
    return documentOf(manifest) !== undefined;
  } catch (error) {
    if (isSvcError(error, 'SVC-REG-005') || isSvcError(error, 'SVC-REG-009')) return false;
    // an answer that broke off says nothing about the tag: a later one may be a recipe
    if (isSvcError(error, 'SVC-REG-007') && toTransience(error) === false) return false;
    throw error;
  }
}

/**
 * Refuses to put an ingredient under the tag of a recipe, unless it is this recipe.
 *
 * @param tag.current digest that the tag resolves to
 * @param tag.claimed digest of the recipe for which the tag is reserved
 * @param digest of the ingredient
 * @throws SVC-POL-004
 */
export async function requireNoRecipe(
  target: RemoteRepository,
  tag: {
    readonly reference: string;
    readonly current?: Digest | undefined;
    readonly claimed?: Digest | undefined;
  },
  digest: Digest,
  call: CallOptions,
): Promise<void> {
  const { reference, current, claimed } = tag;
  const published = claimed ?? current;
  if (published === undefined || published === digest || current === digest) return;
  if (claimed !== undefined || (await isRecipe(target, published, reference, call)))
    throw svcError('SVC-POL-004', { reference, published, candidate: digest });
}

/** @param open opens a repository that has not resolved any tag */
export function openRecipeTags(
  open: (place: RepositoryReference) => PushTarget,
  call: CallOptions,
): RecipeTags {
  const tags = new KeyedSerial();
  const claims = new Map<string, Pick<PromotableRecipe, 'digest' | 'documentDigest'>>();
  const pushed = new Set<string>();
  const toName = (place: RepositoryReference, { version }: PromotableRecipe) =>
    `${formatReference(place)}:${version}`;
  return {
    claim: (place, recipe) => {
      const reference = toName(place, recipe);
      return tags.run([reference], async () => {
        const target = open(place);
        const current = await target.resolve(recipe.version, call);
        if (current) await requireSameDocument(target, current.digest, recipe, reference, call);
        const claim = claims.get(reference) ?? recipe;
        claims.set(reference, claim);
        if (!current && claim.documentDigest !== recipe.documentDigest)
          throw svcError('SVC-POL-004', { reference, published: claim.digest, candidate: recipe.digest });
        return target;
      });
    },
    pushIngredient: (place, tag, digest, work) => {
      const reference = `${formatReference(place)}:${tag}`;
      return tags.run([reference], async () => {
        const target = open(place);
        const current = (await target.resolve(tag, call))?.digest;
        const claimed = claims.get(reference)?.digest;
        await requireNoRecipe(target, { reference, current, claimed }, digest, call);
        const result = await work();
        if (result.status === 'pushed') pushed.add(reference);
        return result;
      });
    },
    push: (place, recipe, target, work) => {
      const reference = toName(place, recipe);
      return tags.run([reference], async () => {
        const result = await work(pushed.has(reference) ? open(place) : target);
        if (result.status === 'pushed') pushed.add(reference);
        return result;
      });
    },
  };
}
