import { audited } from '../base/audited.ts';
import type { Details } from '../base/details.ts';
import { requireUnchanged } from '../base/digest.ts';
import type { Report } from '../base/report.ts';
import type { ResetResult } from '../contract/store.ts';
import { noCustody } from '../custody/custody.ts';
import type { Custody } from '../custody/model.ts';
import { emptyStore } from '../store/empty-store.ts';
import type { Store } from '../store/model.ts';
import { countContent } from '../store/occupancy.ts';
import type { Tasks } from '../task/queue.ts';
import { svcError } from '../text/error.ts';
import type { MediumVerifier } from './verify-medium.ts';

/** Confirmation that a reset requires; not translated. */
const resetPhrase = 'RESET';

interface ResetStoreParts {
  readonly store: Store;
  readonly tasks: Pick<Tasks, 'whileIdle'>;
  readonly verifier: Pick<MediumVerifier, 'state'>;
  readonly report: Report;
  /** Default: no lines are kept. */
  readonly custody?: Custody | undefined;
}

export interface ResetStoreInput {
  readonly confirmation: string;
  /** Of the preview on which the request rests; absent for a client without a preview. */
  readonly fingerprint?: string | undefined;
  /** Actor of the audit record. */
  readonly actor: string;
  readonly origin?: string | undefined;
  readonly correlationId?: string | undefined;
  /** Authentication is disabled, so that the actor is not authenticated. */
  readonly unauthenticated?: boolean | undefined;
}

/** Members of every audit record of an attempt: the target, and whether the actor is authenticated. */
export function toResetAttempt(
  { root }: Pick<Store, 'root'>,
  unauthenticated: boolean | undefined,
): { readonly target: string; readonly details: Details } {
  return { target: root, details: unauthenticated ? { authentication: 'disabled' } : {} };
}

/**
 * Empties the store and gives it a new medium identifier. History, task logs and the format are kept. A
 * foreign store becomes a store of this instance.
 *
 * @throws SVC-STO-006 (wrong word), SVC-TSK-003 (a task runs), SVC-MED-031 (the medium is being verified),
 *   SVC-SRV-007 (the preview no longer holds), and the errors of the store; every attempt is audited
 */
export async function resetStore(parts: ResetStoreParts, input: ResetStoreInput): Promise<ResetResult> {
  const { store, tasks, verifier, report, custody = noCustody } = parts;
  const { confirmation, fingerprint, actor, origin, correlationId, unauthenticated } = input;
  const former = store.mediaId;
  return audited(
    report,
    { actor, action: 'store.reset', ...toResetAttempt(store, unauthenticated), origin },
    async () => {
      if (confirmation !== resetPhrase) throw svcError('SVC-STO-006', {});
      return tasks.whileIdle(async () => {
        const { running, mediaId } = verifier.state();
        if (running) throw svcError('SVC-MED-031', { stage: running.stage, mediaId });
        return custody.during(
          { type: 'reset', actor, details: { medium: former, folder: store.root } },
          () =>
            emptyStore(store, () =>
              requireUnchanged(fingerprint, () => countContent(store).fingerprint, store.mediaId),
            ),
          (result) => ({ details: { ...result, medium: store.mediaId } }),
        );
      });
    },
    {
      success: (result) => ({ ...result, formerMediaId: former, mediaId: store.mediaId }),
      failure: ({ code }) => ({ code, mediaId: former, correlationId }),
    },
  );
}
