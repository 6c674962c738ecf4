import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { judgeAge } from '../../src/engine/zone/zone-board.ts';
import { type ErrorRecord, isSvcError } from '../../src/text/error.ts';
import { listReceiptStandings, type ReceiptStanding } from '../../src/view/receipts.ts';
import { type DescribedDamage, describeDamage } from './damage.ts';
import type { Viewer, ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'instance' | 'store' | 'gate' | 'tasks'>;

/** A receipt on which no delivery can rest. */
export interface DoubtfulReceipt {
  readonly zone: string;
  /** Whether the zone has a page. */
  readonly hasPage: boolean;
  /** Date of an overdue one. */
  readonly overdueSince?: string;
  readonly doubt?: ReceiptStanding['doubt'];
  readonly error?: ErrorRecord;
}

/** What is wrong beside the wanted recipes. */
export interface Troubles extends DescribedDamage {
  readonly receipts: readonly DoubtfulReceipt[];
}

/** Milliseconds after which receipts are read again although none came. */
const freshFor = 600_000;

interface Known {
  readonly at: number;
  readonly mark: number;
  readonly standings: Promise<readonly ReceiptStanding[]>;
}
const known = new WeakMap<ViewParts['instance'], Known>();

/** The standings of the receipts, read again when one came: most requests cost one look at a folder. */
async function readStandings({ instance }: Pick<Parts, 'instance'>): Promise<readonly ReceiptStanding[]> {
  const { context } = instance;
  const { root } = context.config.state;
  if (root === undefined) return [];
  const mark = await stat(join(root, 'receipts')).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (mark === 0) return [];
  const now = performance.now();
  const before = known.get(instance);
  if (before?.mark === mark && now - before.at < freshFor) return before.standings;
  const standings = listReceiptStandings(context, systemClock.wall()).catch((error: unknown) => {
    // the page of the receipts reports it
    if (isSvcError(error)) return [];
    throw error;
  });
  known.set(instance, { at: now, mark, standings });
  standings.catch(() => known.delete(instance));
  return standings;
}

/** Lists the faults beside those of wanted recipes, for a reader of this role. */
export async function listTroubles(
  parts: Parts & { readonly identity: Viewer; readonly can: (role: 'operator' | 'admin') => boolean },
): Promise<Troubles> {
  const now = systemClock.wall();
  const { zones } = parts.instance.context.config;
  const receipts = (await readStandings(parts)).flatMap(({ zone, maxAge, issuedAt, doubt, error }) => {
    const isOverdue =
      issuedAt !== undefined && maxAge !== undefined && judgeAge(issuedAt, maxAge, now).overdue;
    const hasPage = zones.some(({ name }) => name === zone);
    // the receipts of other zones are shown to operators
    if ((error === undefined && doubt === undefined && !isOverdue) || !(hasPage || parts.can('operator')))
      return [];
    return [
      {
        zone,
        hasPage,
        ...(isOverdue ? { overdueSince: issuedAt } : {}),
        ...(doubt === undefined ? {} : { doubt }),
        ...(error === undefined ? {} : { error }),
      },
    ];
  });
  return { receipts, ...(await describeDamage(parts)) };
}
