import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { requireSetting } from '../../base/require-setting.ts';
import { toUnknownName } from '../../catalog/unknown-name.ts';
import type { ZoneBoard } from '../../contract/zone-board.ts';
import type { RunningWriting } from '../../engine/zone/unfinished.ts';
import { planZoneBoard } from '../../engine/zone/zone-board.ts';
import type { Store } from '../../store/model.ts';
import { isSvcError } from '../../text/error.ts';
import { isBelieved } from '../../zone/receipts.ts';
import { findOtherMedium, openSent } from '../../zone/sent.ts';
import { openKnownReceipts, type ReceiptContext } from './known-receipts.ts';
import type { ConfiguredZone, Waits, WantedRecipes } from './wanted-recipes.ts';

/** Zones that are read at once. */
const atOnce = 8;

interface BoardInput extends Waits {
  readonly wanted: Pick<WantedRecipes, 'get'>;
  readonly zones: readonly ConfiguredZone[];
  /** The store of this sender, which names the recipes of a receipt without names. */
  readonly store?: Pick<Store, 'index'> | undefined;
  /** The tasks that write disks now: their deliveries did not break off. */
  readonly running?: readonly RunningWriting[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The boards of zones, in their order. A zone whose records cannot be read has a board that says so.
 *
 * @throws SVC-CFG-001, SVC-STO-014 for the records of deliveries
 */
export async function readZoneBoards(
  context: Pick<ReceiptContext, 'config' | 'policy' | 'report'>,
  { wanted, zones, store, running, now, ...waits }: BoardInput,
): Promise<readonly ZoneBoard[]> {
  // a page of zones reads the keys of these zones, and not those of a thousand
  const signers = new Set(zones.map(({ name, peer = name }) => peer));
  const peers = context.config.peers.filter(({ name }) => signers.has(name));
  const { receipts, keys } = await openKnownReceipts({ ...context, config: { ...context.config, peers } });
  const sent = openSent(requireSetting('state.root', context.config.state.root));
  const deliveries = Map.groupBy(await sent.list(), ({ zone }) => zone);
  let names: Map<Digest, { readonly name: string; readonly version: string }> | undefined;
  const toNames = () => {
    names ??= new Map(
      (store?.index.recipes() ?? []).map(({ digest, name, version }) => [digest, { name, version }]),
    );
    return names;
  };
  const boards = new Array<ZoneBoard>(zones.length);
  // all are asked at once, so that their waits are one
  const asked = zones.map((zone) => wanted.get(zone, waits));
  for (const one of asked) one.catch(() => {});
  const readStated = async ({ name, peer = name }: ConfiguredZone) => {
    try {
      const kept = await receipts.last(peer);
      if (kept === undefined) return {};
      if (!isBelieved(kept, keys)) return { unbelieved: kept.receipt };
      return { receipt: kept.receipt, fork: await receipts.fork(kept), via: await receipts.via(kept) };
    } catch (error) {
      if (!isSvcError(error)) throw error;
      context.report.log('warn', 'The receipt of a zone cannot be read', { zone: name, error });
      return { unreadable: error.code };
    }
  };
  await forEachBounded(zones, atOnce, async (zone, i) => {
    const { name, maxAge } = zone;
    const stated = await readStated(zone);
    const own = deliveries.get(name) ?? [];
    const last = own.find(({ id }) => id === stated.receipt?.lastDelivery?.id);
    boards[i] = planZoneBoard({
      name,
      wanted: await asked[i]!,
      ...stated,
      otherMedium: stated.receipt && findOtherMedium(stated.receipt, last),
      deliveries: own,
      running,
      ...(stated.receipt?.recipes.some((one) => one.version === undefined) ? { names: toNames() } : {}),
      maxAge,
      now,
    });
  });
  return boards;
}

/** A configured zone. @throws SVC-REG-005 for an unknown name */
export function requireConfiguredZone(zones: readonly ConfiguredZone[], name: string): ConfiguredZone {
  const found = zones.find((zone) => zone.name === name);
  if (found !== undefined) return found;
  throw toUnknownName(
    name,
    zones.map((zone) => zone.name),
    'zones',
  );
}
