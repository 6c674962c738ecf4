import { svcError, toErrorRecord, toSvcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import { Clearance } from '../engine/medium/clearance.ts';
import type { FreshnessRecords } from '../engine/medium/freshness.ts';
import type { MediumReading } from '../engine/medium/read-medium.ts';
import { type MediumVerification, verifyMedium } from '../engine/medium/verify-medium.ts';
import type { MediumReport, Problem, VerificationProgress, VerificationState } from '../engine/model.ts';
import type { Store } from '../store/model.ts';
import type { TrustPolicy } from '../trust/model.ts';

/** The two guards that an administrator may waive; nothing waives integrity or a signature. */
export interface MediumWaivers {
  readonly allowZoneMismatch?: boolean | undefined;
  readonly allowStale?: boolean | undefined;
}

export interface MediumDeskOptions {
  readonly store: Store;
  readonly zone: string | undefined;
  readonly policy: TrustPolicy;
  /** Absent without a state root: nothing is remembered, so nothing is stale. */
  readonly freshness: FreshnessRecords | undefined;
  readonly report: Report;
  readonly now?: () => number;
  readonly onProgress?: (progress: VerificationProgress) => void;
  /** What the first verification judges; the others read for themselves. */
  readonly reading?: MediumReading | undefined;
}

/** Verifications of the medium that an instance or a command stands on: one walk at a time. */
export interface MediumDesk {
  readonly clearance: Clearance;
  state(): VerificationState;
  /** Whether a walk is under way. */
  readonly isBusy: boolean;
  /** Resolves when no walk is under way. */
  idle(): Promise<void>;
  /**
   * Verifies the medium, and opens or closes what is served by the outcome.
   *
   * @throws SVC-CFG-001 without a zone, SVC-MED-031 while another walk is under way, SVC-STO-007 when the medium changes
   */
  verify(waivers: MediumWaivers, actor: string, signal?: AbortSignal): Promise<MediumVerification>;
}

/** Without a zone there is nothing that a medium could be addressed to. @throws SVC-CFG-001 */
export function requireZone(zone: string | undefined): string {
  if (zone === undefined)
    throw svcError('SVC-CFG-001', { setting: 'zone', detail: 'is required and not set' });
  return zone;
}

export function createMediumDesk(options: MediumDeskOptions): MediumDesk {
  const { store, policy, freshness, report } = options;
  const now = options.now ?? Date.now;
  const clearance = new Clearance({ store, zone: options.zone, report });
  let { reading } = options;
  let running: VerificationProgress | undefined;
  let walk: Promise<unknown> = Promise.resolve();
  let last: MediumReport | undefined;
  let failure: Problem | undefined;

  const run = async (
    waivers: MediumWaivers,
    zone: string,
    signal?: AbortSignal,
  ): Promise<MediumVerification> => {
    try {
      const started = reading;
      reading = undefined;
      const verification = await verifyMedium({
        reading: started,
        store,
        zone,
        policy,
        freshness: await freshness?.get(zone),
        waive: { zoneMismatch: waivers.allowZoneMismatch === true, stale: waivers.allowStale === true },
        report,
        signal,
        now,
        onProgress: (progress) => {
          running = progress;
          options.onProgress?.(progress);
        },
      });
      last = verification.report;
      failure = undefined;
      clearance.settle(verification);
      return verification;
    } catch (error) {
      failure = toErrorRecord(error);
      clearance.close();
      throw error;
    } finally {
      running = undefined;
    }
  };

  const audit = (waivers: MediumWaivers, actor: string, verification: MediumVerification): void => {
    const { verdict, blocks } = verification.report;
    const { mediaId } = store;
    const details = { verdict, mediaId };
    report.audit({ actor, action: 'media.verify', target: store.root, outcome: 'success', details });
    report.meter.add('svc_media_verifications_total', 1, { verdict });
    if (!waivers.allowZoneMismatch && !waivers.allowStale) return;
    const waived = blocks.filter((block) => block.waived).map((block) => block.code);
    report.audit({
      actor,
      action: 'media.waiver',
      target: store.root,
      outcome: 'success',
      details: { ...waivers, waived, mediaId },
    });
  };

  return {
    clearance,
    get isBusy() {
      return running !== undefined;
    },
    idle: async () => {
      await walk.catch(() => undefined);
    },
    state: () => ({
      guarded: clearance.guarded,
      serving: clearance.serving,
      mediaId: store.mediaId,
      ...(running ? { running } : {}),
      ...(last ? { report: last } : {}),
      ...(failure ? { failure } : {}),
    }),
    verify: async (waivers, actor, signal) => {
      const zone = requireZone(options.zone);
      if (running) throw svcError('SVC-MED-031', { stage: running.stage, mediaId: store.mediaId });
      running = { startedAt: new Date(now()).toISOString(), stage: 'inventory', files: 0, bytes: 0 };
      const work = run(waivers, zone, signal);
      walk = work;
      try {
        const verification = await work;
        audit(waivers, actor, verification);
        return verification;
      } catch (error) {
        const reason = signal?.aborted ? { interrupted: true } : { code: toSvcError(error).code };
        report.audit({
          actor,
          action: 'media.verify',
          target: store.root,
          outcome: 'failure',
          details: { ...reason, mediaId: store.mediaId },
        });
        throw error;
      }
    },
  };
}
