import type { MediumReport } from '../../contract/medium.ts';
import type { Task } from '../../contract/task.ts';
import { requireImportSettings } from '../import-medium.ts';
import type { Instance, Requester } from './instance.ts';

/** A request for the medium. Its waivers were checked: only those of administrators are true. */
export interface MediumRequest extends Requester {
  readonly allowZoneMismatch: boolean;
  readonly allowStale: boolean;
  readonly reason?: string | undefined;
}

type VerifyingParts = Pick<Instance, 'verifier' | 'filesets' | 'views' | 'signal'>;

/** Judges the served content again: the gate may let other content through now. */
function reassess({ filesets, views }: VerifyingParts): void {
  filesets.assess();
  views.review();
}

/** Begins a verification without waiting for it. @throws SVC-MED-031 while one runs */
export function beginVerification(
  instance: VerifyingParts,
  { allowZoneMismatch, allowStale, reason, actor, origin }: MediumRequest,
): void {
  const { verifier, signal } = instance;
  verifier.begin({ allowZoneMismatch, allowStale, reason }, actor, signal, origin);
  void verifier.idle().then(() => reassess(instance));
}

/** Verifies the medium. The verification continues when the client disconnects. @throws SVC-MED-031 while one runs */
export async function verifyMedium(
  instance: VerifyingParts,
  { allowZoneMismatch, allowStale, reason, actor, origin }: MediumRequest,
): Promise<MediumReport> {
  const { verifier, signal } = instance;
  const { report } = await verifier.verify({ allowZoneMismatch, allowStale, reason }, actor, signal, origin);
  reassess(instance);
  return report;
}

/** Creates the task that imports the medium. @throws SVC-MED-031, SVC-TSK-002, SVC-CFG-001 */
export async function submitMediumImport(
  { context, store, tasks }: Pick<Instance, 'context' | 'store' | 'tasks'>,
  { allowZoneMismatch, allowStale, reason, actor, rank, origin, requestId }: MediumRequest,
): Promise<Task> {
  requireImportSettings(context);
  return tasks.submit(
    {
      type: 'media-import',
      reference: store.mediaId,
      actor,
      origin,
      requestId,
      parameters: { allowZoneMismatch, allowStale, ...(reason === undefined ? {} : { reason }) },
    },
    rank,
  );
}
