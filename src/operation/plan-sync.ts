import { isSvcError, toExitCode, toSvcError } from '../base/error.ts';
import type { Plan, PlanAnswer } from '../engine/model.ts';
import { toProblem } from '../engine/plan-sync.ts';
import { prepareSync, type SyncSettings } from '../engine/prepare-sync.ts';
import { toShownSource } from '../engine/read-retriever.ts';
import type { Store } from '../store/model.ts';
import { type Context, toSyncSettings } from './context.ts';

export interface PlanInput {
  /** Absent where there is no store yet: everything is new. */
  readonly store: Store | undefined;
  /** A Retriever document instead of the configured source. */
  readonly document?: Buffer | undefined;
  /** Leaves the destination alone. */
  readonly skipDestination?: boolean | undefined;
  readonly prune?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const outcomes = {
  verification: 'verification-failed',
  policy: 'policy-refused',
  failure: 'failed',
} as const;

/** The plan of a run that cannot even begin. */
function toFailedPlan(
  settings: SyncSettings,
  context: Context,
  store: Store | undefined,
  error: unknown,
): PlanAnswer {
  const coded = toSvcError(error);
  const storeBytes = store?.occupancy().bytes ?? 0;
  const plan: Plan = {
    mode: settings.mode,
    source: toShownSource(settings.source),
    generatedAt: new Date().toISOString(),
    ...(settings.destination ? { destination: settings.destination.registry } : {}),
    outcome: outcomes[coded.class],
    recipes: [],
    totals: {
      recipes: 0,
      ingredients: 0,
      new: 0,
      outdated: 0,
      upToDate: 0,
      totalBytes: 0,
      transferBytes: 0,
      largestFileBytes: 0,
      storeBytes,
      projectedStoreBytes: storeBytes,
    },
    policy: { allowlistDeclared: context.transport.allowlistDeclared, hosts: [] },
    prune: { evaluated: false, reason: 'the Retriever cannot be used', items: [], totalBytes: 0 },
    checks: [],
    problems: [toProblem(coded)],
  };
  return { plan, exit_code: toExitCode(coded) };
}

/**
 * Says what a synchronization would do. Sources are asked for tags, manifests and signatures, and the destination for
 * what it holds; nothing moves and nothing is written.
 *
 * @returns always an answer: a Retriever that cannot be had is a failed plan
 * @throws SVC-VAL-001, SVC-VAL-002 for a document of the caller that cannot be used, SVC-CFG-001 for missing settings
 */
export async function planSync(context: Context, input: PlanInput): Promise<PlanAnswer> {
  const { registry, transport, credentials, policy, report } = context;
  const { store, document, signal } = input;
  const settings = toSyncSettings(context.config, {
    prune: input.prune,
    skipDestination: input.skipDestination,
    ...(document ? { source: { document, name: 'document' } } : {}),
  });
  try {
    const { plan, exitCode } = await prepareSync(
      settings,
      { registry, transport, credentials, policy, report, signal },
      store,
    );
    return { plan, exit_code: exitCode };
  } catch (error) {
    signal?.throwIfAborted();
    if (document && (isSvcError(error, 'SVC-VAL-001') || isSvcError(error, 'SVC-VAL-002'))) throw error;
    return toFailedPlan(settings, context, store, error);
  }
}
