import { type SvcError, selectPrincipal, svcError, toErrorRecord } from '../base/error.ts';
import { selectAsked } from '../engine/layout/select-asked.ts';
import type { ExportGate, LayoutSelection } from '../engine/layout/select-entries.ts';
import { selectObstacles, toBlockingError } from '../engine/medium/report.ts';
import { nameRecipes } from '../engine/sync/name-recipes.ts';
import type { Store } from '../store/model.ts';
import type { TaskItem, TaskJournal } from '../task/model.ts';
import type { LayoutExportRequest, LayoutImportRequest } from '../task/request.ts';
import type { Context } from './context.ts';
import { exportLayout } from './export-layout.ts';
import { importLayout } from './import-layout.ts';
import type { MediumVerifier } from './verify-medium.ts';

/** Dependencies and request of a layout task. */
interface LayoutTaskParts<R> {
  readonly context: Context;
  readonly store: Store;
  readonly verifier: Pick<MediumVerifier, 'clearance' | 'state'>;
  readonly request: R;
  readonly runId: string;
  readonly taskId: string;
  readonly journal: TaskJournal;
  readonly signal: AbortSignal;
}

/** What may be exported from the store of an instance. */
interface ExportPermit {
  /** Absent when everything may be exported. */
  readonly gate: ExportGate | undefined;
  /** Principal error that keeps a part of the selection in a carried store. */
  readonly blocked: SvcError | undefined;
  /** Blocked recipes of the selection, as failed items of a task. */
  readonly items: readonly TaskItem[];
}

/**
 * Selects what may be exported from the store of an instance, according to the last verification.
 *
 * @throws SVC-MED-030, SVC-MED-032 while the gate is closed
 */
export function selectPermit(
  store: Pick<Store, 'index'>,
  verifier: Pick<MediumVerifier, 'clearance' | 'state'>,
  selection: LayoutSelection,
): ExportPermit {
  const { clearance } = verifier;
  if (!clearance.guarded) return { gate: undefined, blocked: undefined, items: [] };
  const refusal = clearance.refusal();
  if (refusal) throw svcError(refusal.code, { mediaId: refusal.mediaId });
  const asked = selectAsked(verifier.state().report ?? { blocks: [], recipes: [] }, store, selection);
  const names = nameRecipes(asked.recipes);
  return {
    gate: clearance,
    blocked: selectPrincipal(selectObstacles(asked)),
    items: asked.recipes.flatMap((verdict, i): TaskItem[] => {
      const error = toBlockingError(verdict);
      if (error === undefined) return [];
      const { digest } = verdict;
      return [
        { name: names[i]!, digest, status: 'failed', transferredBytes: 0, error: toErrorRecord(error) },
      ];
    }),
  };
}

/** Runs the export of a task. Blocked recipes are failed items of the journal; what passed is exported. */
export async function runLayoutExport(parts: LayoutTaskParts<LayoutExportRequest>): Promise<void> {
  const { context, store, verifier, request, journal, signal, runId, taskId } = parts;
  const { output, format, recipes, repositories, overwrite } = request.parameters;
  const selection = { recipes, repositories };
  const { gate, blocked, items } = selectPermit(store, verifier, selection);
  const record = async (): Promise<void> => {
    for (const { name, error } of items) journal.line(`${name}: ${error?.code}`);
    await journal.settleItems(items);
  };
  try {
    const exported = await exportLayout(
      { ...context, report: context.report.child({ runId, taskId }) },
      {
        store,
        gate,
        blocked,
        output,
        format,
        selection,
        overwrite,
        actor: request.actor,
        journal,
        signal,
      },
    );
    if (exported.blocked) await record();
  } catch (error) {
    if (!signal.aborted) await record();
    throw error;
  }
}

/** Runs the import of a task. Failed entries are failed items of the journal. */
export async function runLayoutImport(parts: LayoutTaskParts<LayoutImportRequest>): Promise<void> {
  const { context, store, request, journal, signal, runId, taskId } = parts;
  const { input, repository, fingerprint } = request.parameters;
  await importLayout(
    { ...context, report: context.report.child({ runId, taskId }) },
    {
      openStore: async () => store,
      input,
      repository,
      fingerprint,
      actor: request.actor,
      journal,
      signal,
    },
  );
}
