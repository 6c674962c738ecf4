import type { Digest } from '../../base/digest.ts';
import type { SvcError } from '../../base/error.ts';
import { actors, type Report } from '../../base/report.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import type { Store } from '../../store/model.ts';
import { takeOut } from './take-out.ts';

/** What a reader says of bytes on this disk that are not what they were. */
const suspicions: ReadonlySet<string> = new Set(['SVC-SIG-002', 'SVC-STO-001']);

/**
 * Looks at what a recipe reaches when a promotion has found some of it altered, and takes it out of service: the next run
 * finds it absent and brings it anew, where it would be refused for ever otherwise.
 *
 * @param errors what the promotion met with
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
    // the run has failed already, and says why
    report.log('warn', 'Damaged content could not be quarantined', { error });
  }
}
