import type { Config } from '../../config/model.ts';
import type { Context } from '../../operation/context.ts';
import type { DocumentCaller } from '../../recipe/read-document.ts';
import { lintDocument, locateFindings } from './lint-document.ts';
import { lintOnline } from './lint-online.ts';
import type { Finding } from './model.ts';
import { type BoundedFindings, selectFindings } from './select-findings.ts';

export interface LintReport extends BoundedFindings {}

interface LintInput {
  readonly document: Uint8Array;
  /** Name of the document in errors. */
  readonly file: string;
  readonly caller?: DocumentCaller | undefined;
  /** Compares the document with its registries too. */
  readonly online?: (Pick<Context, 'registry'> & { readonly signal?: AbortSignal | undefined }) | undefined;
}

/**
 * Finds the faults and doubtful parts of a recipe document. Without `online` it contacts nothing.
 *
 * @throws SVC-VAL-002 for a document that is too large; the reason of the signal
 */
export async function lintRecipe(
  { registries }: { readonly registries: Pick<Config['registries'], 'insecure'> },
  { document, file, caller, online }: LintInput,
): Promise<LintReport> {
  const withRecipe = online !== undefined;
  const { recipe, ...report } = await lintDocument(document, file, registries, { caller, withRecipe });
  const asked = online === undefined || recipe === undefined ? [] : await lintOnline(recipe, online);
  if (asked.length === 0) return report;
  const all = selectFindings([...report.findings, ...(await locateFindings(document, asked, caller))]);
  const omitted = (report.omitted ?? 0) + (all.omitted ?? 0);
  const isError = ({ severity }: Finding): boolean => severity === 'error';
  const errors = report.errors + asked.filter(isError).length;
  const warnings = report.warnings + asked.length - asked.filter(isError).length;
  return { findings: all.findings, errors, warnings, ...(omitted === 0 ? {} : { omitted }) };
}
