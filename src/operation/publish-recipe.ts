import { toSvcError } from '../base/error.ts';
import { openOwnCookbook } from '../engine/own-cookbook.ts';
import {
  type PublishedRecipe,
  type PublishTarget,
  publishRecipe as publish,
} from '../engine/publish-recipe.ts';
import { parseReference, type RepositoryReference } from '../oci/reference.ts';
import type { Store } from '../store/model.ts';
import type { Context } from './context.ts';

export interface PublishInput {
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
  const audit = (outcome: 'success' | 'failure' | 'denied', details: Readonly<Record<string, unknown>>) =>
    report.audit({ actor, action: 'recipe.publish', target: input.reference, outcome, origin, details });
  const open = (place: RepositoryReference): PublishTarget =>
    own?.hosts.includes(place.host)
      ? openOwnCookbook(own.store, place.repository, actor)
      : registry.repository(place, { access: 'push', substitute: false });
  try {
    const reference = parseReference(input.reference);
    const created = new Date().toISOString();
    const published = await publish(open, { document, file, reference, created }, signal ? { signal } : {});
    audit('success', { digest: published.digest, unchanged: published.unchanged });
    return published;
  } catch (error) {
    const { code, class: kind } = toSvcError(error);
    audit(kind === 'policy' ? 'denied' : 'failure', { code });
    throw error;
  }
}
