import { svcError } from '../../src/base/error.ts';
import type { PlanAnswer } from '../../src/engine/sync/model.ts';
import type { PrunePreview } from '../../src/operation/prune-preview.ts';
import type { ViewParts } from './parts.ts';

/** Maximum size of a Retriever document or recipe in a request, in bytes. */
export const largestDocument = 4_194_304;

export interface PlanQuery {
  /** A Retriever document to plan with instead of the configured one. */
  readonly document?: string | undefined;
  readonly skipDestination?: boolean | undefined;
  readonly actor: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Plans a synchronization. Contacts registries; changes nothing.
 *
 * @throws SVC-VAL-002 for a document that is too large, SVC-SRV-006 when other plans take too long
 */
export async function showPlan(
  { operations }: Pick<ViewParts, 'operations'>,
  { document, skipDestination, actor, signal }: PlanQuery,
): Promise<PlanAnswer> {
  if (document !== undefined && Buffer.byteLength(document) > largestDocument)
    throw svcError('SVC-VAL-002', { limit: largestDocument, file: 'document' });
  return operations.plan({
    signal,
    actor,
    ...(document === undefined ? {} : { document }),
    ...(skipDestination === undefined ? {} : { skipDestination }),
  });
}

/** Shows what a prune would remove. @throws the error of a Retriever that cannot be resolved */
export function showPrunePreview({ operations }: Pick<ViewParts, 'operations'>): Promise<PrunePreview> {
  return operations.prunePreview();
}
