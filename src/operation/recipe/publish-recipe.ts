import { audited } from '../../base/audited.ts';
import { toStamp } from '../../base/clock.ts';
import type { PublishedRecipe } from '../../contract/recipe.ts';
import { openOwnCookbook } from '../../engine/publish/own-cookbook.ts';
import { type PublishTarget, publishRecipe as publish } from '../../engine/publish/publish-recipe.ts';
import { parseRecipePlace } from '../../engine/publish/recipe-place.ts';
import { type RepositoryReference, withoutCredentials } from '../../oci/reference.ts';
import type { Store } from '../../store/model.ts';
import type { Context } from '../context.ts';

interface PublishInput {
  readonly document: Buffer;
  /** Name of the document in errors. */
  readonly file: string;
  /** `<registry>/<cookbook>/<name>:<version>` */
  readonly reference: string;
  /** Actor and client address of the audit record. */
  readonly actor: string;
  readonly origin?: string | undefined;
  /** The registry of this instance, and the hosts under which its client knows it. */
  readonly own?: { readonly store: Store; readonly hosts: readonly string[] } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Publishes a recipe to a registry. Signing is left to signing tools.
 *
 * @throws SVC-REG-001, SVC-VAL-001, SVC-VAL-002, SVC-POL-004, and the errors of the registry client
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
      const created = toStamp();
      return publish(open, { document, file, reference, created }, { signal });
    },
    { success: ({ digest, unchanged }) => ({ digest, unchanged }) },
  );
}
