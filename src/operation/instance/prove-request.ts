import { requireAbsolutes } from '../../base/require-absolute.ts';
import { requireSetting } from '../../base/require-setting.ts';
import type { MediumProof } from '../../contract/proof.ts';
import type { FindChartImages } from '../../engine/prove/charts-step.ts';
import { parsePlatform } from '../../oci/platform.ts';
import type { Store } from '../../store/model.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { toPolicy } from '../../trust/given-roots.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { openSent } from '../../zone/sent.ts';
import type { Context } from '../context.ts';
import { openCustody } from '../custody/open-custody.ts';
import { toProofBase } from '../delivery/choose-base.ts';
import { resolveBase } from '../delivery/resolve-base.ts';
import { resolveLayoutPath } from '../layout-paths.ts';
import { findMediumFolder } from '../open-medium.ts';
import { readProofReceipt } from '../prove/open-base.ts';
import { type ProveMediumInput, proveMedium } from '../prove/prove-medium.ts';
import type { ProofBase } from '../prove/seed-base.ts';
import { logUnread } from '../zone/known-receipts.ts';
import type { Instance } from './instance.ts';
import type { ProofInput } from './proof-record.ts';

/** A proof of media on the machine of the instance. */
interface ProofRequest extends ProofInput {
  readonly actor: string;
  /** Address of the client. */
  readonly origin?: string | undefined;
}

type ProofParts = Pick<Instance, 'context' | 'store' | 'signal'>;
type Prove = (signal: AbortSignal, onProgress?: ProveMediumInput['onProgress']) => Promise<MediumProof>;

/**
 * Checks a request for a proof, under the rules for the paths of layouts.
 *
 * @returns makes the proof
 * @throws SVC-CFG-001 when the request and the configuration have no trust root, SVC-VAL-001 for a relative path or a text
 *   that is no key, SVC-RCP-001 for a receipt that no peer has signed, SVC-FIL-003, SVC-FIL-005
 */
async function prepareProof(
  { context, store, signal: stopped }: ProofParts,
  {
    folders = [],
    zone,
    trustRoots,
    against = 'empty',
    platforms = [],
    strict = false,
    actor,
    origin,
  }: ProofRequest,
  findImages: FindChartImages,
): Promise<Prove> {
  requireAbsolutes(folders, 'folders');
  const policy = trustRoots === undefined ? requireOwnRoots(context.policy) : toPolicy(trustRoots);
  const places = await Promise.all(folders.map((folder) => resolveLayoutPath(context, folder, 'input')));
  // a proof that cannot begin is refused at once, and not after it has begun
  for (const place of places) await findMediumFolder(place);
  const base = against === 'empty' ? undefined : await openBase(context, store, against);
  return (signal, onProgress) =>
    proveMedium({
      folders: places.length === 0 ? [store.root] : places,
      own: store,
      base,
      policy,
      hasOwnRoots: trustRoots === undefined,
      zone,
      platforms: platforms.flatMap((text) => parsePlatform(text) ?? []),
      findImages,
      strict,
      ledger: { custody: openCustody(context.config, context.policy), actor, origin },
      sent: context.config.state.root === undefined ? undefined : openSent(context.config.state.root),
      report: context.report,
      version: context.version,
      signal: AbortSignal.any([signal, stopped]),
      onProgress,
    });
}

/**
 * Proves media in folders of the machine, or the store of the instance.
 *
 * @throws the errors of {@link prepareProof} and {@link proveMedium}
 */
export async function proveMediaHere(
  instance: ProofParts,
  request: ProofRequest,
  findImages: FindChartImages,
  signal: AbortSignal,
): Promise<MediumProof> {
  const prove = await prepareProof(instance, request, findImages);
  return prove(signal);
}

/**
 * Begins such a proof, which continues when the client disconnects, until it is cancelled.
 *
 * @param record runs the proof, and records it in the audit log
 * @throws the errors of {@link prepareProof}, SVC-SRV-006 while another one runs
 */
export async function beginProof(
  instance: ProofParts & Pick<Instance, 'proofs'>,
  request: ProofRequest,
  findImages: FindChartImages,
  record: (work: () => Promise<MediumProof>) => Promise<MediumProof>,
): Promise<void> {
  const prove = await prepareProof(instance, request, findImages);
  instance.proofs.begin(request, (onProgress, signal) => record(() => prove(signal, onProgress)));
}

const zonePrefix = 'zone:';

/**
 * The registry of the last known receipt of a zone, or of a receipt on the host.
 *
 * @throws SVC-RCP-001 where no receipt of the zone is believed, SVC-FIL-003, the errors of {@link readProofReceipt}
 */
async function openBase(context: Context, store: Store, against: string): Promise<ProofBase> {
  const { config, policy } = context;
  const { root } = config.state;
  const sender = { store, sent: root === undefined ? undefined : openSent(root) };
  const onUnread = logUnread(context);
  if (against.startsWith(zonePrefix)) {
    const zone = against.slice(zonePrefix.length);
    const known =
      root === undefined ? undefined : await resolveBase('latest', { config, policy, zone, onUnread });
    if (typeof known !== 'object')
      throw svcError('SVC-RCP-001', {
        rule: rule(
          ['no receipt of zone {zone} is known here', fr`aucun reçu de la zone {zone} n’est connu ici`],
          { zone },
        ),
        problem: 'base',
      });
    return { ...toProofBase(known), ...sender };
  }
  const file = await resolveLayoutPath(context, against, 'input');
  return { ...(await readProofReceipt(file, { config, policy, onUnread })), ...sender };
}

function requireOwnRoots(policy: TrustPolicy): TrustPolicy {
  requireSetting('trust.roots', policy.roots[0]);
  return policy;
}
