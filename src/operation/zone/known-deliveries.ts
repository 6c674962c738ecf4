import type { Digest } from '../../base/digest.ts';
import { requireSetting } from '../../base/require-setting.ts';
import type { Config } from '../../config/model.ts';
import type { Delivery } from '../../contract/delivery.ts';
import type { MediumReport } from '../../contract/medium.ts';
import { mediaOf, visitDeliveryLines } from '../../custody/delivery-lines.ts';
import { toCustodyFolder } from '../../custody/ledger-files.ts';
import type { BaseSearch } from '../../engine/medium/parts/describe-missing.ts';
import type { MediumVerification } from '../../engine/medium/verify-medium.ts';
import type { ZoneSurvey } from '../../engine/zone/survey.ts';
import type { MediumHeader } from '../../store/rest/media-manifest.ts';
import { isSvcError } from '../../text/error.ts';
import { lastArrival, openArrivals } from '../../zone/arrivals.ts';
import {
  countLanded,
  type NamedDeliveries,
  selectDelivery,
  type VerifiedDisk,
} from '../../zone/delivery-record.ts';
import { openOwnReceipts } from '../../zone/own-receipts.ts';
import type { Context } from '../context.ts';
import { withStrangers } from './record-arrival.ts';

/**
 * Finds the media of a delivery that were verified with the passport of a peer, and never imported. Records of deliveries
 * have the imported ones.
 *
 * @throws as {@link visitDeliveryLines}
 */
async function findOnlyVerified(folder: string, id: string): Promise<readonly VerifiedDisk[]> {
  const found = new Map<Digest, VerifiedDisk>();
  const received = new Set<Digest>();
  await visitDeliveryLines(folder, id, (line) => {
    const { medium, part, peer, vouched } = line.details;
    for (const manifest of mediaOf(line)) {
      if (line.type === 'received' && line.details.blocks === undefined) received.add(manifest);
      if (line.type !== 'verified' || vouched !== true || typeof peer !== 'string') continue;
      found.set(manifest, { ...{ peer, manifest }, part: Number(part), mediaId: String(medium) });
    }
  });
  return [...found.values()].filter(({ manifest }) => !received.has(manifest));
}

/** The records of the delivery of a medium, and of others of this name. @throws SVC-CFG-001, SVC-STO-001, SVC-STO-014 */
export async function findDelivery(
  { config }: { readonly config: Pick<Config, 'state'> },
  { header, report, manifest }: Pick<MediumVerification, 'report' | 'header' | 'manifest'>,
): Promise<NamedDeliveries> {
  const id = header?.delivery?.id;
  const peer = report.passport?.signer;
  if (id === undefined) return selectDelivery([], peer);
  const stateRoot = requireSetting('state.root', config.state.root);
  const verified = await findOnlyVerified(toCustodyFolder(stateRoot), id);
  // a passport that is no longer believed makes no stranger of its own disk
  const seen = verified.filter((one) => one.manifest !== manifest);
  return selectDelivery(await openArrivals(stateRoot).find(id), peer, seen);
}

/**
 * Adds the parts of its delivery that this zone received before to the report of a medium, and whether both belong together.
 *
 * @throws as {@link findDelivery}
 */
export async function addReceived(
  { state }: Pick<Config, 'state'>,
  verification: Pick<MediumVerification, 'report' | 'header' | 'manifest'>,
): Promise<MediumReport> {
  if (state.root === undefined) return verification.report;
  const named = await findDelivery({ config: { state } }, verification);
  const { own: known } = named;
  const report = withStrangers(verification, named);
  if (known === undefined) return report;
  const importedAt = lastArrival(known);
  return {
    ...report,
    received: {
      landed: known.landed.map(({ part }) => part),
      needed: known.needed,
      complete: known.complete,
      recipes: known.recipes.length,
      inZone: countLanded(known),
      ...(importedAt === '' ? {} : { importedAt }),
    },
  };
}

/**
 * Finds the last delivery of this zone that brought content of a recipe which the registry lacks now. Deliveries that left content
 * out themselves are passed over, as they may have left out this one.
 *
 * @param survey the content of the registry: recipes there that lack the content too tell which deliveries brought it
 * @returns the search, which throws the errors of `survey`
 */
export function openBaseSearch(
  { config, report }: Pick<Context, 'config' | 'report'>,
  zone: string,
  header: MediumHeader | undefined,
  survey: () => Promise<Pick<ZoneSurvey, 'recipes'>>,
): BaseSearch {
  let listed: Promise<readonly Delivery[]> | undefined;
  const list = async (): Promise<readonly Delivery[]> => {
    try {
      const all = await openArrivals(requireSetting('state.root', config.state.root)).list();
      return all
        .filter((one) => one.zone === zone && one.base === undefined && one.id !== header?.delivery?.id)
        .sort((one, other) => (lastArrival(one) < lastArrival(other) ? 1 : -1));
    } catch (error) {
      if (!isSvcError(error)) throw error;
      report.log('warn', 'The records of deliveries cannot be read', { error });
      return [];
    }
  };
  return async (recipe, missing) => {
    listed ??= list();
    const deliveries = await listed;
    return deliveries.length === 0 ? undefined : selectBringer(deliveries, recipe, missing, await survey());
  };
}

/** Of deliveries, the last one first: the one with all the content, else one with some, else one with another version. */
function selectBringer(
  deliveries: readonly Delivery[],
  { name, digest }: Parameters<BaseSearch>[0],
  missing: readonly Digest[],
  { recipes }: Pick<ZoneSurvey, 'recipes'>,
): string | undefined {
  const holders = missing.map(
    (blob) =>
      new Set([digest, ...recipes.filter(({ lacks }) => lacks?.includes(blob)).map((one) => one.digest)]),
  );
  const judged = new Set(recipes.flatMap((one) => (one.lacks ? [one.digest] : [])));
  const brought = ({ recipes: all }: Delivery) => all.filter(({ blocked }) => !blocked);
  const brings = (delivery: Delivery, holding: ReadonlySet<Digest>): boolean =>
    brought(delivery).some((one) => holding.has(one.digest));
  const found =
    deliveries.find((one) => holders.every((holding) => brings(one, holding))) ??
    deliveries.find((one) => holders.some((holding) => brings(one, holding))) ??
    // the registry does not tell the content of that version any more
    deliveries.find((one) => brought(one).some((other) => other.name === name && !judged.has(other.digest)));
  return found?.id;
}

/**
 * Finds the last delivery that this zone had imported when it wrote the receipt that a medium names as its base. It is named
 * only where it left nothing out itself, and has every recipe of the medium: another one may not bring the absent content.
 *
 * @returns its identifier; undefined without a base, and for a receipt that the state does not have or cannot read
 * @throws SVC-CFG-001 without a state folder
 */
export async function findBaseDelivery(
  { config, report }: Pick<Context, 'config' | 'report'>,
  zone: string,
  header: MediumHeader | undefined,
): Promise<string | undefined> {
  if (header?.base === undefined) return undefined;
  const stateRoot = requireSetting('state.root', config.state.root);
  try {
    const id = await openOwnReceipts(stateRoot).deliveryOf(zone, header.base.receipt);
    const records = id === undefined ? [] : await openArrivals(stateRoot).find(id);
    const isWhole = ({ base, recipes }: Delivery): boolean => {
      const carried = new Set(recipes.map(({ digest }) => digest));
      return base === undefined && header.recipes.every(({ digest }) => carried.has(digest));
    };
    return records.find(isWhole)?.id;
  } catch (error) {
    if (!isSvcError(error)) throw error;
    report.log('warn', 'The receipt of the base of the medium cannot be read', { error });
    return undefined;
  }
}
