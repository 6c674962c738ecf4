import { svcError, toSvcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import type { Store } from '../store/model.ts';
import type { Tasks } from '../task/queue.ts';
import type { MediumDesk } from './verify-medium.ts';

/** What must be typed to empty a store: the same word in every language. */
export const resetPhrase = 'RESET';

export interface ResetStoreParts {
  readonly store: Store;
  readonly tasks: Pick<Tasks, 'whileIdle'>;
  readonly desk: Pick<MediumDesk, 'state'>;
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
  const { store, tasks, desk, report } = parts;
  const { confirmation, actor, origin, correlationId, unauthenticated } = input;
  const former = store.mediaId;
  const audit = (
    outcome: 'success' | 'failure' | 'denied',
    details: Readonly<Record<string, unknown>>,
  ): void => {
    const common = { actor, action: 'store.reset', target: store.root, outcome, origin } as const;
    const context = unauthenticated ? { authentication: 'disabled' } : {};
    report.audit({ ...common, details: { ...context, ...details } });
  };
  try {
    if (confirmation !== resetPhrase) throw svcError('SVC-STO-006', {});
    const result = await tasks.whileIdle(async () => {
      const { running, mediaId } = desk.state();
      if (running) throw svcError('SVC-MED-031', { stage: running.stage, mediaId });
      return store.reset();
    });
    audit('success', { ...result, formerMediaId: former, mediaId: store.mediaId });
    return result;
  } catch (error) {
    const { code, class: kind } = toSvcError(error);
    audit(kind === 'policy' ? 'denied' : 'failure', { code, mediaId: former, correlationId });
    throw error;
  }
}
