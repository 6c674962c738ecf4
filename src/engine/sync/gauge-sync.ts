import type { Meter } from '../../base/report.ts';
import type { SyncOutcome } from '../../contract/common.ts';

/** Sets the gauge of the last outcome. */
export function setLastOutcome(meter: Meter, outcome: SyncOutcome): void {
  for (const each of ['success', 'partial', 'failure'] as const)
    meter.set('svc_sync_last_outcome', each === outcome ? 1 : 0, { outcome: each });
}

/** Sets the gauges of the recipes of the last run that resolved its Retriever. */
export function setRecipes(
  meter: Meter,
  counts: { readonly complete: number; readonly failed: number },
): void {
  for (const [status, count] of Object.entries(counts)) meter.set('svc_sync_recipes', count, { status });
}

/** Result of a run that resolved its Retriever. @param complete number of complete recipes */
export function toSyncResult(complete: number, failed: number): SyncOutcome {
  if (failed === 0) return 'success';
  return complete > 0 ? 'partial' : 'failure';
}
