import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { StatementSigner } from '../../attest/own-statement.ts';
import { systemClock } from '../../base/clock.ts';
import type { Digest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import type { VerificationProgress } from '../../contract/medium.ts';
import type { MediumProof, ProofProgress } from '../../contract/proof.ts';
import { readHeaderOf } from '../../engine/medium/find-medium.ts';
import { checkCapacity } from '../../engine/prove/capacity-step.ts';
import { type CarriedFolder, type HashedFiles, openHashedFiles } from '../../engine/prove/carried-folder.ts';
import { checkCharts, type FindChartImages } from '../../engine/prove/charts-step.ts';
import type { PackageKeys } from '../../engine/prove/check-signatures.ts';
import { importFolders } from '../../engine/prove/import-step.ts';
import type { ProofLimit } from '../../engine/prove/limits.ts';
import type { MemoryRegistry } from '../../engine/prove/memory-registry.ts';
import { type CarriedFileset, checkFilesets } from '../../engine/prove/packages-step.ts';
import { checkPlatforms } from '../../engine/prove/platforms-step.ts';
import { ProofBook } from '../../engine/prove/proof-book.ts';
import { formatPlatform, type Platform } from '../../oci/platform.ts';
import type { Store } from '../../store/model.ts';
import { isSvcError } from '../../text/error.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import type { Sent } from '../../zone/sent.ts';
import { checkClients } from './clients-step.ts';
import { countProof, type ProofCustody, recordProof } from './record-proof.ts';
import { destination, openZoneRegistry, type ProofBase, toAgainst } from './seed-base.ts';
import { signProof } from './sign-proof.ts';
import { type VerifiedMedium, verifyFolder } from './verify-folder.ts';

export interface ProveMediumInput {
  /** The folders of the delivery, in any order. */
  readonly folders: readonly string[];
  /** The opened store of this process, where it is one of the folders. */
  readonly own?: Store | undefined;
  /** The assumed registry of the zone. Default: an empty one. */
  readonly base?: ProofBase | undefined;
  /** The roots of the zone that receives the delivery. Scopes are not used. */
  readonly policy: TrustPolicy;
  /** Whether the roots are those of this configuration, as none of the zone were given. */
  readonly hasOwnRoots: boolean;
  /** The receiving zone. Default: that of the receipt, else the zone that the first medium is addressed to. */
  readonly zone?: string | undefined;
  /** Platforms of the nodes of the zone. */
  readonly platforms?: readonly Platform[];
  /** Finds the images that a chart names. Without it, charts are not looked into. */
  readonly findImages?: FindChartImages | undefined;
  /** Whether the charts are rendered. */
  readonly isRendered?: boolean;
  /** The keys that sign repositories of packages. Absent: their signatures are not verified. */
  readonly packageKeys?: PackageKeys | undefined;
  /** Whether a warning counts like an error. */
  readonly strict: boolean;
  /** Keeps lines about the proof, before and after it. Default: none. */
  readonly ledger?: ProofCustody | undefined;
  /** Signs a statement about each medium of a proved delivery. Absent: nothing is written to them. */
  readonly signer?: StatementSigner | undefined;
  /** The records of the sender: a delivery that was not proved counts as proved from then on. Default: none. */
  readonly sent?: Pick<Sent, 'delivery' | 'keepDelivery'> | undefined;
  readonly report: Report;
  /** Version of the program. */
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ProofProgress) => void) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Proves that a zone would come up from some media: verifies them under its roots, imports them into a registry in
 * memory, and looks for content that would be absent. Opens no connection. Writes temporary files, and with a signer the
 * statements.
 *
 * @returns the proof, with any verdict
 * @throws SVC-FIL-005, SVC-STO-001 for a folder that cannot be read, SVC-STO-007 when a medium changes meanwhile,
 *   SVC-CHT-002 when charts are to be rendered and helm is absent; SVC-STO-002, SVC-STO-004 when a statement cannot be
 *   written; errors of the ledger
 */
export async function proveMedium(input: ProveMediumInput): Promise<MediumProof> {
  const { base, ledger, signal } = input;
  // files of a medium are opened below its real path; the error of an absent folder names it
  const folders = await Promise.all(
    input.folders.map((folder) => realpath(folder).catch(() => resolve(folder))),
  );
  const zone = input.zone ?? base?.receipt.zone ?? (await readZone(folders));
  const work = () => prove(input, folders, zone);
  const { proof, media } = await (ledger === undefined
    ? work()
    : recordProof(ledger, { folders, zone }, work, signal));
  const { sent, now = systemClock.wall } = input;
  if (sent !== undefined && proof.verdict === 'proved') await countProof(sent, media, { zone, now: now() });
  return proof;
}

/** @param places real paths of the folders */
async function prove(
  input: ProveMediumInput,
  places: readonly string[],
  zone: string,
): Promise<{ readonly proof: MediumProof; readonly media: readonly VerifiedMedium[] }> {
  const { signal, strict, base, onProgress } = input;
  // a relaxed scope of this configuration says nothing about the zone
  const policy = { ...input.policy, scopes: [] };
  const book = new ProofBook(destination.registry, (step) => onProgress?.({ step }));
  await using opened = new AsyncDisposableStack();
  const folders: CarriedFolder[] = [];
  const media: VerifiedMedium[] = [];
  for (const folder of places) {
    const { carried, medium } = await verifyFolder(
      book,
      folder,
      {
        ...input,
        ...{ zone, policy },
        onProgress: ({ stage, files, bytes, totalBytes }) =>
          onProgress?.({ step: isHashing(stage) ? 'media' : 'trust', files, bytes, totalBytes }),
      },
      opened,
    );
    if (carried !== undefined) folders.push(carried);
    if (medium !== undefined) media.push(medium);
  }
  const files = openHashedFiles(base?.store);
  for (const folder of folders) files.add(folder);
  const { registry, unknown, mayHave, homes } = await openZoneRegistry(
    base,
    files,
    { signal },
    listHeld(folders, base?.inventory),
  );
  await book.measure('import', () =>
    importFolders(book, folders, {
      registry,
      destination,
      policy,
      homes,
      isEmpty: base === undefined,
      signal,
    }),
  );
  const limits: ProofLimit[] = [
    'runtime-images',
    'application-settings',
    'admission-policies',
    'trust-scopes',
    ...(input.hasOwnRoots ? (['own-roots'] as const) : []),
    ...(unknown > 0 ? (['unknown-recipes'] as const) : []),
  ];
  limits.push(...(await checkContent(book, folders, { registry, files, mayHave }, input)));
  const proof = book.conclude(toAgainst(base), limits, { strict });
  const { signer, version, now = systemClock.wall } = input;
  if (signer !== undefined && proof.verdict === 'proved')
    await signProof(media, {
      signer,
      version,
      verifiedAt: now(),
      policy: toPolicyRecord(input, zone, proof),
    });
  return { proof, media };
}

/** Whether a stage of a verification comes before the recipes are judged. */
const isHashing = (stage: VerificationProgress['stage']): boolean =>
  stage === 'inventory' || stage === 'manifest';

/** Sizes in bytes of the blobs that a delivery leaves out, and that the zone lists beside its receipt. */
function listHeld(
  folders: readonly CarriedFolder[],
  inventory: ReadonlySet<Digest> = new Set(),
): ReadonlyMap<Digest, number> {
  const away = folders.flatMap(({ verification }) =>
    verification.cleared.flatMap((recipe) => [...recipe.away.values()]),
  );
  return new Map(
    away.flatMap(({ digest, size }) => (inventory.has(digest) ? [[digest, size] as const] : [])),
  );
}

/** The choices of a proof, for the statement about it. */
function toPolicyRecord(
  { policy, platforms = [], strict, isRendered = false, packageKeys }: ProveMediumInput,
  zone: string,
  { against, steps }: MediumProof,
) {
  return {
    zone,
    against,
    trustRoots: policy.roots.map(({ fingerprint }) => fingerprint),
    platforms: platforms.map(formatPlatform),
    rendered: isRendered,
    packagesVerified: packageKeys !== undefined,
    strict,
    steps: steps.map(({ name }) => name),
  };
}

/**
 * Looks for content that would be absent, when everything landed: else it would be reported again.
 *
 * @returns the limits of these checks
 */
async function checkContent(
  book: ProofBook,
  folders: readonly CarriedFolder[],
  {
    registry,
    files,
    mayHave,
  }: {
    readonly registry: MemoryRegistry;
    readonly files: HashedFiles;
    readonly mayHave: (digest: Digest | undefined) => boolean;
  },
  { platforms = [], findImages, isRendered, packageKeys, base, signal }: ProveMediumInput,
): Promise<readonly ProofLimit[]> {
  if (book.isRefused) return [];
  const limits: ProofLimit[] = [];
  const shared = { registry, files, destination, signal };
  let isPartial = false;
  await book.measure('platforms', async () => {
    const checked = await checkPlatforms(book, folders, { ...shared, platforms });
    isPartial = checked.isPartial;
    return checked;
  });
  if (platforms.length === 0) limits.push('no-platforms');
  if (findImages !== undefined) {
    await book.measure('charts', async () => {
      const checked = await checkCharts(book, folders, { ...shared, find: findImages, mayHave });
      isPartial ||= checked.isPartial;
      if (checked.isUnsure) limits.push('unnamed-content');
      return checked;
    });
    if (isRendered !== true) limits.push('unrendered-charts');
  }
  let filesets: readonly CarriedFileset[] = [];
  await book.measure('packages', async () => {
    const checked = await checkFilesets(book, folders, { ...shared, packageKeys });
    filesets = checked.filesets;
    if (checked.isUnverified) limits.push('unverified-packages');
    isPartial ||= checked.isPartial;
    return checked;
  });
  if (isPartial) limits.push('unread-content');
  await book.measure('clients', () => checkClients(book, folders, { ...shared, filesets }));
  await book.measure('capacity', async () => checkCapacity(book, registry, base?.receipt));
  if (base?.receipt.destination.freeBytes === undefined) limits.push('free-space');
  return limits;
}

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
