import type { Config } from '../../config/model.ts';
import { lintOnline } from '../../engine/authoring/lint-online.ts';
import { lintDocument, locateFindings } from '../../recipe/lint/lint-document.ts';
import type { Finding } from '../../recipe/lint/model.ts';
import type { DocumentCaller } from '../../recipe/read-document.ts';
import type { Context } from '../context.ts';

export interface LintReport {
  /** In the order of their lines. */
  readonly findings: readonly Finding[];
  readonly errors: number;
  readonly warnings: number;
}

interface LintInput {
  readonly document: Uint8Array;
  /** Name of the document in errors. */
  readonly file: string;
  readonly caller?: DocumentCaller | undefined;
  /** Compares the document with its registries too. */
  readonly online?: (Pick<Context, 'registry'> & { readonly signal?: AbortSignal | undefined }) | undefined;
}

/**
 * Finds what is worth changing in a recipe document. Without `online` it contacts nothing.
 *
 * @throws SVC-VAL-002 for a document that is too large; the reason of the signal
 */
export async function lintRecipe(
  { registries }: { readonly registries: Pick<Config['registries'], 'insecure'> },
  { document, file, caller, online }: LintInput,
): Promise<LintReport> {
  const { findings: pure, recipe } = await lintDocument(document, file, registries, caller);
  const asked = online === undefined || recipe === undefined ? [] : await lintOnline(recipe, online);
  const findings = asked.length === 0 ? pure : await locateFindings(document, [...pure, ...asked], caller);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { findings, errors, warnings: findings.length - errors };
}
