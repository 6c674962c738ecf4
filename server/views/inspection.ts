import type { Inspection } from '../../src/engine/import/model.ts';
import type { ViewParts } from './parts.ts';

/**
 * Shows what a unit import of a reference would add. Asks the network.
 *
 * @param request.signal ends the work when the client leaves
 * @throws SVC-REG-001, SVC-REG-004, and what the registry client throws
 */
export function showInspection(
  { operations }: Pick<ViewParts, 'operations'>,
  request: { readonly reference: string; readonly signal: AbortSignal },
): Promise<Inspection> {
  return operations.inspect(request);
}
