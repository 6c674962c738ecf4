import type { Holder } from '../../src/base/shares/shares.ts';
import type { Inspection } from '../../src/contract/content.ts';
import type { ViewParts } from './parts.ts';

/**
 * Shows the content that a unit import of a reference would add. Contacts registries.
 *
 * @param asked.signal aborted when the client disconnects
 * @throws SVC-REG-001, SVC-REG-004, and the errors of the registry client
 */
export function showInspection(
  { instance: { context, store, places }, operations }: Pick<ViewParts, 'instance' | 'operations'>,
  {
    reference,
    holder,
    signal: gone,
  }: { readonly reference: string; readonly holder: Holder; readonly signal: AbortSignal },
): Promise<Inspection> {
  return places.inspections.run(holder, gone, (signal) =>
    operations.inspectArtifact(context, { store, reference, signal }),
  );
}
