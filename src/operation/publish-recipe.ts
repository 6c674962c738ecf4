import { type PublishedRecipe, publishRecipe as publish } from '../engine/publish-recipe.ts';
import { parseReference } from '../oci/reference.ts';
import type { Context } from './context.ts';

export interface PublishInput {
  readonly document: Buffer;
  /** Names the document in errors. */
  readonly file: string;
  /** `<registry>/<cookbook>/<name>:<version>` */
  readonly reference: string;
  /** Whom the audit record names. */
  readonly actor: string;
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
  const { document, file, signal, actor } = input;
  const audit = (outcome: 'success' | 'failure', details: Readonly<Record<string, unknown>>) =>
    report.audit({ actor, action: 'recipe.publish', target: input.reference, outcome, details });
  try {
    const reference = parseReference(input.reference);
    const created = new Date().toISOString();
    const published = await publish(
      registry,
      { document, file, reference, created },
      signal ? { signal } : {},
    );
    audit('success', { digest: published.digest, unchanged: published.unchanged });
    return published;
  } catch (error) {
    audit('failure', { code: (error as { code?: unknown }).code });
    throw error;
  }
}
