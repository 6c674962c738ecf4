import { stat } from 'node:fs/promises';
import { toFingerprint } from '../attest/public-key.ts';
import { countStates } from '../attest/receipt.ts';
import type { QueryOf } from '../contract/operation.ts';
import type { listReceipts } from '../contract/operations/receipts.ts';
import { sortRows } from '../contract/operations/sorting.ts';
import type { AddedReceipt, Receipt, ReceiptList, ReceiptSummary } from '../contract/receipt.ts';
import { toReadError } from '../disk/read-error.ts';
import { openKnownReceipts, type ReceiptContext } from '../operation/zone/known-receipts.ts';
import { type ErrorRecord, isSvcError, type SvcError, toErrorRecord } from '../text/error.ts';
import { openOwnReceipts } from '../zone/own-receipts.ts';
import type { KeptReceipt } from '../zone/receipt-files.ts';
import { type Fork, findReceiptKey, isBelieved, toForkError } from '../zone/receipts.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The last receipt of a zone, and its summary. */
interface KnownReceipt {
  readonly summary: ReceiptSummary;
  readonly receipt: Receipt;
}

/**
 * The last receipt of each zone, with the last one of this zone itself, by zone unless told.
 *
 * @param now milliseconds since the epoch
 * @throws SVC-CFG-001, SVC-STO-001, SVC-STO-014
 */
export async function listKnownReceipts(
  context: Pick<ReceiptContext, 'config' | 'policy'>,
  now: number,
  query: QueryOf<typeof listReceipts.query> = {},
): Promise<readonly KnownReceipt[]> {
  const { receipts, keys } = await openKnownReceipts(context);
  const { zone, state } = context.config;
  const own = zone === undefined ? undefined : await openOwnReceipts(state.root!).last(zone);
  const all: KnownReceipt[] = [];
  const add = (one: KeptReceipt, facts: Parameters<typeof toReceiptSummary>[1]): void => {
    all.push({ summary: toReceiptSummary(one, facts), receipt: one.receipt });
  };
  if (own) add(own, { own: true, verified: true, now });
  for (const one of await receipts.list()) {
    const [fork, lower] = [await receipts.fork(one), await receipts.fallback(one)];
    add(one, { own: false, verified: isBelieved(one, keys), fork, lower, now });
  }
  return sortRows(
    all,
    {
      zone: ({ summary }) => summary.zone,
      sequence: ({ summary }) => summary.sequence,
      issued: ({ summary }) => summary.issuedAt,
      evidence: ({ summary }) => summary.evidence,
      recipes: ({ summary: { recipes } }) => recipes.incomplete + recipes.blocked,
    },
    query,
  );
}

/** The same as a document. */
export async function showReceipts(...asked: Parameters<typeof listKnownReceipts>): Promise<ReceiptList> {
  const known = await listKnownReceipts(...asked);
  return { receipts: known.map(({ summary }) => summary) };
}

/** The last receipt of a zone, with its key and its time for an auditor. */
export interface ReceiptRecord {
  readonly summary: ReceiptSummary;
  readonly kept: KeptReceipt;
  /** Fingerprint of the key that verifies it; of one that no key verifies, the key that it names itself. */
  readonly signer?: string;
  /** When this instance kept it, or wrote its own one; RFC 3339. */
  readonly keptAt: string;
}

/**
 * The last receipt of one zone, or of this zone itself.
 *
 * @param now milliseconds since the epoch
 * @returns undefined where none is known
 * @throws SVC-CFG-001, SVC-STO-001, SVC-STO-014
 */
export async function findReceipt(
  context: Pick<ReceiptContext, 'config' | 'policy'>,
  zone: string,
  now: number,
): Promise<ReceiptRecord | undefined> {
  const { receipts, keys } = await openKnownReceipts(context);
  const own = zone === context.config.zone;
  const kept = own
    ? await openOwnReceipts(context.config.state.root!).last(zone)
    : (await receipts.list()).find(({ receipt }) => receipt.zone === zone);
  if (kept === undefined) return undefined;
  const signer = findReceiptKey(kept, keys);
  const hint = kept.hint === undefined ? undefined : Buffer.from(kept.hint, 'base64').toString('hex');
  const fingerprint = signer === undefined ? hint : toFingerprint(signer.key);
  const { mtime } = await stat(kept.path).catch((error: unknown) => {
    throw toReadError(error, kept.path);
  });
  return {
    summary: toReceiptSummary(kept, {
      own,
      verified: own || signer !== undefined,
      fork: own ? undefined : await receipts.fork(kept),
      lower: own ? undefined : await receipts.fallback(kept),
      now,
    }),
    kept,
    ...(fingerprint === undefined ? {} : { signer: fingerprint }),
    keptAt: mtime.toISOString(),
  };
}

/** The last believed receipt of a zone, and why nothing can rest on it. */
export interface ReceiptStanding {
  readonly zone: string;
  readonly maxAge?: number;
  /** Absent without a believed receipt. */
  readonly issuedAt?: string;
  /** No configured key verifies the receipt, or its date is more than a day ahead. */
  readonly doubt?: 'unbelieved' | 'future';
  /** The record that cannot be read, or two receipts of one number. */
  readonly error?: ErrorRecord;
}

/**
 * The standing of the last receipt of each configured zone, of each other peer for receipts, and of each zone whose receipt no
 * configured key verifies. A zone without a receipt is left out.
 *
 * @param now milliseconds since the epoch
 * @throws SVC-CFG-001, and the errors of the keys of peers
 */
export async function listReceiptStandings(
  context: Pick<ReceiptContext, 'config' | 'policy'>,
  now: number,
): Promise<readonly ReceiptStanding[]> {
  const { receipts, keys } = await openKnownReceipts(context);
  const { zones, peers } = context.config;
  const givers = peers.filter(
    ({ name, for: kinds }) =>
      kinds.includes('receipt') && !zones.some(({ peer, name: zone }) => (peer ?? zone) === name),
  );
  const standings: ReceiptStanding[] = [];
  for (const { name, peer = name, maxAge } of [
    ...zones,
    ...givers.map(({ name }) => ({ name, peer: name, maxAge: undefined })),
  ]) {
    const base = { zone: name, ...(maxAge === undefined ? {} : { maxAge }) };
    try {
      const kept = await receipts.latest(peer, keys);
      if (kept === undefined) continue;
      const { issuedAt } = kept.receipt;
      const fork = await receipts.fork(kept);
      standings.push({
        ...base,
        issuedAt,
        ...(isOfFuture(issuedAt, now) ? { doubt: 'future' as const } : {}),
        ...(fork === undefined
          ? {}
          : { error: toErrorRecord(toForkError(name, fork, { last: kept.receipt.sequence })) }),
      });
    } catch (error) {
      if (!isSvcError(error)) throw error;
      standings.push({ ...base, error: toErrorRecord(error) });
    }
  }
  const unbelieved = (await receipts.list().catch(toNothing)).filter((one) => !isBelieved(one, keys));
  for (const { receipt } of unbelieved)
    if (!standings.some(({ zone }) => zone === receipt.zone))
      standings.push({ zone: receipt.zone, issuedAt: receipt.issuedAt, doubt: 'unbelieved' });
  return standings;
}

const isOfFuture = (issuedAt: string, now: number): boolean => Date.parse(issuedAt) > now + dayMs;

/** Of records that cannot be read all: the loop over the zones has told which. */
function toNothing(error: unknown): readonly KeptReceipt[] {
  if (isSvcError(error)) return [];
  throw error;
}

/** @param now milliseconds since the epoch */
export function toReceiptSummary(
  { digest, receipt }: Pick<KeptReceipt, 'digest' | 'receipt'>,
  {
    own,
    verified,
    fork,
    lower,
    now,
  }: {
    readonly own: boolean;
    readonly verified: boolean;
    readonly fork?: Fork | undefined;
    readonly lower?: Fork | undefined;
    readonly now: number;
  },
): ReceiptSummary {
  const { zone, sequence, issuedAt, evidence, lastDelivery } = receipt;
  return {
    zone,
    sequence,
    issuedAt,
    digest,
    own,
    verified,
    believed: verified && fork === undefined,
    ...(isOfFuture(issuedAt, now) ? { fromTheFuture: true } : {}),
    ...(fork === undefined ? {} : { fork }),
    ...(lower === undefined ? {} : { lower }),
    evidence,
    recipes: countStates(receipt),
    ...(lastDelivery ? { lastDelivery } : {}),
  };
}

/** The contradictions of an added receipt, as its document has them. */
export const toContradictions = (found: readonly SvcError[]): Pick<AddedReceipt, 'contradictions'> =>
  found.length === 0 ? {} : { contradictions: found.map(toErrorRecord) };
