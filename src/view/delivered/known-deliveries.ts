import { systemClock } from '../../base/clock.ts';
import type { Digest } from '../../base/digest.ts';
import type { Delivery } from '../../contract/delivery.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { isSent, type SentDelivery } from '../../contract/write-medium.ts';
import { listAwaitedDisks } from '../../engine/zone/awaited-disks.ts';
import { findReplacement, findWriting } from '../../engine/zone/unfinished.ts';
import { datedAge, isNamedBy, selectUnderWay } from '../../engine/zone/zone-board.ts';
import type { ReceiptContext } from '../../operation/zone/known-receipts.ts';
import type { Store } from '../../store/model.ts';
import type { Tasks } from '../../task/tasks.ts';
import { svcError } from '../../text/error.ts';
import { lastArrival } from '../../zone/arrivals.ts';
import { openSent } from '../../zone/sent.ts';
import { listKnownReceipts } from '../receipts.ts';
import { listReceived } from '../received-deliveries.ts';
import { type LedgerDelivery, listLedgerDeliveries, type NamingReceipt } from './ledger-deliveries.ts';

/** A recipe of a delivery, with its state in the zone where that is known. */
export interface DeliveryRecipe {
  readonly digest: Digest;
  readonly name?: string;
  readonly version?: string;
  /** By the last receipt of the zone. */
  readonly confirmed?: Receipt['recipes'][number];
  /** By the imports of the own zone. */
  readonly arrived?: Delivery['recipes'][number];
}

/** A delivery that this instance wrote or received, as its records tell it. */
export interface KnownDelivery {
  readonly id: string;
  readonly zone?: string;
  readonly parts?: number;
  /** When its writing here began, or when it arrived here first, as far as it is known (RFC 3339). */
  readonly at: string;
  readonly ledger?: LedgerDelivery;
  /** The record of a delivery that was written here. */
  readonly sent?: SentDelivery;
  /** The record of one that arrived here. */
  readonly arrival?: Delivery;
  /** The receipt that confirms it, unless that one is in doubt. */
  readonly receipt?: NamingReceipt;
  /** The last receipt of the zone, by which its recipes have their states. */
  readonly lastReceipt?: NamingReceipt;
  /** Whether that receipt names a medium of this delivery. */
  readonly isNamed: boolean;
  /** The part that it names. */
  readonly namedPart?: number;
  /** The disks that it does not show to be in the zone, as far as the records have the recipes of each. */
  readonly awaited?: readonly number[];
  /** Whether that receipt was issued later and has all of its recipes. */
  readonly isInside: boolean;
  /** Why that receipt confirms nothing: another one has its number, or no configured key verifies it. */
  readonly doubt?: 'forked' | 'unbelieved';
  /** Whether the board of the zone lists it as on its way. */
  readonly isUnderWay: boolean;
  /** When it should have been confirmed, once that is over (RFC 3339). */
  readonly overdueSince?: string;
  /** The task that writes it now. */
  readonly writing?: string;
  /** The delivery to the same zone that was written and proved since, of one that was not. */
  readonly replacedBy?: string;
  readonly recipes: readonly DeliveryRecipe[];
}

/** The records of a running instance, or those of the configuration of a command. */
export interface DeliveryParts {
  readonly instance: {
    readonly context: Pick<ReceiptContext, 'config' | 'policy'>;
    /** The store of this sender, which names recipes that no record names. */
    readonly store?: Pick<Store, 'index'> | undefined;
    /** Absent where no instance runs. */
    readonly tasks?: Pick<Tasks, 'listHeads'>;
  };
}

type Known = Awaited<ReturnType<typeof listKnownReceipts>>[number];

type Names = ReadonlyMap<Digest, { readonly name: string; readonly version: string }>;

/** The recipes of a delivery: of the zone by its imports, else as they were written, with the last word of the zone. */
function listRecipes(
  { ledger, sent, arrival }: Pick<KnownDelivery, 'ledger' | 'sent' | 'arrival'>,
  last: Known | undefined,
  names: Names,
): readonly DeliveryRecipe[] {
  if (arrival !== undefined)
    return arrival.recipes.map((one) => ({
      ...{ digest: one.digest, name: one.name, version: one.version },
      arrived: one,
    }));
  const named = new Map((ledger?.recipes ?? []).map((one) => [one.digest, one.name]));
  const words = new Map(last?.receipt.recipes.map((one) => [one.digest, one]));
  const digests = sent?.recipes ?? [...named.keys()];
  return digests.map((digest) => {
    const confirmed = words.get(digest);
    const here = names.get(digest);
    const [name = confirmed?.name ?? here?.name, version = confirmed?.version ?? here?.version] =
      named.get(digest)?.split('@', 2) ?? [];
    return {
      digest,
      ...(name === undefined ? {} : { name }),
      ...(version === undefined ? {} : { version }),
      ...(confirmed === undefined ? {} : { confirmed }),
    };
  });
}

type Records = Pick<KnownDelivery, 'ledger' | 'sent' | 'arrival'>;

const toNaming = ({ summary: { zone, sequence, issuedAt: at } }: Known): NamingReceipt => ({
  ...{ zone, sequence, at },
});

/** The state, by the board of the zone, of a delivery that was written here. */
interface BoardWord extends Pick<KnownDelivery, 'isUnderWay' | 'overdueSince' | 'replacedBy' | 'writing'> {
  /** The last believed receipt of the zone. */
  readonly last?: Known | undefined;
  /** Its last receipt, where no configured key verifies it. */
  readonly unbelieved?: Known | undefined;
  /** Whether the zone is configured: others have no board. */
  readonly isListed: boolean;
}

/** The receipt that confirms a delivery: one that names it, or one that names a later one, as the board of the zone judges. */
function findConfirming(
  { ledger, sent }: Records,
  { last, isUnderWay, isListed }: BoardWord,
  { isNamed, isInside }: Pick<KnownDelivery, 'isNamed' | 'isInside'>,
): NamingReceipt | undefined {
  if (isNamed) return last && toNaming(last);
  if (isUnderWay && isListed) return undefined;
  if (ledger?.receipt !== undefined) return ledger.receipt;
  const isOver = sent !== undefined && isSent(sent) && !isUnderWay && !isInside;
  return isOver ? last && toNaming(last) : undefined;
}

function toKnown(id: string, records: Records, board: BoardWord, names: Names): KnownDelivery {
  const { ledger, sent, arrival } = records;
  const { last, isUnderWay, overdueSince, replacedBy, writing } = board;
  const zone = sent?.zone ?? arrival?.zone ?? ledger?.zone;
  const parts = arrival?.parts ?? sent?.parts ?? ledger?.parts;
  const isForked = last?.summary.fork !== undefined;
  // of two receipts with one number, none tells the content of the zone
  const recipes = listRecipes(records, isForked ? undefined : last, names);
  const isNamedIn = (known: Known | undefined): known is Known =>
    known !== undefined &&
    (sent === undefined ? known.receipt.lastDelivery?.id === id : isNamedBy(known.receipt, sent));
  const isNamed = isNamedIn(last);
  const isLater = last !== undefined && sent !== undefined && last.summary.issuedAt >= sent.startedAt;
  const isInside =
    isLater &&
    !isUnderWay &&
    recipes.length > 0 &&
    recipes.every(({ confirmed }) => confirmed?.state === 'present');
  const awaited =
    isNamed && isUnderWay && sent !== undefined ? listAwaitedDisks(sent, last.receipt) : undefined;
  const confirming = findConfirming(records, board, { isNamed, isInside });
  const disbelieved = isNamedIn(board.unbelieved) ? toNaming(board.unbelieved) : undefined;
  const receipt = disbelieved ?? confirming;
  const doubt =
    disbelieved !== undefined
      ? 'unbelieved'
      : isForked && receipt?.sequence === last.summary.sequence
        ? 'forked'
        : undefined;
  const arrived = arrival === undefined ? '' : lastArrival(arrival);
  return {
    id,
    at:
      sent?.startedAt ??
      ledger?.written?.at ??
      ledger?.received?.at ??
      (arrived || (ledger?.at ?? arrival!.resolvedAt)),
    ...{ isNamed, isInside, isUnderWay, recipes },
    ...(doubt === undefined ? {} : { doubt }),
    ...(awaited === undefined ? {} : { awaited }),
    ...(isNamed ? { namedPart: last.receipt.lastDelivery!.part } : {}),
    ...(zone === undefined ? {} : { zone }),
    ...(parts === undefined ? {} : { parts }),
    ...(ledger === undefined ? {} : { ledger }),
    ...(sent === undefined ? {} : { sent }),
    ...(arrival === undefined ? {} : { arrival }),
    ...(receipt === undefined ? {} : { receipt }),
    ...(last === undefined ? {} : { lastReceipt: toNaming(last) }),
    ...(overdueSince === undefined ? {} : { overdueSince }),
    ...(replacedBy === undefined ? {} : { replacedBy }),
    ...(writing === undefined ? {} : { writing }),
  };
}

/** The folders of the disks of a delivery, as far as they are known. */
export const foldersOf = ({ sent, ledger }: Pick<KnownDelivery, 'sent' | 'ledger'>): readonly string[] =>
  ledger?.folders ?? sent?.room?.folders ?? [];

/**
 * Lists the deliveries of all records of the instance: the custody ledger, those that were written, those that arrived, and the
 * receipts. The newest first.
 *
 * @throws SVC-CFG-001 without a state folder, SVC-STO-001, SVC-STO-014
 */
export async function listKnownDeliveries({ instance }: DeliveryParts): Promise<readonly KnownDelivery[]> {
  const { context } = instance;
  const now = systemClock.wall();
  const receipts = await listKnownReceipts(context, now);
  const { state, zones } = context.config;
  const ledger = new Map((await listLedgerDeliveries({ instance })).map((one) => [one.id, one]));
  const sent = new Map((await openSent(state.root!).list()).map((one) => [one.id, one]));
  // of several peers under one identifier, the one whose disk arrived last
  const arrivals = new Map((await listReceived(state.root!)).toReversed().map((one) => [one.id, one]));
  const byZone = Map.groupBy(sent.values(), ({ zone }) => zone);
  const boards = new Map<
    string | undefined,
    Pick<BoardWord, 'last' | 'unbelieved'> & { readonly ids: ReadonlySet<string> }
  >();
  const boardOf = (zone: string | undefined) => {
    const known = boards.get(zone);
    if (known !== undefined) return known;
    const signer = zones.find(({ name }) => name === zone)?.peer ?? zone;
    const stated = receipts.find(({ summary }) => summary.zone === signer);
    const [last, unbelieved] = stated?.summary.verified === false ? [undefined, stated] : [stated];
    const way = selectUnderWay({ deliveries: byZone.get(zone!) ?? [], receipt: last?.receipt });
    const board = { last, unbelieved, ids: new Set(way.map(({ id }) => id)) };
    boards.set(zone, board);
    return board;
  };
  const names: Names = new Map(
    (instance.store?.index.recipes() ?? []).map(({ digest, name, version }) => [digest, { name, version }]),
  );
  const running = instance.tasks?.listHeads({ type: 'media-write', status: 'running' }).tasks ?? [];
  return [...new Set([...ledger.keys(), ...sent.keys(), ...arrivals.keys()])]
    .map((id) => {
      const records = { ledger: ledger.get(id), sent: sent.get(id), arrival: arrivals.get(id) };
      const zone = records.sent?.zone ?? records.arrival?.zone ?? records.ledger?.zone;
      const { last, unbelieved, ids } = boardOf(zone);
      const listed = zones.find(({ name }) => name === zone);
      const isUnderWay = ids.has(id);
      const age = isUnderWay && listed !== undefined && datedAge(records.sent!.startedAt, listed.maxAge, now);
      const { overdueSince } = age || {};
      const { sent: own } = records;
      const replacedBy = own && findReplacement(own, byZone.get(zone!) ?? [])?.id;
      const isListed = listed !== undefined;
      const writing = own && findWriting(own, foldersOf(records), running)?.id;
      const word = { isUnderWay, isListed, overdueSince, replacedBy, writing };
      return toKnown(id, records, { last, unbelieved, ...word }, names);
    })
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

/**
 * Lists the deliveries of the custody ledger as `listLedgerDeliveries`, each with the receipt that confirms it.
 *
 * @throws as `listKnownDeliveries`
 */
export async function listLedgerConfirmed(parts: DeliveryParts): Promise<readonly LedgerDelivery[]> {
  const known = new Map(
    (await listKnownDeliveries(parts)).map(({ id, receipt, doubt }) => [
      id,
      doubt === undefined ? receipt : undefined,
    ]),
  );
  return (await listLedgerDeliveries(parts)).map(({ receipt: _, ...one }) => {
    const receipt = known.get(one.id);
    return receipt === undefined ? one : { ...one, receipt };
  });
}

/** The delivery with an identifier. @throws SVC-REG-005 for one that no record names; as `listKnownDeliveries` */
export async function findKnownDelivery(parts: DeliveryParts, id: string): Promise<KnownDelivery> {
  const found = (await listKnownDeliveries(parts)).find((one) => one.id === id);
  if (found === undefined) throw svcError('SVC-REG-005', { reference: id, local: 'custody' });
  return found;
}
