import { stat } from 'node:fs/promises';
import { requireSetting } from '../../base/require-setting.ts';
import type { Config } from '../../config/model.ts';
import { type HistoryRecord, isLoss, triedName } from '../../contract/history.ts';
import { listLedgerYears, toCustodyFolder } from '../../custody/ledger-files.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { toReadError } from '../../disk/read-error.ts';
import { toAuditPath } from '../../log/audit-files.ts';
import { createFilter, type HistoryFilter, readHistory } from '../../log/read-history.ts';
import { findOutcome, readLedgerForward } from './ledger-records.ts';
import { addDeliveries } from './zone-deliveries.ts';

type Outcome = HistoryRecord['outcome'];

/** How many records a filter selects, by their outcome. */
export interface HistoryTotals {
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Whether all records were counted. */
  readonly isWhole: boolean;
}

/** Records that are alike for a filter of days, actors, actions and outcomes. */
interface Group {
  readonly sample: HistoryRecord;
  count: number;
}

/** Records of one file. */
type Groups = Map<string, Group>;

/** The count so far of the records that a filter selects. */
interface Tally {
  readonly filter: HistoryFilter;
  /** By the number of their file: the oldest are removed. */
  readonly audit: Map<number, Groups>;
  readonly ledger: Groups;
  /** Intents without an outcome so far, by the end of their line. */
  readonly open: Map<string, HistoryRecord>;
  auditAt: string | undefined;
  ledgerAt: string | undefined;
  isWhole: boolean;
  /** One reading after the other. */
  turn: Promise<unknown>;
}

/** Records that are read at once: few for a page that waits for them. */
const toPart = (milliseconds: number): number => (milliseconds < 50 ? 1000 : 4000);

/** Counters that are kept beside that of all records. */
const mostKept = 16;

const isDay = (text: string | undefined): boolean => text === undefined || /^\d{4}-\d\d-\d\d$/.test(text);

/** Whether groups of days have all that a filter asks for. */
const isOfDays = ({ subject, from, to }: HistoryFilter): boolean =>
  subject === undefined && isDay(from) && isDay(to);

/** The part of a filter by which lines are selected while they are read: the rest is selected from groups. */
const toRead = (filter: HistoryFilter): HistoryFilter => (isOfDays(filter) ? {} : filter);

const openTally = (filter: HistoryFilter): Tally => ({
  filter,
  audit: new Map(),
  ledger: new Map(),
  open: new Map(),
  auditAt: undefined,
  ledgerAt: undefined,
  isWhole: false,
  turn: Promise.resolve(),
});

/** A record with no more than the filter asks for: losses keep their own times. */
function toSample(record: HistoryRecord): HistoryRecord {
  if (isLoss(record)) return record;
  const { actor, action, outcome, ts } = record;
  const target = triedName(record);
  return {
    ts: ts.slice(0, 10),
    actor,
    action,
    outcome,
    details: {},
    ...(target === undefined ? {} : { target }),
  };
}

function add(groups: Groups, record: HistoryRecord): void {
  const sample = toSample(record);
  const { ts, actor, action, outcome, target, details } = sample;
  const key = [ts, actor, action, outcome, target, details.since].join('\n');
  const group = groups.get(key);
  if (group === undefined) groups.set(key, { sample, count: 1 });
  else group.count += 1;
}

const fileOf = (at: string): number => Number(at.split('-', 1)[0]);

/** Counts one part of the audit records. @returns whether there are more */
async function countAudit(root: string, tally: Tally, pageSize: number): Promise<boolean> {
  const query = { ...tally.filter, order: 'asc', cursor: tally.auditAt, pageSize } as const;
  const { found, next, reached } = await readHistory(root, query);
  for (const { record, at } of found) {
    const groups = tally.audit.get(fileOf(at)) ?? new Map();
    tally.audit.set(fileOf(at), groups);
    add(groups, record);
  }
  tally.auditAt = next ?? reached ?? tally.auditAt;
  return next !== undefined;
}

/** Forgets the records of files that were removed since. */
async function forgetRemoved(root: string, { audit }: Tally): Promise<void> {
  if (audit.size === 0) return;
  const { reached } = await readHistory(root, { order: 'asc', pageSize: 1 });
  for (const file of audit.keys()) if (reached === undefined || file < fileOf(reached)) audit.delete(file);
}

/** Counts one part of the lines of the ledger. @returns whether there are more */
async function countLedger(folder: string, tally: Tally, pageSize: number): Promise<boolean> {
  if ((await listLedgerYears(folder)).length === 0) return false;
  const query = { ...tally.filter, cursor: tally.ledgerAt, pageSize };
  const { found, next, reached } = await readLedgerForward(folder, query);
  for (const one of found)
    if (one.record.outcome === 'open' && one.from !== undefined) tally.open.set(one.from, one.record);
    else add(tally.ledger, one.record);
  if (reached !== undefined)
    // the outcome is a line of its own, and counted as such
    for (const end of tally.open.keys())
      if ((await findOutcome(folder, end)) !== undefined) tally.open.delete(end);
  tally.ledgerAt = next ?? reached ?? tally.ledgerAt;
  return next !== undefined;
}

/** Begins anew where the file that was read last was removed, or was cut: the records counted in it may be gone. */
async function restartUnlessKept(root: string, tally: Tally): Promise<void> {
  if (tally.auditAt === undefined) return;
  const [file, offset] = tally.auditAt.split('-').map(Number);
  const path = toAuditPath(root, file!);
  const size = await stat(path).then(
    (found) => found.size,
    (error) => {
      if (isAbsent(error)) return 0;
      throw toReadError(error, path);
    },
  );
  if (size >= offset!) return;
  tally.audit.clear();
  tally.auditAt = undefined;
}

/** Counts further records until some milliseconds are over. */
async function advance(root: string, tally: Tally, most: number): Promise<void> {
  await restartUnlessKept(root, tally);
  const until = performance.now() + most;
  const folder = toCustodyFolder(root);
  const part = toPart(most);
  const before = tally.auditAt;
  let [audits, lines] = [true, true];
  while (audits && performance.now() < until) audits = await countAudit(root, tally, part);
  while (!audits && lines) {
    lines = await countLedger(folder, tally, part);
    if (performance.now() >= until) break;
  }
  tally.isWhole = !audits && !lines;
  // files are removed when a new one begins
  if (fileOf(before ?? '') !== fileOf(tally.auditAt ?? '')) await forgetRemoved(root, tally);
}

function sum(tally: Tally, filter: HistoryFilter): HistoryTotals {
  // lines are not selected twice: their groups have no subject
  const selects = createFilter(isOfDays(filter) ? filter : {});
  const counts: Record<Outcome, number> = { success: 0, failure: 0, denied: 0, open: 0 };
  for (const groups of [...tally.audit.values(), tally.ledger])
    for (const { sample, count } of groups.values()) if (selects(sample)) counts[sample.outcome] += count;
  for (const record of tally.open.values()) if (selects(toSample(record))) counts.open += 1;
  return { counts, isWhole: tally.isWhole };
}

/** The counters of each configuration that is served, those that were asked for last at the end. */
const tallies = new WeakMap<Pick<Config, 'state'>, Map<string, Tally>>();

/**
 * Counts the records that a filter selects: as many as their table (CSV) has. The count is kept, and only later records are
 * read again.
 *
 * @param most milliseconds for the reading; a long history takes several calls
 * @throws SVC-CFG-001 without a state folder; SVC-STO-001, SVC-STO-014
 */
export async function countHistory(
  place: Pick<Config, 'state'>,
  { actor, subject, action, outcome, from, to }: HistoryFilter,
  most: number,
): Promise<HistoryTotals> {
  const root = requireSetting('state.root', place.state.root);
  const filter = await addDeliveries<HistoryFilter>(root, { actor, subject, action, outcome, from, to });
  const read = toRead(filter);
  const key = JSON.stringify(read);
  const kept = tallies.get(place) ?? new Map<string, Tally>();
  tallies.set(place, kept);
  const tally = kept.get(key) ?? openTally(read);
  kept.delete(key);
  kept.set(key, tally);
  for (const other of kept.keys()) if (kept.size > mostKept && other !== '{}') kept.delete(other);
  const turn = tally.turn.then(() => advance(root, tally, most));
  tally.turn = turn.catch(() => undefined);
  await turn;
  return sum(tally, filter);
}
