import { svcError } from '../base/error.ts';
import type { ExportGate } from '../engine/layout/select-entries.ts';
import type { Store } from '../store/model.ts';
import type { TaskJournal, TaskRequest } from '../task/model.ts';
import type { Context } from './context.ts';
import { exportLayout } from './export-layout.ts';
import { importLayout } from './import-layout.ts';
import type { MediumDesk } from './verify-medium.ts';

/** What a task stands on. */
export interface LayoutTaskParts {
  readonly context: Context;
  readonly store: Store;
  readonly desk: Pick<MediumDesk, 'clearance'>;
  readonly request: TaskRequest;
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
export function selectGate({ clearance }: Pick<MediumDesk, 'clearance'>): ExportGate | undefined {
  if (!clearance.guarded) return undefined;
  const refusal = clearance.refusal();
  if (refusal) throw svcError(refusal.code, { mediaId: refusal.mediaId });
  return clearance;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
const toTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Exports as a stored request says. */
export async function runLayoutExport(parts: LayoutTaskParts): Promise<void> {
  const { context, store, desk, request, journal, signal, runId, taskId } = parts;
  const { output, format, recipes, repositories, overwrite } = request.parameters ?? {};
  await exportLayout(
    { config: context.config, report: context.report.child({ runId, taskId }) },
    {
      store,
      gate: selectGate(desk),
      output: toText(output),
      format: format === 'directory' ? 'directory' : 'tar',
      selection: { recipes: toTexts(recipes), repositories: toTexts(repositories) },
      overwrite: overwrite === true,
      actor: request.actor,
      journal,
      signal,
    },
  );
}

/** Imports as a stored request says; entries that are lost are failed items of the journal. */
export async function runLayoutImport(parts: LayoutTaskParts): Promise<void> {
  const { context, store, request, journal, signal, runId, taskId } = parts;
  const { input, repository } = request.parameters ?? {};
  await importLayout(
    { config: context.config, report: context.report.child({ runId, taskId }) },
    {
      openStore: async () => store,
      input: toText(input),
      repository: typeof repository === 'string' ? repository : undefined,
      actor: request.actor,
      journal,
      signal,
    },
  );
}
