import { audited } from '../base/audited.ts';
import { openOwnCookbook } from '../engine/publish/own-cookbook.ts';
import {
  type PublishedRecipe,
  type PublishTarget,
  publishRecipe as publish,
} from '../engine/publish/publish-recipe.ts';
import { parseRecipePlace } from '../engine/publish/recipe-place.ts';
import { type RepositoryReference, withoutCredentials } from '../oci/reference.ts';
import type { Store } from '../store/model.ts';
import type { Context } from './context.ts';

interface PublishInput {
  readonly document: Buffer;
  /** Names the document in errors. */
  readonly file: string;
  /** `<registry>/<cookbook>/<name>:<version>` */
  readonly reference: string;
  /** Whom the audit record names, and where the request came from. */
  readonly actor: string;
  readonly origin?: string | undefined;
  /** The registry of this very instance, by the names it has for its client. */
  readonly own?: { readonly store: Store; readonly hosts: readonly string[] } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Publishes a recipe at a registry. Signing is done elsewhere, by its own tools.
 *
 * @throws SVC-REG-001, SVC-VAL-001, SVC-VAL-002, SVC-POL-004, and what the registry's client throws
 */
export async function publishRecipe(
  { registry, report }: Pick<Context, 'registry' | 'report'>,
  input: PublishInput,
): Promise<PublishedRecipe> {
  const { document, file, signal, actor, origin, own } = input;
  const open = (place: RepositoryReference): PublishTarget =>
    own?.hosts.includes(place.host)
      ? openOwnCookbook(own.store, place.repository, actor)
      : registry.repository(place, { access: 'push', substitute: false });
  return audited(
    report,
    { actor, action: 'recipe.publish', target: withoutCredentials(input.reference), origin },
    async () => {
      const reference = parseRecipePlace(input.reference);
      const created = new Date().toISOString();
      return publish(open, { document, file, reference, created }, signal ? { signal } : {});
    },
    { success: ({ digest, unchanged }) => ({ digest, unchanged }) },
  );
}
