import { systemClock } from '../base/clock.ts';
import type { Details } from '../base/details.ts';
import { type Pace, Rate } from '../base/rate.ts';
import type { Report } from '../base/report.ts';
import { requireSetting } from '../base/require-setting.ts';
import type {
  MediumBlock,
  MediumReport,
  VerificationProgress,
  VerificationState,
} from '../contract/medium.ts';
import type { PlanProblem } from '../contract/plan.ts';
import { noCustody } from '../custody/custody.ts';
import type { Custody, CustodyOutcome, CustodySubject, OpenIntent } from '../custody/model.ts';
import { isOutOfResources } from '../disk/read-error.ts';
import { Clearance } from '../engine/medium/clearance.ts';
import type { FreshnessRecords } from '../engine/medium/freshness.ts';
import type { PassportGuard } from '../engine/medium/judge-passport.ts';
import type { MediumReading } from '../engine/medium/read-medium.ts';
import { selectObstacles } from '../engine/medium/report.ts';
import { toUnopened } from '../engine/medium/unopened.ts';
import { type MediumVerification, verifyMedium } from '../engine/medium/verify-medium.ts';
import { addWaived, withWaived } from '../engine/medium/waivers.ts';
import { withWithdrawals } from '../engine/medium/withdrawals.ts';
import { countErrors } from '../engine/sync/count-errors.ts';
import type { Store } from '../store/model.ts';
import type { ServedStore } from '../store/opening/served-store.ts';
import { isSvcError, svcError, toErrorRecord, toSvcError } from '../text/error.ts';
import type { TrustPolicy } from '../trust/model.ts';

/** The two guards that an administrator may waive. Failures of integrity or signature cannot be waived. */
export interface MediumWaivers {
  readonly allowZoneMismatch?: boolean | undefined;
  readonly allowStale?: boolean | undefined;
  /** Why a guard is waived. */
  readonly reason?: string | undefined;
}

interface MediumVerifierOptions {
  readonly store: Store;
  readonly zone: string | undefined;
  readonly policy: TrustPolicy;
  /** Absent without a state root: no medium is then stale. */
  readonly freshness: FreshnessRecords | undefined;
  /** Whose passports are believed. Default: a passport is not looked at. */
  readonly passports?: PassportGuard | undefined;
  readonly report: Report;
  /** The ledger of verifications. Default: none. */
  readonly custody?: Custody | undefined;
  /** Whether the caller prints the verdicts: a blocked recipe is then no warning in the log. */
  readonly isReported?: boolean | undefined;
  readonly now?: () => number;
  /** Milliseconds of a monotonic clock, for the rate of a walk. */
  readonly clock?: () => number;
  readonly onProgress?: (progress: VerificationProgress) => void;
  /** Store of an instance, whose medium may be replaced: a verification opens the present medium on the disk. */
  readonly served?: Pick<ServedStore, 'isChanged' | 'isOutdated' | 'distrust' | 'reopen'> | undefined;
  /** Throws while something else uses the store, which is then not opened anew. An import asks for itself. */
  readonly requireUnused?: (() => void) | undefined;
  /** Reading that has already started, used by the first verification. Later ones read again. */
  readonly reading?: MediumReading | undefined;
}

/** Verifications of the medium of an instance or a command, one at a time. */
export interface MediumVerifier {
  readonly clearance: Clearance;
  state(): VerificationState;
  /** Whether a verification runs. */
  readonly isBusy: boolean;
  /** Resolves when no verification runs. */
  idle(): Promise<void>;
  /**
   * Verifies the medium, and opens or closes the gate according to the result. Waived guards of this medium
   * remain waived for the lifetime of this verifier. A failure of integrity or signature always closes the
   * gate.
   *
   * @param actor actor of the audit records
   * @param origin client address; a command has none
   * @throws SVC-CFG-001 without a zone, SVC-MED-031 while another verification runs, SVC-STO-007 or, of an
   *   instance, SVC-MED-033 when the medium changes; SVC-TSK-003 when it changed before, and a task uses it
   */
  verify(
    waivers: MediumWaivers,
    actor: string,
    signal?: AbortSignal,
    origin?: string,
  ): Promise<MediumVerification>;
  /**
   * Begins {@link verify} without waiting for its end: {@link state} reports the progress, the report and a failure.
   *
   * @throws SVC-CFG-001 without a zone, SVC-MED-031 while another verification runs
   */
  begin(waivers: MediumWaivers, actor: string, signal?: AbortSignal, origin?: string): void;
  /**
   * Like {@link verify}, but the result has only the guards of these waivers waived: each import needs its
   * own waiver.
   */
  verifyToImport(
    waivers: MediumWaivers,
    actor: string,
    signal?: AbortSignal,
    origin?: string,
  ): Promise<MediumVerification>;
  /**
   * Cancels the verification that runs; that of an import ends with its task. It fails with SVC-TSK-004, and the gate stays as
   * it is.
   *
   * @returns whether one is cancelled
   */
  cancel(actor: string): boolean;
  /** Ends the verification that runs, if one does: the medium is another one by now. It fails with SVC-MED-033. */
  endOutdated(): void;
}

/**
 * Verifies a medium whose disk may be pulled out: content missing for that reason gives no verdict.
 *
 * @throws SVC-STO-019, and the errors of {@link verifyMedium}
 */
async function verifyInPlace(options: Parameters<typeof verifyMedium>[0]): Promise<MediumVerification> {
  const { place } = options.store;
  return place.during(async () => {
    const verification = await verifyMedium(options);
    await place.requireInPlace();
    return verification;
  });
}

/** The recipes of a medium that its verification refused, for the ledger. */
export const listRefused = ({ recipes }: Pick<MediumReport, 'recipes'>): readonly CustodySubject[] =>
  recipes.flatMap(({ name, version, digest, reason }) =>
    reason === undefined ? [] : { name: `${name}@${version}`, digest, code: reason.code },
  );

/** The outcome of a verification, for the ledger. The zone is that of the medium, as in the line about its arrival. */
function describeVerification(
  { report, cleared, manifest, header }: MediumVerification,
  own: string | undefined,
): CustodyOutcome {
  const { verdict, blocks } = report;
  const codes = (isWaived: boolean): readonly string[] =>
    blocks.filter(({ waived = false }) => waived === isWaived).map(({ code }) => code);
  return {
    // an import brings these recipes
    subjects: [
      ...(manifest === undefined ? [] : [{ name: 'media.jsonl', digest: manifest }]),
      ...cleared.map(({ record: { name, version, digest } }) => ({ name: `${name}@${version}`, digest })),
      ...listRefused(report),
    ],
    details: {
      verdict,
      ...(header === undefined ? {} : { medium: header.mediaId, zone: header.zone }),
      ...(header === undefined || header.zone === own ? {} : { ownZone: own }),
      delivery: header?.delivery?.id,
      part: header?.delivery?.part,
      parts: header?.delivery?.parts,
      vouched: manifest === undefined ? undefined : report.passport !== undefined,
      peer: report.passport?.signer,
      blocks: codes(false),
      waived: codes(true),
    },
    result: codes(false).length === 0 ? 'success' : 'failure',
  };
}

/** Actor and client address of a request. */
interface Asking {
  readonly actor: string;
  readonly origin: string | undefined;
}

export function createMediumVerifier(options: MediumVerifierOptions): MediumVerifier {
  const { store, policy, freshness, passports, report, custody = noCustody } = options;
  const now = options.now ?? systemClock.wall;
  const { served } = options;
  const clearance = new Clearance({
    store,
    zone: options.zone,
    report,
    isChanged: served && (() => served.isChanged()),
  });
  let { reading } = options;
  const clock = options.clock ?? (() => performance.now());
  const rate = new Rate();
  let running: VerificationProgress | undefined;
  let walk: Promise<unknown> = Promise.resolve();
  let last: MediumReport | undefined;
  let failure: PlanProblem | undefined;
  /** Ends the walk that runs, of files that are others by now. */
  let outdated = new AbortController();
  /** Cancels the walk that runs; undefined while none does, and during that of an import. */
  let stop: AbortController | undefined;
  /** Waived guards of this medium. */
  let waived: readonly MediumBlock[] = [];

  const paceOf = ({ bytes, totalBytes }: VerificationProgress): Pace => {
    rate.add(clock(), bytes);
    return rate.toPace(totalBytes === undefined ? undefined : totalBytes - bytes);
  };

  /**
   * Opens the medium that is on the disk now, if it differs from the open one. Findings and waivers of the former one
   * are forgotten.
   *
   * @returns the verdict on a medium that cannot be opened; undefined where it was opened, or is the same
   */
  const openAnew = async (zone: string, isOfTask: boolean): Promise<MediumVerification | undefined> => {
    if (served === undefined || !clearance.guarded || !served.isOutdated()) return undefined;
    clearance.closeIfChanged();
    if (!isOfTask) options.requireUnused?.();
    [last, failure, waived, reading] = [undefined, undefined, [], undefined];
    try {
      await served.reopen();
      return undefined;
    } catch (error) {
      if (!isSvcError(error) || !(error.code === 'SVC-STO-001' || error.code === 'SVC-STO-008')) throw error;
      return toUnopened(store.root, zone, error, await freshness?.get(zone));
    }
  };

  /** A failure or a finding of files that changed after they were opened says nothing of the medium. */
  const toChange = async (error: unknown): Promise<unknown> => {
    if (served === undefined || isSvcError(error, 'SVC-STO-019') || isSvcError(error, 'SVC-STO-020'))
      return error;
    if (isSvcError(error, 'SVC-STO-007')) served.distrust();
    if (!clearance.closeIfChanged()) return error;
    const change = svcError('SVC-MED-033', { mediaId: store.mediaId }, { cause: error });
    return store.place.requireInPlace().then(
      () => change,
      (gone: unknown) => gone,
    );
  };

  /** @throws as `Custody.record`: the verification does not begin, and the gate stays as it is */
  const beginCustody = async (zone: string, by: Asking): Promise<OpenIntent> => {
    const { actor, origin } = by;
    // another medium is on the disk: its identifier is known when it was opened
    const isOther = clearance.guarded && served?.isOutdated() === true;
    const medium = isOther ? undefined : store.mediaId;
    try {
      return await custody.begin({
        type: 'verified',
        actor,
        details: { medium, folder: store.root, zone, origin },
      });
    } catch (error) {
      failure = toErrorRecord(error);
      running = undefined;
      throw error;
    }
  };

  /** Records the guards that were waived, before the gate opens. @throws as `Custody.record`: it stays closed */
  const recordWaived = async (
    { report: { blocks }, header }: MediumVerification,
    zone: string,
    by: Asking,
    reason: string | undefined,
  ): Promise<void> => {
    const guards = blocks.filter((block) => block.waived).map(({ code }) => code);
    if (guards.length === 0) return;
    const { actor, origin } = by;
    const delivery = header?.delivery?.id;
    const details = { medium: store.mediaId, delivery, folder: store.root, zone, origin, guards, reason };
    await custody.record({ type: 'waived', actor, details });
  };

  /** @returns the result, with the guards of these waivers waived */
  const run = async (
    waivers: MediumWaivers,
    zone: string,
    by: Asking,
    asked: AbortSignal | undefined,
    isOfTask: boolean,
  ): Promise<MediumVerification> => {
    const intent = await beginCustody(zone, by);
    outdated = new AbortController();
    const signal = AbortSignal.any([outdated.signal, ...(asked ? [asked] : [])]);
    try {
      const unopened = await openAnew(zone, isOfTask);
      const started = reading;
      reading = undefined;
      const verification =
        unopened ??
        (await verifyInPlace({
          reading: started,
          store,
          zone,
          policy,
          freshness: await freshness?.get(zone),
          landings: await freshness?.landings.get(zone),
          arrivals: freshness?.arrivals,
          passports,
          waive: { zoneMismatch: waivers.allowZoneMismatch === true, stale: waivers.allowStale === true },
          report,
          isReported: options.isReported,
          signal,
          now,
          onProgress: (progress) => {
            const before = running;
            running = progress;
            // bytes hashed before the walk began say nothing about its rate
            if (before?.bytes === 0 && progress.bytes > 0) rate.clear();
            rate.add(clock(), progress.bytes);
            if (progress.stage !== before?.stage || progress.recipe !== before.recipe) rate.touch(clock());
            options.onProgress?.(progress);
          },
        }));
      if (clearance.guarded && served?.isChanged()) throw svcError('SVC-MED-033', { mediaId: store.mediaId });
      await recordWaived(verification, zone, by, waivers.reason);
      const nowWaived = addWaived(waived, verification.report.blocks);
      const standing = withWaived(verification, nowWaived);
      await intent.end(describeVerification(standing, zone));
      waived = nowWaived;
      last = standing.report;
      failure = undefined;
      clearance.settle(standing);
      return verification;
    } catch (thrown) {
      const error = asked?.aborted ? thrown : await toChange(thrown);
      await intent.fail(error, asked);
      failure = toErrorRecord(error);
      // a lack of descriptors or memory, or of the disk, is no verdict on the medium
      if (!isOutOfResources(error) && !asked?.aborted) clearance.close();
      throw error;
    } finally {
      [running, stop] = [undefined, undefined];
    }
  };

  const audit = (waivers: MediumWaivers, by: Asking, verification: MediumVerification): void => {
    const { verdict, blocks } = verification.report;
    const { mediaId } = store;
    const waived = blocks.filter((block) => block.waived).map((block) => block.code);
    const details = { verdict, mediaId, ...(waived.length > 0 ? { waived } : {}) };
    // as the line in the custody ledger ends
    const outcome = describeVerification(verification, options.zone).result ?? 'success';
    report.audit({ ...by, action: 'media.verify', target: store.root, outcome, details });
    report.meter.add('svc_media_verifications_total', 1, { verdict });
    if (!waivers.allowZoneMismatch && !waivers.allowStale) return;
    report.audit({
      ...by,
      action: 'media.waiver',
      target: store.root,
      outcome: 'success',
      details: { step: waived.length > 0 ? 'applied' : 'attempt', ...waivers, waived, mediaId },
    });
  };

  /** @throws SVC-CFG-001, SVC-MED-031 at once; the promise fails as the walk does */
  const begin = (
    waivers: MediumWaivers,
    by: Asking,
    ending: AbortSignal | undefined,
    toOutcome: (found: MediumVerification) => MediumVerification,
    isOfTask = false,
  ): Promise<MediumVerification> => {
    const auditFailure = (details: Details): void => {
      const { mediaId } = store;
      const target = store.root;
      report.audit({
        ...by,
        action: 'media.verify',
        target,
        outcome: 'failure',
        details: { ...details, mediaId },
      });
    };
    const zone = requireSetting('zone', options.zone);
    if (running) {
      auditFailure({ code: 'SVC-MED-031' });
      throw svcError('SVC-MED-031', { stage: running.stage, mediaId: store.mediaId });
    }
    running = {
      startedAt: new Date(now()).toISOString(),
      stage: 'inventory',
      files: 0,
      bytes: 0,
      recipes: [],
    };
    rate.clear();
    stop = isOfTask ? undefined : new AbortController();
    const signal = stop === undefined ? ending : AbortSignal.any([stop.signal, ...(ending ? [ending] : [])]);
    const work = run(waivers, zone, by, signal, isOfTask);
    walk = work;
    const finish = async (): Promise<MediumVerification> => {
      try {
        const verification = toOutcome(await work);
        audit(waivers, by, verification);
        return verification;
      } catch (error) {
        auditFailure(signal?.aborted ? { interrupted: true } : { code: toSvcError(error).code });
        throw error;
      }
    };
    return finish();
  };

  /** Counts the blocked recipes. An import counts its failures itself, with those of its pushes. */
  const toCounted = (found: MediumVerification): MediumVerification => {
    const standing = withWaived(found, waived);
    countErrors(selectObstacles(standing.report), report);
    return standing;
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
      ...(clearance.isReplaced ? { replaced: true } : {}),
      ...(running ? { running: { ...running, ...paceOf(running) } } : {}),
      // findings on the former files do not apply to these
      ...(last && !clearance.isReplaced
        ? { report: withWithdrawals(last, clearance.withdrawals, store.mediaId) }
        : {}),
      ...(failure ? { failure } : {}),
    }),
    begin: (waivers, actor, signal, origin) => {
      const finished = begin(waivers, { actor, origin }, signal, toCounted);
      // the state tells how the walk failed
      finished.catch(() => undefined);
    },
    verify: async (waivers, actor, signal, origin) => begin(waivers, { actor, origin }, signal, toCounted),
    verifyToImport: async (waivers, actor, signal, origin) =>
      begin(waivers, { actor, origin }, signal, (found) => found, true),
    cancel: (actor) => {
      stop?.abort(svcError('SVC-TSK-004', { work: 'verification', actor }));
      return stop !== undefined;
    },
    endOutdated: () => outdated.abort(svcError('SVC-MED-033', { mediaId: store.mediaId })),
  };
}
