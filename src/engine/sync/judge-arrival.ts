import { Semaphore } from '../../base/concurrency.ts';
import { Once } from '../../base/once.ts';
import type { Report } from '../../base/report.ts';
import type { Store } from '../../store/model.ts';
import type { TaskJournal } from '../../task/model.ts';
import { isSvcError, type SvcError, toErrorRecord, toSvcError } from '../../text/error.ts';
import { judgeFileset } from '../fileset/judge-fileset.ts';
import { type ResolvedIngredient, toContentKey } from './resolve-retriever.ts';

interface ArrivalJudgeOptions {
  readonly store: Store;
  readonly report: Report;
  readonly journal: Pick<TaskJournal, 'line'>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates a check for transferred content that is complete but may be unusable: a FileSet that cannot be
 * served. It is kept, with a warning in the log and in the task.
 *
 * @returns a function that resolves to the problem of one ingredient, and throws only when the signal is
 *   aborted
 */
export function createArrivalJudge({ store, report, journal, signal }: ArrivalJudgeOptions) {
  const judgments = new Once<string, SvcError | undefined>();
  // one at a time: each check may use one processor and 16 MiB
  const judging = new Semaphore(1);

  return async (
    resolved: ResolvedIngredient,
    { item, recipe }: { readonly item: string; readonly recipe: string },
  ): Promise<SvcError | undefined> => {
    const { ingredient, reference, repository, graph } = resolved;
    if (ingredient.kind !== 'FileSet' || graph === undefined) return undefined;
    const subject = { recipe, ingredient: ingredient.name, digest: ingredient.digest };
    const judge = () => judgeFileset(store, repository, graph.root, { reference, signal });
    let error: SvcError | undefined;
    try {
      error = await judgments.run(toContentKey(resolved), () => judging.run(judge));
    } catch (failure) {
      signal?.throwIfAborted();
      error = toSvcError(failure);
      if (!isSvcError(error, 'SVC-FIL-004')) {
        report.log('warn', 'Whether a FileSet can be served could not be checked', { ...subject, error });
        return undefined;
      }
    }
    if (error === undefined) return undefined;
    const { code, params } = toErrorRecord(error);
    journal.line(`${item}: cannot be served: ${code} ${params.path}: ${params.rule}`);
    report.log('warn', 'A transferred FileSet cannot be served', { ...subject, error });
    return error;
  };
}
