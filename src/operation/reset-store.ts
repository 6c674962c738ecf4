import { audited } from '../base/audited.ts';
import { svcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import { emptyStore } from '../store/empty-store.ts';
import type { Store } from '../store/model.ts';
import type { Tasks } from '../task/queue.ts';
import type { MediumVerifier } from './verify-medium.ts';

/** What must be typed to empty a store: the same word in every language. */
const resetPhrase = 'RESET';

interface ResetStoreParts {
  readonly store: Store;
  readonly tasks: Pick<Tasks, 'whileIdle'>;
  readonly verifier: Pick<MediumVerifier, 'state'>;
  readonly report: Report;
}

export interface ResetStoreInput {
  readonly confirmation: string;
  /** Whom the audit record names. */
  readonly actor: string;
  readonly origin?: string | undefined;
  readonly correlationId?: string | undefined;
  /** Authentication is disabled: anybody could have asked. */
  readonly unauthenticated?: boolean | undefined;
}

/** What is gone. */
export interface ResetResult {
  readonly repositories: number;
  readonly bytes: number;
}

/**
 * Empties the store under a new medium id. History, task logs and the format stay. A foreign store becomes ours by it.
 *
 * @throws SVC-STO-006 (wrong word), SVC-TSK-003 (a task runs), SVC-MED-031 (the medium is being verified), and what the
 *   store throws; every attempt is audited
 */
export async function resetStore(parts: ResetStoreParts, input: ResetStoreInput): Promise<ResetResult> {
  const { store, tasks, verifier, report } = parts;
  const { confirmation, actor, origin, correlationId, unauthenticated } = input;
  const former = store.mediaId;
  const details = unauthenticated ? { authentication: 'disabled' } : {};
  return audited(
    report,
    { actor, action: 'store.reset', target: store.root, origin, details },
    async () => {
      if (confirmation !== resetPhrase) throw svcError('SVC-STO-006', {});
      return tasks.whileIdle(async () => {
        const { running, mediaId } = verifier.state();
        if (running) throw svcError('SVC-MED-031', { stage: running.stage, mediaId });
        return emptyStore(store);
      });
    },
    {
      success: (result) => ({ ...result, formerMediaId: former, mediaId: store.mediaId }),
      failure: ({ code }) => ({ code, mediaId: former, correlationId }),
    },
  );
}
