import type { Digest } from '../../base/digest.ts';
import { actors, type Report } from '../../base/report.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import type { Store } from '../../store/model.ts';
import type { SvcError } from '../../text/error.ts';
import { takeOut } from './take-out.ts';

/** Codes of errors that can be caused by altered bytes on this disk. */
const suspicions: ReadonlySet<string> = new Set(['SVC-SIG-002', 'SVC-STO-001']);

/**
 * Checks all content that a recipe reaches after a promotion reported altered bytes, and quarantines what is
 * damaged. The next run then transfers it again; otherwise every later promotion would fail.
 *
 * @param errors errors of the promotion
 */
export async function takeOutAltered(
  store: Store,
  recipe: Pick<RecipeRecord, 'digest' | 'ingredients'>,
  errors: readonly (SvcError | undefined)[],
  report: Report,
): Promise<void> {
  if (!errors.some((error) => error !== undefined && suspicions.has(error.code))) return;
  const reached = new Set<Digest>();
  for (const { digest } of [recipe, ...recipe.ingredients])
    for (const one of store.index.reach(digest)) reached.add(one);
  try {
    const suspects = [...reached].map((digest) => ({ digest }));
    await takeOut(store, suspects, { report, actor: actors.system });
  } catch (error) {
    // the run has failed already, with the error of the promotion
    report.log('warn', 'Damaged content could not be quarantined', { error });
  }
}
