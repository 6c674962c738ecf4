import { systemClock } from '../../src/base/clock.ts';
import type { Holder } from '../../src/base/shares/shares.ts';
import type { NoMember, QueryOf } from '../../src/contract/operation.ts';
import type { planMedia as operation } from '../../src/contract/operations/media.ts';
import type { ProofState } from '../../src/contract/proof.ts';
import type { ReceiptSummary } from '../../src/contract/receipt.ts';
import type { MediumWriting } from '../../src/contract/write-medium.ts';
import { requireWantable } from '../../src/operation/instance/write-requests.ts';
import { chooseWanted } from '../../src/operation/zone/choose-wanted.ts';
import { showReceipts } from '../../src/view/receipts.ts';
import type { ViewParts } from './parts.ts';
import { retrieverName } from './retriever.ts';
import { patience, wantedOf } from './zones.ts';

type Parts = Pick<ViewParts, 'instance'>;

/** Whether the instance keeps receipts and deliveries of zones: it has a `state.root`. */
export const keepsReceipts = ({ instance }: Parts): boolean =>
  instance.context.config.state.root !== undefined;

/** A zone that a plan can be made for. */
export interface KnownZone {
  readonly name: string;
  /** Its last receipt. */
  readonly receipt?: ReceiptSummary | undefined;
}

/**
 * Lists the zones that are known here: those with a receipt first, then those of `zones`, then peers; where none is
 * under `zones`, the zone of the Retriever.
 *
 * @throws SVC-CFG-001 without a state folder, SVC-STO-001, SVC-STO-014
 */
export async function listZones({ instance }: Parts): Promise<readonly KnownZone[]> {
  const { context } = instance;
  const { receipts } = await showReceipts(context, systemClock.wall());
  const byZone = new Map(receipts.filter(({ own }) => !own).map((receipt) => [receipt.zone, receipt]));
  const retriever = retrieverName({ instance });
  const { zones, peers } = context.config;
  // a peer for other statements is a person, or a site that sends
  const givers = peers.filter(({ for: kinds }) => kinds.includes('receipt'));
  const names = new Set([...byZone.keys(), ...[...zones, ...givers].map(({ name }) => name)]);
  // where zones are named, that Retriever is the one of this instance
  if (retriever !== undefined && zones.length === 0) names.add(retriever);
  // no zone delivers to itself
  if (context.config.zone !== undefined) names.delete(context.config.zone);
  return [...names].map((name) => ({ name, receipt: byZone.get(name) }));
}

/**
 * Plans media for a zone, as `svc media write --dry-run` does. Reads manifests and writes nothing.
 *
 * @param call.signal aborted when the client disconnects
 * @throws SVC-SRV-006 when other plans take too long, the errors of the operation
 */
export async function planDelivery(
  {
    instance,
    operations,
    holder,
    signal: gone,
  }: Pick<ViewParts, 'instance' | 'operations'> & { readonly holder: Holder; readonly signal: AbortSignal },
  query: QueryOf<typeof operation.query>,
): Promise<MediumWriting> {
  const {
    zone,
    base = 'latest',
    recipe: recipes = [],
    wanted: isWanted,
    folder: folders = [],
    volumeBytes,
    filesystem = 'any',
    ...others
  } = query;
  others satisfies NoMember;
  const { context, store } = instance;
  if (isWanted) requireWantable(context, { zone, recipes }, 'query');
  return instance.places.plans.run(holder, gone, async (signal) => {
    const chosen = isWanted
      ? await chooseWanted(context, {
          ...{ zone, store, now: systemClock.wall() },
          wanted: wantedOf(instance),
          patience: patience.api,
        })
      : undefined;
    const asked = { zone, base, recipes, wanted: chosen, folders, volumeBytes, filesystem };
    return operations.planMediaWrite(instance, asked, signal);
  });
}

/** Shows the proof under way, and the last one. */
export const showProof = ({ instance }: Parts): ProofState => instance.proofs.state;
