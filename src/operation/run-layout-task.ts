import { svcError } from '../base/error.ts';
import type { ExportGate } from '../engine/layout/select-entries.ts';
import type { Store } from '../store/model.ts';
import type { TaskJournal } from '../task/model.ts';
import type { LayoutExportRequest, LayoutImportRequest } from '../task/request.ts';
import type { Context } from './context.ts';
import { exportLayout } from './export-layout.ts';
import { importLayout } from './import-layout.ts';
import type { MediumVerifier } from './verify-medium.ts';

/** What a task stands on. */
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
 * What may leave the store of an instance.
 *
 * @returns undefined where everything may
 * @throws SVC-MED-030, SVC-MED-032 while it is closed
 */
export function selectGate({ clearance }: Pick<MediumVerifier, 'clearance'>): ExportGate | undefined {
  if (!clearance.guarded) return undefined;
  const refusal = clearance.refusal();
  if (refusal) throw svcError(refusal.code, { mediaId: refusal.mediaId });
  return clearance;
}

/** Exports as the request of a task says. */
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

/** Imports as the request of a task says; entries that are lost are failed items of the journal. */
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
