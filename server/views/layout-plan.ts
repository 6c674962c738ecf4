import type { LayoutImportPlan, LayoutPlan } from '../../src/contract/layout.ts';
import type { LayoutRequest } from '../operations.ts';
import type { ViewParts } from './parts.ts';

/**
 * Shows what an export of the store, or of a part of it, would write. Writes nothing.
 *
 * @param request.output absolute path; with it, also checks whether the export can be written there
 * @throws SVC-REG-005, SVC-MED-030, SVC-MED-032; with an output SVC-FIL-003, SVC-LAY-003, SVC-STO-004, SVC-STO-005,
 *   SVC-VAL-001
 */
export function showLayoutPlan(
  { operations }: Pick<ViewParts, 'operations'>,
  request: LayoutRequest & { readonly output?: string | undefined },
): Promise<LayoutPlan> {
  return operations.layout.plan(request);
}

/**
 * Shows what an import of a layout would do, entry by entry. Changes nothing and verifies no content.
 *
 * @param request.input absolute path
 * @throws SVC-FIL-003, SVC-LAY-001, SVC-LAY-002, SVC-MED-030, SVC-REG-001, SVC-VAL-001
 */
export function showLayoutImportPlan(
  { operations }: Pick<ViewParts, 'operations'>,
  request: { readonly input: string; readonly repository?: string | undefined },
): Promise<LayoutImportPlan> {
  return operations.layout.planImport(request);
}
