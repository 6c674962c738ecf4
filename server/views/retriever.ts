import type { Interval, Occupancy, RetrieverRecord } from '../../src/contract/recipe.ts';
import { toShownSource } from '../../src/engine/sync/read-retriever.ts';
import { selectPrune } from '../../src/operation/context.ts';
import { occupancyOf } from '../../src/store/occupancy.ts';
import { isPruning } from '../../src/task/prune-order.ts';
import type { ViewParts } from './parts.ts';
import { lastPlanOf } from './plan.ts';

type Parts = Pick<ViewParts, 'instance'>;

/**
 * Whether an instance takes recipes only as others push them: it has no source and no zone, so it verifies none, and a recipe
 * without a verdict is no alarm.
 */
export const takesPushesOnly = ({ instance: { context } }: Parts): boolean =>
  context.config.retriever.source === undefined && context.config.zone === undefined;

const names = new WeakMap<ViewParts['instance'], string>();

/**
 * The name of the Retriever: as the last synchronization read it, else the last plan. It outlives a reset of the store, which
 * forgets that synchronization, and not a restart after one.
 */
export function retrieverName({ instance }: Parts): string | undefined {
  const name = instance.store.lastSync?.zone ?? lastPlanOf({ instance })?.zone;
  if (name !== undefined) names.set(instance, name);
  return name ?? names.get(instance);
}

/** The configuration of the synchronization, the last one, and the background check of the store. */
export function describeRetriever({
  instance: {
    context: { config },
    store,
    scrub,
  },
}: Parts): RetrieverRecord {
  const { source } = config.retriever;
  const { registry, cookbook } = config.destination;
  return {
    ...(source === undefined ? {} : { source: toShownSource(source) }),
    mode: config.mode,
    ...(config.zone === undefined ? {} : { zone: config.zone }),
    ...(registry === undefined ? {} : { destination: registry, cookbook }),
    substitutions: Object.entries(config.registries.substitutions).map(([host, base]) => ({ host, base })),
    relaxedScopes: config.trust.scopes,
    anonymousFilesets: [...config.files.filesets, ...config.files.views].flatMap(({ name, anonymous }) =>
      anonymous ? [name] : [],
    ),
    prune: isPruning(selectPrune(config, undefined)),
    scrub: scrub.view(),
    ...(store.lastSync === undefined ? {} : { lastSync: store.lastSync }),
  };
}

/** The size of the store, and whether it exceeds its threshold. */
export function describeOccupancy({ instance: { context, store } }: Parts): Occupancy {
  const { bytes, sampledAt } = occupancyOf(store);
  const thresholdBytes = context.config.storage.occupancyThreshold;
  return {
    bytes,
    ...(thresholdBytes === undefined ? {} : { thresholdBytes }),
    monitored: thresholdBytes !== undefined,
    exceeded: thresholdBytes !== undefined && bytes > thresholdBytes,
    sampledAt,
  };
}

export interface RetrieverView extends RetrieverRecord {
  /** Absent in mirror mode. */
  readonly interval?: Interval;
  readonly occupancy: Occupancy;
}

/** Shows source, relaxed trust scopes, interval, occupancy and the background check of the store. */
export function showRetriever({
  instance,
  schedule,
}: Pick<ViewParts, 'instance' | 'schedule'>): RetrieverView {
  return {
    ...describeRetriever({ instance }),
    ...(schedule === undefined ? {} : { interval: schedule.interval }),
    occupancy: describeOccupancy({ instance }),
  };
}
