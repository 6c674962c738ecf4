import type { Report } from '../base/report.ts';
import type { AffectedContent, QuarantinedBlob, Store } from '../store/model.ts';

/** Tags named in a log record. */
const maxAffected = 20;

/** A blob that is out of service, with what does not work without it. */
export interface TakenOut extends QuarantinedBlob {
  readonly affects: readonly AffectedContent[];
}

/**
 * Takes damaged blobs out of service, and says so in log and audit with what is affected.
 *
 * @returns those that were; a suspect that is right after all is not among them
 * @throws SVC-STO-002 when a file cannot be moved, SVC-MED-030 on a medium of another maker
 */
export async function takeOut(
  store: Store,
  suspects: Parameters<Store['quarantine']>[0],
  { report, actor }: { readonly report: Report; readonly actor: string },
): Promise<readonly TakenOut[]> {
  const moved = await store.quarantine(suspects);
  const affected = await store.affected(moved.map(({ digest }) => digest));
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
    report.log('error', 'A blob of the store is damaged and was taken out of service', fields);
    return { ...one, affects };
  });
}
