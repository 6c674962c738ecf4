import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { requireSetting } from '../../src/base/require-setting.ts';
import type { Delivery, DeliveryList } from '../../src/contract/delivery.ts';
import type {
  Media,
  MediumAge,
  MediumClaims,
  MediumReport,
  VerificationState,
} from '../../src/contract/medium.ts';
import type { MediumDelivery, Status } from '../../src/contract/status.ts';
import { type FreshnessRecord, toAge } from '../../src/engine/medium/freshness.ts';
import { requireDelivery } from '../../src/operation/zone/forget-delivery.ts';
import { isSvcError } from '../../src/text/error.ts';
import { findMediumDelivery, listReceived } from '../../src/view/received-deliveries.ts';
import { findOwnImport } from '../../src/view/zone/own-import.ts';
import { selectDelivery } from '../../src/zone/delivery-record.ts';
import type { ViewParts } from './parts.ts';
import { readImports } from './zone/imports.ts';

type Parts = Pick<ViewParts, 'instance'>;

/** Whether the instance verifies media and imports them: it has a `zone`. */
export const takesMedia = ({ instance }: Parts): boolean => instance.context.config.zone !== undefined;

/** @throws SVC-CFG-001 when the instance has no `zone` */
export const requireZone = ({ instance }: Parts): string =>
  requireSetting('zone', instance.context.config.zone);

const readFreshness = async ({ instance }: Parts): Promise<FreshnessRecord | undefined> => {
  const { zone } = instance.context.config;
  return zone === undefined ? undefined : instance.freshness?.get(zone);
};

/** The last import for this zone that any program with this state recorded; undefined without one, and without a zone. */
async function findLastImport(parts: Parts): Promise<Media['lastImport']> {
  const { last } = await readImports(parts, {});
  if (last === undefined) return undefined;
  const { mediaId, resolvedAt, importedAt, runId } = last;
  return { mediaId, resolvedAt, importedAt, runId };
}

/** Shows the medium and the last import for this zone. @throws SVC-CFG-001 without a zone */
export async function showMedia({ instance }: Parts): Promise<Media> {
  const zone = requireZone({ instance });
  const { root, mediaId } = instance.store;
  const lastImport = await findLastImport({ instance });
  return { zone, root, mediaId, ...(lastImport === undefined ? {} : { lastImport }) };
}

/** The state folder with the records of deliveries. @throws SVC-CFG-001 without a zone or a state folder */
export function requireDeliveries({ instance }: Parts): string {
  requireZone({ instance });
  return requireSetting('state.root', instance.context.config.state.root);
}

/** Lists the deliveries that arrived here. @throws SVC-CFG-001 without a zone or a state folder */
export async function listDeliveries({ instance }: Parts): Promise<DeliveryList> {
  return { deliveries: [...(await listReceived(requireDeliveries({ instance })))] };
}

/** Shows a delivery that arrived here. @throws SVC-CFG-001, SVC-REG-005 for an unknown one, SVC-STO-001 */
export async function showDelivery({ instance }: Parts, id: string): Promise<Delivery> {
  return requireDelivery(requireDeliveries({ instance }), id);
}

/**
 * Whether the instance passes a medium on to a destination, and has not done so yet with this medium as it was written.
 */
export async function isUnimported({
  instance,
  gate,
  store,
}: Pick<ViewParts, 'instance' | 'gate' | 'store'>): Promise<boolean> {
  const { registry } = instance.context.config.destination;
  if (!takesMedia({ instance }) || !gate.guarded || registry === undefined) return false;
  if ((await showLastImport({ instance, store })) !== undefined) return false;
  const { medium, passport, blocks = [] } = instance.verifier.state().report ?? {};
  if (medium === undefined) return true;
  const record = await readFreshness({ instance });
  if (isOvertaken({ freshness: toAge(medium, record, { peer: passport?.signer }), blocks })) return false;
  // other media can have brought all of its recipes
  return (await showMediumDelivery({ instance }))?.imported !== true;
}

/** What the zone has received of the delivery of the medium that is here; undefined where nothing is recorded of it. */
export async function showMediumDelivery({
  instance,
}: Pick<ViewParts, 'instance'>): Promise<MediumDelivery | undefined> {
  const { medium, passport } = findVerification({ instance })?.report ?? {};
  const stateRoot = instance.context.config.state.root;
  if (medium === undefined || stateRoot === undefined) return undefined;
  try {
    return await findMediumDelivery(stateRoot, medium, { peer: passport?.signer });
  } catch (error) {
    // the page of the medium reports a record that cannot be read
    if (isSvcError(error)) return undefined;
    throw error;
  }
}

/**
 * The last import of the medium that is here, as it is written now, by whichever program with this state; undefined without one.
 * Pages, commands and the API call nothing else imported.
 */
export async function showLastImport({
  instance,
  store,
}: Pick<ViewParts, 'instance' | 'store'>): Promise<Status['lastImport']> {
  const { zone, state } = instance.context.config;
  if (zone === undefined) return undefined;
  const { medium, passport } = findVerification({ instance })?.report ?? {};
  const found = await findOwnImport(
    { stateRoot: state.root, zone, record: await readFreshness({ instance }) },
    medium ?? { mediaId: store.mediaId },
    medium && { peer: passport?.signer },
  );
  return found && { mediaId: found.mediaId, importedAt: found.importedAt, runId: found.runId };
}

/**
 * Shows the verification, with the age of the medium beside the imports until now: other media may have been imported
 * since the report. @throws SVC-CFG-001 without a zone
 */
export async function showVerificationNow(parts: Parts): Promise<VerificationState> {
  const { report, ...state } = showVerification(parts);
  if (report?.medium === undefined) return { ...state, ...(report && { report }) };
  const { medium, passport } = report;
  return { ...state, report: { ...report, freshness: await showAge(parts, medium, passport?.signer) } };
}

/**
 * Whether a newer medium was imported since the verification of one that was not: the import refuses it.
 *
 * @param report.freshness the age now
 */
export const isOvertaken = ({ freshness, blocks }: Pick<MediumReport, 'freshness' | 'blocks'>): boolean =>
  freshness?.stale === true &&
  freshness.importedAt === undefined &&
  blocks.every(({ code }) => code !== 'SVC-MED-007');

async function showAge(parts: Parts, medium: MediumClaims, peer: string | undefined): Promise<MediumAge> {
  const { delivery } = medium;
  const records = delivery && (await parts.instance.freshness?.arrivals.find(delivery.id));
  const arrived = records && selectDelivery(records, peer).own;
  return toAge(medium, await readFreshness(parts), { peer, delivery: arrived });
}

/** The verification under way and the last report; undefined without a zone. */
export const findVerification = ({ instance }: Parts): VerificationState | undefined =>
  takesMedia({ instance }) ? instance.verifier.state() : undefined;

/** Shows the serving gate, the verification under way and the last report. @throws SVC-CFG-001 without a zone */
export function showVerification({ instance }: Parts): VerificationState {
  requireZone({ instance });
  return instance.verifier.state();
}

/** Absolute path of the configuration document, for commands on the machine of the instance; undefined where there is none. */
export function findConfigPath({ instance: { context } }: Parts): string | undefined {
  // the path is the default one too where there is no document
  const { configPath } = context;
  return configPath !== undefined && existsSync(configPath) ? resolve(configPath) : undefined;
}
