import { toStamp } from '../base/clock.ts';
import type { Plan, PlanAnswer } from '../contract/plan.ts';
import { toProblem } from '../engine/sync/plan-sync.ts';
import { prepareSync, type SyncSettings } from '../engine/sync/prepare-sync.ts';
import { toShownSource } from '../engine/sync/read-retriever.ts';
import type { Store } from '../store/model.ts';
import { occupancyOf } from '../store/occupancy.ts';
import { toExitCode, toSvcError } from '../text/error.ts';
import { type Context, selectPrune, toSyncSettings } from './context.ts';

interface PlanInput {
  /** Absent when there is no store yet: everything is new. */
  readonly store: Store | undefined;
  /** A Retriever document instead of the configured source. */
  readonly document?: Buffer | undefined;
  /** Plans no promotion. */
  readonly skipDestination?: boolean | undefined;
  readonly prune?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const outcomes = {
  verification: 'verification-failed',
  policy: 'policy-refused',
  failure: 'failed',
} as const;

/** Plan of a run that cannot start. */
function toFailedPlan(
  settings: Pick<SyncSettings, 'mode' | 'source' | 'destination'>,
  context: Context,
  store: Store | undefined,
  error: unknown,
): PlanAnswer {
  const coded = toSvcError(error);
  const storeBytes = store === undefined ? 0 : occupancyOf(store).bytes;
  const plan: Plan = {
    ...(settings.mode === undefined ? {} : { mode: settings.mode }),
    source: toShownSource(settings.source),
    generatedAt: toStamp(),
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
    prune: { evaluated: false, reason: 'no-retriever', items: [], totalBytes: 0 },
    checks: [],
    problems: [toProblem(coded)],
  };
  return { plan, exit_code: toExitCode(coded) };
}

/**
 * Plans a sync. Reads tags, manifests and signatures of the sources, and the content of the destination.
 * Copies and writes nothing.
 *
 * @returns always a plan: an unavailable or invalid Retriever and missing settings are problems of the plan
 * @throws the reason of the signal
 */
export async function planSync(context: Context, input: PlanInput): Promise<PlanAnswer> {
  const { registry, transport, credentials, policy, report, rounds, tags } = context;
  const { store, document, signal } = input;
  let settings: SyncSettings | undefined;
  try {
    settings = toSyncSettings(context.config, {
      prune: selectPrune(context.config, input.prune),
      skipDestination: input.skipDestination,
      ...(document ? { source: { document, name: 'document' } } : {}),
    });
    const { plan, exitCode } = await prepareSync(
      settings,
      { registry, transport, credentials, policy, report, rounds, tags, signal },
      store,
    );
    return { plan, exit_code: exitCode };
  } catch (error) {
    signal?.throwIfAborted();
    const { mode, retriever } = context.config;
    const source = document ? { document, name: 'document' } : (retriever.source ?? '');
    return toFailedPlan(settings ?? { mode, source, destination: undefined }, context, store, error);
  }
}
