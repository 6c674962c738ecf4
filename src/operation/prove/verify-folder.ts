import { realpath } from 'node:fs/promises';
import { systemClock } from '../../base/clock.ts';
import type { Report } from '../../base/report.ts';
import type { MediumReport, VerificationProgress } from '../../contract/medium.ts';
import type { ProofStep } from '../../contract/proof.ts';
import type { HashedFile } from '../../disk/threads/hash-file.ts';
import { type FreshnessRecord, selectHighest } from '../../engine/medium/freshness.ts';
import { hasPassport } from '../../engine/medium/judge-passport.ts';
import type { MediumReading } from '../../engine/medium/read-medium.ts';
import { toUnopened } from '../../engine/medium/unopened.ts';
import { type MediumVerification, verifyMedium } from '../../engine/medium/verify-medium.ts';
import type { CarriedFolder } from '../../engine/prove/carried-folder.ts';
import type { ProofBook } from '../../engine/prove/proof-book.ts';
import { addVerification } from '../../engine/prove/verify-step.ts';
import type { Store } from '../../store/model.ts';
import { isSvcError } from '../../text/error.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { openCarriedStore, openMediumFolder, readOwnStore } from '../open-medium.ts';
import type { ProofBase } from './seed-base.ts';
import type { ProvedMedium } from './sign-proof.ts';

/** A medium with its verification. */
export interface VerifiedMedium extends ProvedMedium {
  readonly verification: MediumVerification;
}

export interface VerifyFolderOptions {
  readonly zone: string;
  /** The opened store of this process, which can be the folder. */
  readonly own?: Store | undefined;
  /** The roots of the zone. */
  readonly policy: TrustPolicy;
  /** The assumed registry of the zone, with its last import. */
  readonly base?: ProofBase | undefined;
  /** Whether the folder gets a passport when it is proved. Default: it counts as one with a passport where it has its own. */
  readonly isStamped?: boolean | undefined;
  readonly report: Report;
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: VerificationProgress) => void) | undefined;
  /** As of `startReading`. */
  readonly readBack?: ReadonlyMap<string, HashedFile> | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Verifies one folder as the zone would: the steps `media` and `trust` of a proof.
 *
 * @param root real path of the folder
 * @param opened keeps its store open until it is disposed of
 * @returns `carried`: undefined for a medium that the zone refuses; `medium`: undefined for a folder that is none
 * @throws SVC-FIL-005, SVC-STO-001 for a folder that cannot be read, SVC-STO-007 when it changes meanwhile
 */
export async function verifyFolder(
  book: ProofBook,
  root: string,
  options: VerifyFolderOptions,
  opened: AsyncDisposableStack,
): Promise<{ readonly carried?: CarriedFolder; readonly medium?: VerifiedMedium }> {
  const { zone, own, policy, report, version, signal, onProgress, base, readBack, isStamped } = options;
  const { now = systemClock.wall } = options;
  const { place } = await openMediumFolder(root);
  const begun = performance.now();
  const carried =
    own !== undefined && root === (await realpath(own.root))
      ? readOwnStore(own)
      : await openCarriedStore(place, { root, zone, producer: { version }, report }, readBack);
  opened.use(carried);
  const { store, failure, reading } = carried;
  let trust = 0;
  let stage: VerificationProgress['stage'] | undefined;
  let entered = begun;
  const watch = (progress: VerificationProgress): void => {
    const at = performance.now();
    if (progress.stage !== stage) {
      if (stage === 'recipes') trust += at - entered;
      [stage, entered] = [progress.stage, at];
    }
    onProgress?.(progress);
  };
  const freshness = base === undefined ? undefined : toFreshness(base);
  const verification = await place.during(async () => {
    const found =
      store === undefined
        ? await toUnopened(root, zone, failure!, freshness)
        : await verifyMedium({
            store,
            zone,
            policy,
            freshness,
            sender: (await isVouched(root, reading, isStamped)) ? sender : undefined,
            waive: { zoneMismatch: false, stale: false },
            report,
            isReported: true,
            isProof: true,
            now,
            signal,
            reading,
            onProgress: watch,
          });
    await place.requireInPlace();
    return found;
  });
  const milliseconds: Readonly<Record<Extract<ProofStep, 'media' | 'trust'>, number>> = {
    media: performance.now() - begun - trust,
    trust,
  };
  addVerification(book, root, verification.report, milliseconds);
  if (store === undefined) return {};
  const medium = { root: store.root, mediaId: store.mediaId, manifest: reading.manifest, verification };
  return isBlocked(verification.report)
    ? { medium }
    : { medium, carried: { folder: root, store, verification, outcomes: await reading.outcomes } };
}

const isBlocked = ({ blocks }: MediumReport): boolean => blocks.some(({ waived }) => !waived);

/** Name of the sender in a proof: the zone may give it another one. */
const sender = 'sender';

/** Whether a medium has its own passport, or gets it. */
async function isVouched(
  root: string,
  { inventory }: MediumReading,
  isStamped: boolean | undefined,
): Promise<boolean> {
  if (isStamped !== undefined) return isStamped;
  try {
    const { header, digest: manifest } = await inventory;
    return await hasPassport(root, { header, manifest });
  } catch (error) {
    // the verification reports it
    if (!isSvcError(error)) throw error;
    return false;
  }
}

/** The last import of the zone, as its receipt names it. */
function toFreshness({ receipt }: ProofBase): FreshnessRecord | undefined {
  const { freshness, issuedAt, recipes } = receipt;
  if (freshness === undefined) return undefined;
  const { vouched, ...medium } = freshness;
  const last = { ...medium, importedAt: issuedAt, runId: '' };
  const versions = recipes.flatMap(({ name, version }) =>
    name === undefined || version === undefined ? [] : [{ name, version }],
  );
  return {
    ...last,
    vouched: vouched ? [last] : [],
    recipes: Object.fromEntries(selectHighest(versions)),
  };
}
