import { systemClock } from '../../base/clock.ts';
import type { Report } from '../../base/report.ts';
import type { MediumReport, VerificationProgress } from '../../contract/medium.ts';
import type { MediumProof } from '../../contract/proof.ts';
import { readHeaderOf } from '../../engine/medium/find-medium.ts';
import type { FreshnessRecord } from '../../engine/medium/freshness.ts';
import { toUnopened } from '../../engine/medium/unopened.ts';
import { type MediumVerification, verifyMedium } from '../../engine/medium/verify-medium.ts';
import { type CarriedFolder, toHashedTest } from '../../engine/prove/carried-folder.ts';
import { importFolders } from '../../engine/prove/import-step.ts';
import type { ProofLimit } from '../../engine/prove/limits.ts';
import {
  openMemoryRegistry,
  type RegistryTrait,
  registryTraits,
} from '../../engine/prove/memory-registry.ts';
import { ProofBook } from '../../engine/prove/proof-book.ts';
import { addVerification } from '../../engine/prove/verify-step.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { openCarriedStore, openMediumFolder } from '../open-medium.ts';

export interface ProveMediumInput {
  /** The folders of the delivery, in any order. */
  readonly folders: readonly string[];
  /** The roots of the zone that receives the delivery. Scopes are not used. */
  readonly policy: TrustPolicy;
  /** Whether the roots are those of this configuration, as none of the zone were given. */
  readonly hasOwnRoots: boolean;
  /** The receiving zone. Default: the zone that the first medium is addressed to. */
  readonly zone?: string | undefined;
  /** Whether a warning counts like an error. */
  readonly strict: boolean;
  readonly report: Report;
  /** Version of the program. */
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: VerificationProgress) => void) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The names that the import gets: those of the zone are not known. */
const destination = { registry: 'registry.invalid', cookbook: 'cookbook' } as const;

/**
 * Proves that a zone would come up from some media: verifies them under its roots, imports them into a registry in
 * memory, and looks for content that would be absent. Opens no connection and writes nothing.
 *
 * @returns the proof, with any verdict
 * @throws SVC-FIL-005, SVC-STO-001 for a folder that cannot be read, SVC-STO-007 when a medium changes meanwhile
 */
export async function proveMedium(input: ProveMediumInput): Promise<MediumProof> {
  const { signal, strict } = input;
  // a relaxed scope of this configuration says nothing about the zone
  const policy = { ...input.policy, scopes: [] };
  const book = new ProofBook();
  await using opened = new AsyncDisposableStack();
  const zone = input.zone ?? (await readZone(input.folders));
  const folders: CarriedFolder[] = [];
  for (const folder of input.folders) {
    const { verification, store, milliseconds } = await verifyFolder(
      folder,
      zone,
      { ...input, policy },
      opened,
    );
    addVerification(book, folder, verification.report, milliseconds);
    if (store !== undefined && !isBlocked(verification.report)) folders.push({ folder, store, verification });
  }
  const registry = openMemoryRegistry({
    traits: Object.fromEntries(registryTraits.map((trait) => [trait, 'unknown'])) as Record<
      RegistryTrait,
      'unknown'
    >,
    isHashed: toHashedTest(folders),
  });
  await book.measure('import', () => importFolders(book, folders, { registry, destination, policy, signal }));
  for (const trait of registryTraits)
    for (const reference of registry.unsure[trait])
      book.find('capacity', 'warning', reference, svcError('SVC-CLO-004', { reference, problem: trait }));
  const limits: ProofLimit[] = [
    'runtime-images',
    'application-settings',
    'admission-policies',
    'trust-scopes',
  ];
  if (input.hasOwnRoots) limits.push('own-roots');
  limits.push('free-space');
  return book.conclude({ kind: 'empty' }, limits, { strict });
}

const isBlocked = ({ blocks }: MediumReport): boolean => blocks.some(({ waived }) => !waived);

/** The zone that the first readable medium is addressed to. */
async function readZone(folders: readonly string[]): Promise<string> {
  for (const folder of folders) {
    try {
      return (await readHeaderOf(folder)).zone;
    } catch (error) {
      // the verification of the folder reports it
      if (!isSvcError(error)) throw error;
    }
  }
  return '';
}

/** Verifies one folder as the zone would. The store stays open until `opened` is disposed of. */
async function verifyFolder(
  root: string,
  zone: string,
  { policy, report, version, signal, onProgress, now = systemClock.wall }: ProveMediumInput,
  opened: AsyncDisposableStack,
) {
  const place = await openMediumFolder(root);
  const carried = await openCarriedStore(place, { root, zone, producer: { version }, report });
  opened.use(carried);
  const { store, failure, reading } = carried;
  const begun = performance.now();
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
  const freshness: FreshnessRecord | undefined = undefined;
  const verification: MediumVerification = await place.during(async () => {
    const found =
      store === undefined
        ? await toUnopened(root, zone, failure!, freshness)
        : await verifyMedium({
            store,
            zone,
            policy,
            freshness,
            waive: { zoneMismatch: false, stale: false },
            report,
            isReported: true,
            now,
            signal,
            reading,
            onProgress: watch,
          });
    await place.requireInPlace();
    return found;
  });
  const milliseconds = { media: performance.now() - begun - trust, trust };
  return { verification, store, milliseconds };
}
