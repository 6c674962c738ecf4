import type { Serial } from '../../base/concurrency.ts';
import type { InstancePlaces } from '../../base/shares/places.ts';
import type { Rank } from '../../base/shares/shares.ts';
import type { ConfigFor } from '../../config/requirements.ts';
import type { ChartViews } from '../../engine/fileset/chart-views.ts';
import type { ServedFilesets } from '../../engine/fileset/served-model.ts';
import type { FreshnessRecords } from '../../engine/medium/freshness.ts';
import type { Store } from '../../store/model.ts';
import type { Tasks } from '../../task/queue.ts';
import type { Context } from '../context.ts';
import type { StoreScrub } from '../scrub-store.ts';
import type { ShownPlan } from '../shown-plan.ts';
import type { MediumVerifier } from '../verify-medium.ts';
import type { ProofRecord } from './proof-record.ts';

/** A running instance, as the operations that it offers see it. */
export interface Instance {
  readonly context: Context<ConfigFor<'serve'>>;
  readonly store: Store;
  readonly verifier: MediumVerifier;
  readonly tasks: Tasks;
  /** Passes the plan that a trigger showed to the run. */
  readonly shown: ShownPlan;
  readonly filesets: ServedFilesets;
  /** Generated trees that are served beside the FileSets. */
  readonly views: ChartViews;
  /** The background check of the store. */
  readonly scrub: Pick<StoreScrub, 'view'>;
  /** Absent without a state root. */
  readonly freshness: FreshnessRecords | undefined;
  readonly places: InstancePlaces;
  /** Proofs that continue without their client. */
  readonly proofs: ProofRecord;
  /** Folders are packed one at a time: each pack checks the free space before it writes. */
  readonly packs: Serial;
  /** Aborted when the instance stops; ends work that continues after its client has disconnected. */
  readonly signal: AbortSignal;
}

/** The caller that asks for a task. The schedule has an actor only. */
export interface Requester {
  readonly actor: string;
  /** Of the actor, for its share of the queue. */
  readonly rank?: Rank;
  /** Client address, for audit records. */
  readonly origin?: string;
  /** Correlation identifier of the request. */
  readonly requestId?: string;
}
