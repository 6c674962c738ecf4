import { type Report, silentReport } from '../../../src/base/report.ts';
import type { VerificationProgress } from '../../../src/contract/medium.ts';
import { startHashThreadsBeside } from '../../../src/disk/threads/hash-threads.ts';
import type { FreshnessRecord } from '../../../src/engine/medium/freshness.ts';
import type { PassportGuard } from '../../../src/engine/medium/judge-passport.ts';
import { type MediumReading, startReading } from '../../../src/engine/medium/read-medium.ts';
import { toUnopened } from '../../../src/engine/medium/unopened.ts';
import { type MediumVerification, verifyMedium } from '../../../src/engine/medium/verify-medium.ts';
import { isSvcError } from '../../../src/text/error.ts';
import type { TrustPolicy } from '../../../src/trust/model.ts';
import type { Signer } from '../content/signer.ts';
import { openStoreAt } from '../instance/open-store-at.ts';

/** A policy that trusts these signers everywhere. */
export function trust(...signers: readonly Signer[]): TrustPolicy {
  return {
    roots: signers.map(({ publicKey, fingerprint }, i) => ({
      name: `root-${i}`,
      key: publicKey,
      fingerprint,
    })),
    scopes: [],
    missing: [],
  };
}

/** Reads a medium on this thread alone: starting one costs more processor time than reading a medium of a test. */
export const readHere = (root: string, maxManifestBytes?: number): MediumReading =>
  startReading(root, { threads: startHashThreadsBeside(1), maxManifestBytes });

/** Verifies a carried medium as a zone does: a foreign store, opened shared. */
export async function verifyCarried(
  root: string,
  policy: TrustPolicy,
  options: {
    readonly zone?: string;
    readonly freshness?: FreshnessRecord;
    readonly passports?: PassportGuard;
    readonly waive?: { readonly zoneMismatch: boolean; readonly stale: boolean };
    readonly now?: () => number;
    readonly maxManifestBytes?: number;
    readonly report?: Report;
    readonly stateRoot?: string;
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: VerificationProgress) => void;
  } = {},
): Promise<MediumVerification> {
  const {
    zone = 'zone-b',
    freshness,
    waive = { zoneMismatch: false, stale: false },
    now = Date.now,
    report = silentReport,
    stateRoot,
    ...more
  } = options;
  const opened = openStoreAt({ root, stateRoot }, { zone, access: 'read', report });
  let failure: unknown;
  await using store = await opened.catch((error: unknown) => {
    failure = error;
    return undefined;
  });
  if (store === undefined) {
    if (isSvcError(failure)) return toUnopened(root, zone, failure);
    throw failure;
  }
  const reading = readHere(store.root, more.maxManifestBytes);
  return verifyMedium({ store, zone, policy, freshness, waive, report, now, reading, ...more });
}
