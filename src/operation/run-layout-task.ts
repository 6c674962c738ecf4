import { toGateError } from '../base/gate-refusal.ts';
import type { Report } from '../base/report.ts';
import type { LayoutImport } from '../contract/layout.ts';
import type { MediumReport } from '../contract/medium.ts';
import type { TaskItem } from '../contract/task.ts';
import { selectAsked } from '../engine/layout/select-asked.ts';
import type { ExportGate, LayoutSelection } from '../engine/layout/select-entries.ts';
import { selectObstacles, toBlockingError } from '../engine/medium/report.ts';
import { nameRecipes } from '../engine/sync/name-recipes.ts';
import type { Store } from '../store/model.ts';
import type { TaskJournal } from '../task/model.ts';
import type { LayoutExportRequest, LayoutImportRequest } from '../task/request.ts';
import { type SvcError, selectPrincipal, toErrorRecord } from '../text/error.ts';
import { exportLayout, type LayoutExport } from './export-layout.ts';
import { importLayout } from './import-layout.ts';
import type { Configured } from './layout-paths.ts';
import type { MediumVerifier } from './verify-medium.ts';

/** Dependencies and request of a layout task. */
interface LayoutTaskParts<R> {
  readonly context: Configured & { readonly report: Report };
  readonly request: R;
  readonly runId: string;
  readonly taskId: string;
  readonly journal: TaskJournal;
  readonly signal: AbortSignal;
  readonly onBytes?: (done: number, total: number) => void;
}

/** The content that may be exported from a store. */
export interface ExportPermit {
  /** Absent when everything may be exported. */
  readonly gate: ExportGate | undefined;
  /** Most severe error, if selected content is not exported. */
  readonly blocked: SvcError | undefined;
  /** Blocked recipes of the selection, as failed items of a task. */
  readonly items: readonly TaskItem[];
}

/**
 * Selects the content that may be exported from the store of an instance, according to the last verification.
 *
 * @throws SVC-MED-030, SVC-MED-032 while the gate is closed
 */
export function selectPermit(
  store: Pick<Store, 'index'>,
  verifier: Pick<MediumVerifier, 'clearance' | 'state'>,
  selection: LayoutSelection,
): ExportPermit {
  const { clearance } = verifier;
  if (!clearance.guarded) return freePermit;
  const refusal = clearance.refusal();
  if (refusal) throw toGateError(refusal);
  return toPermit(clearance, verifier.state().report ?? { blocks: [], recipes: [] }, store, selection);
}

/** Everything may be exported. */
export const freePermit: ExportPermit = { gate: undefined, blocked: undefined, items: [] };

/** Selects the content that may be exported from a verified foreign store. */
export function toPermit(
  gate: ExportGate,
  verified: Pick<MediumReport, 'blocks' | 'recipes'>,
  store: Pick<Store, 'index'>,
  selection: LayoutSelection,
): ExportPermit {
  const asked = selectAsked(verified, store, selection);
  const names = nameRecipes(asked.recipes);
  return {
    gate,
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

/** Runs the export of a task. Blocked recipes are failed items of the journal; passing content is exported. */
export async function runLayoutExport(
  parts: LayoutTaskParts<Pick<LayoutExportRequest, 'actor' | 'parameters'>> & {
    readonly store: Store;
    readonly permit: ExportPermit;
  },
): Promise<LayoutExport> {
  const { context, store, permit, request, journal, signal, runId, taskId, onBytes } = parts;
  const { output, format, recipes, repositories, overwrite } = request.parameters;
  const selection = { recipes, repositories };
  const { gate, blocked, items } = permit;
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
        ...(onBytes ? { onBytes } : {}),
      },
    );
    if (exported.blocked && items.length > 0) await record();
    return exported;
  } catch (error) {
    if (!signal.aborted) await record();
    throw error;
  }
}

/** Runs the import of a task. Failed entries are failed items of the journal. */
export async function runLayoutImport(
  parts: LayoutTaskParts<Pick<LayoutImportRequest, 'actor' | 'parameters'>> & {
    readonly openStore: () => Promise<Store>;
  },
): Promise<LayoutImport> {
  const { context, openStore, request, journal, signal, runId, taskId, onBytes } = parts;
  const { input, repository, fingerprint } = request.parameters;
  return importLayout(
    { ...context, report: context.report.child({ runId, taskId }) },
    {
      openStore,
      input,
      repository,
      fingerprint,
      actor: request.actor,
      journal,
      signal,
      ...(onBytes ? { onBytes } : {}),
    },
  );
}
