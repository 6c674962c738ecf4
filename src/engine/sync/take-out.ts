import type { Report } from '../../base/report.ts';
import type { AffectedContent } from '../../contract/store.ts';
import { listAffected } from '../../store/list-affected.ts';
import type { QuarantinedBlob, Store } from '../../store/model.ts';
import { quarantine } from '../../store/quarantine.ts';

/** Limit of affected content in one log record. */
const maxAffected = 20;

/** A quarantined blob, and the content that needs it. */
export interface TakenOut extends QuarantinedBlob {
  readonly affects: readonly AffectedContent[];
}

/**
 * Quarantines damaged blobs, and logs and audits each with the affected content.
 *
 * @returns the blobs quarantined; a suspect that proves undamaged is not among them
 * @throws SVC-STO-002 when a file cannot be moved, SVC-MED-030 on a foreign medium
 */
export async function takeOut(
  store: Store,
  suspects: Parameters<typeof quarantine>[1],
  { report, actor }: { readonly report: Report; readonly actor: string },
): Promise<readonly TakenOut[]> {
  const moved = await quarantine(store, suspects);
  const affected = await listAffected(
    store,
    moved.map(({ digest }) => digest),
  );
  const { mediaId } = store;
  return moved.map((one) => {
    const { digest, path, problem } = one;
    const affects = affected.get(digest)?.slice(0, maxAffected) ?? [];
    report.audit({
      actor,
      action: 'store.quarantine',
      target: digest,
      outcome: 'success',
      details: { mediaId, path, problem },
    });
    const fields = { digest, mediaId, path, problem, affects };
    report.log('error', 'A damaged blob of the store was quarantined', fields);
    return { ...one, affects };
  });
}
