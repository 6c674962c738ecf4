import { svcError } from '../base/error.ts';
import type { ExportGate } from '../engine/layout/select-entries.ts';
import type { Store } from '../store/model.ts';
import type { TaskJournal } from '../task/model.ts';
import type { LayoutExportRequest, LayoutImportRequest } from '../task/request.ts';
import type { Context } from './context.ts';
import { exportLayout } from './export-layout.ts';
import { importLayout } from './import-layout.ts';
import type { MediumVerifier } from './verify-medium.ts';

/** Dependencies and request of a layout task. */
interface LayoutTaskParts<R> {
  readonly context: Context;
  readonly store: Store;
  readonly verifier: Pick<MediumVerifier, 'clearance'>;
  readonly request: R;
  readonly runId: string;
  readonly taskId: string;
  readonly journal: TaskJournal;
  readonly signal: AbortSignal;
}

/**
 * Returns the gate for exports from the store of an instance.
 *
 * @returns undefined when everything may be exported
 * @throws SVC-MED-030, SVC-MED-032 while the gate is closed
 */
export function selectGate({ clearance }: Pick<MediumVerifier, 'clearance'>): ExportGate | undefined {
  if (!clearance.guarded) return undefined;
  const refusal = clearance.refusal();
  if (refusal) throw svcError(refusal.code, { mediaId: refusal.mediaId });
  return clearance;
}

/** Runs the export of a task. */
export async function runLayoutExport(parts: LayoutTaskParts<LayoutExportRequest>): Promise<void> {
  const { context, store, verifier, request, journal, signal, runId, taskId } = parts;
  const { output, format, recipes, repositories, overwrite } = request.parameters;
  await exportLayout(
    { ...context, report: context.report.child({ runId, taskId }) },
    {
      store,
      gate: selectGate(verifier),
      output,
      format,
      selection: { recipes, repositories },
      overwrite,
      actor: request.actor,
      journal,
      signal,
    },
  );
}

/** Runs the import of a task. Failed entries are failed items of the journal. */
export async function runLayoutImport(parts: LayoutTaskParts<LayoutImportRequest>): Promise<void> {
  const { context, store, request, journal, signal, runId, taskId } = parts;
  const { input, repository } = request.parameters;
  await importLayout(
    { ...context, report: context.report.child({ runId, taskId }) },
    {
      openStore: async () => store,
      input,
      repository,
      actor: request.actor,
      journal,
      signal,
    },
  );
}
