import { relative } from 'node:path';
import { type Digest, hashBytes } from '../base/digest.ts';
import { mapInTurns } from '../base/pacer.ts';
import { requireSetting } from '../base/require-setting.ts';
import type { Config } from '../config/model.ts';
import type { CustodyLine } from '../contract/custody.ts';
import { type HistoryPage, type HistoryRecord, isLoss, isOfMedium } from '../contract/history.ts';
import type { QueryOf } from '../contract/operation.ts';
import type { listHistory } from '../contract/operations/history.ts';
import { EndedIntents } from '../custody/ended-intents.ts';
import { listLedgerYears, toCustodyFolder, toLedgerPath } from '../custody/ledger-files.ts';
import { toAuditPath } from '../log/audit-files.ts';
import { type FoundRecord, type FoundRecords, type HistoryFilter, readHistory } from '../log/read-history.ts';
import { escapeText } from '../text/escape.ts';
import { history } from '../text/words/history.ts';
import { type Words, words } from '../text/words/words.ts';
import { findNext, findOutcome, readLedgerForward, readLedgerRecords } from './history/ledger-records.ts';
import { addDeliveries } from './history/zone-deliveries.ts';

type Place = Pick<Config, 'state' | 'audit'>;
interface Query extends Omit<QueryOf<typeof listHistory.query>, 'format'>, Pick<HistoryFilter, 'deliveries'> {
  /** Ends the reading of a page. */
  readonly signal?: AbortSignal;
}

/** Cursors of sources that have no further records, in each order. */
const ends = {
  desc: { audit: '0-0', ledger: '0000-0' },
  asc: { audit: '999999999999999-0', ledger: '9999-0g' },
} as const;

/**
 * Shows one page of the kept audit records and of the lines of the custody ledger, if there is one, newest first unless told.
 *
 * @param ended of a caller that reads one page after the other: the knowledge that each page passes to the next ones
 * @throws SVC-CFG-001 without a state folder; SVC-STO-001, SVC-STO-014
 */
export async function showHistory(place: Place, query: Query, ended?: EndedIntents): Promise<HistoryPage> {
  const { found, ...page } = await findHistory(place, query, ended);
  return { records: found.map(({ record }) => record), ...page };
}

/** A record with the identifier of its page; absent for one in place of lost ones. */
export interface NamedRecord {
  readonly record: HistoryRecord;
  readonly id?: string;
  /** Its line, with the line feed. */
  readonly line?: string;
}

interface NamedPage extends Omit<HistoryPage, 'records'> {
  readonly found: readonly NamedRecord[];
}

/** As {@link showHistory}, with the identifiers of the records. */
export async function findHistory(
  { state, audit }: Place,
  { pageSize = 50, cursor, ...filter }: Query,
  ended?: EndedIntents,
): Promise<NamedPage> {
  const root = requireSetting('state.root', state.root);
  const query = await addDeliveries(root, filter);
  const [ofAudit, ofLedger] = (cursor ?? '').split('_').map((part) => part || undefined);
  const records = await readHistory(root, { ...query, cursor: ofAudit, pageSize });
  const folder = toCustodyFolder(root);
  if ((await listLedgerYears(folder)).length === 0) {
    const { found, next, searchedTo } = records;
    return toPage(
      found.map((one) => toNamed('a', one)),
      next,
      searchedTo,
      audit.keep,
    );
  }
  const { order = 'desc' } = query;
  const part = { ...query, cursor: ofLedger, pageSize };
  const lines = await (order === 'asc'
    ? readLedgerForward(folder, part)
    : readLedgerRecords(folder, part, ended));
  const { shown, taken, limit } = merge([records, lines], pageSize, order);
  const audits = toCursor(records, taken[0], ofAudit, ends[order].audit);
  const ledgers = toCursor(lines, taken[1], ofLedger, ends[order].ledger);
  const isEnd = audits === ends[order].audit && ledgers === ends[order].ledger;
  const searched = [records.searchedTo, lines.searchedTo].flatMap((at) => at ?? []).sort();
  const last = searched.at(order === 'asc' ? -1 : 0);
  return toPage(shown, isEnd ? undefined : `${audits}_${ledgers}`, limit ?? last, audit.keep);
}

/** An audit record begins with `a`, a line of the ledger with `c`. */
const toNamed = (source: 'a' | 'c', { record, from, line }: FoundRecord): NamedRecord => ({
  record,
  ...(from === undefined ? {} : { id: `${source}${from}` }),
  ...(line === undefined ? {} : { line }),
});

/** A record with its proof: the line of it. */
export interface KeptRecord {
  readonly record: HistoryRecord;
  /** The line, without its line feed. */
  readonly line: string;
  /** SHA-256 of the line, with its line feed. */
  readonly digest: Digest;
  /** Its file, below the folder of the state. */
  readonly file: string;
  /** Place in the custody ledger; audit records have no chain. */
  readonly chain?: Pick<CustodyLine, 'seq' | 'prev' | 'of'>;
}

/**
 * Finds one record by its identifier; undefined when it is no longer kept.
 *
 * @throws SVC-CFG-001 without a state folder; SVC-STO-001, SVC-STO-014
 */
export async function findRecord(
  { state }: Pick<Place, 'state'>,
  id: string,
): Promise<KeptRecord | undefined> {
  const root = requireSetting('state.root', state.root);
  const [, source, cursor, part] = /^([ac])(([0-9]{1,15})-[0-9]{1,15})$/.exec(id) ?? [];
  if (cursor === undefined) return undefined;
  const folder = toCustodyFolder(root);
  // a gap of the ledger may come before it
  const { found } =
    source === 'a'
      ? await readHistory(root, { cursor, pageSize: 1 })
      : await readLedgerRecords(folder, { cursor, pageSize: 2 });
  const { record, line } = found.find(({ from }) => from === cursor) ?? {};
  if (record === undefined || line === undefined) return undefined;
  const path = source === 'a' ? toAuditPath(root, Number(part)) : toLedgerPath(folder, Number(part));
  const kept = { record, line: line.trimEnd(), digest: hashBytes(line), file: relative(root, path) };
  if (source === 'a') return kept;
  const { seq, prev, of } = JSON.parse(line) as CustodyLine;
  return { ...kept, chain: { seq, prev, of } };
}

/** Audit records beside one; records in place of lost ones have no page. */
async function findAuditNeighbours(root: string, cursor: string): Promise<Neighbours> {
  const older = await readHistory(root, { cursor, pageSize: 3 });
  const [file, behind] = cursor.split('-');
  const newer = await readHistory(root, {
    cursor: `${file}-${Number(behind) - 1}`,
    order: 'asc',
    pageSize: 3,
  });
  const [before, after] = [older, newer].map(
    ({ found }) => found.find(({ from }) => from !== undefined && from !== cursor)?.from,
  );
  return { before: before && `a${before}`, after: after && `a${after}` };
}

/** The records of one kind before and after one, by their identifiers; absent at the ends. */
export interface Neighbours {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/**
 * Finds the audit records beside one, or the records of the custody ledger beside one of its records.
 *
 * @throws SVC-CFG-001 without a state folder; SVC-STO-001, SVC-STO-014
 */
export async function findNeighbours({ state }: Pick<Place, 'state'>, id: string): Promise<Neighbours> {
  const [, source, cursor] = /^([ac])([0-9]{1,15}-[0-9]{1,15})$/.exec(id) ?? [];
  if (cursor === undefined) return {};
  const root = requireSetting('state.root', state.root);
  if (source === 'a') return findAuditNeighbours(root, cursor);
  const folder = toCustodyFolder(root);
  // gaps may come before each of the two
  const { found } = await readLedgerRecords(folder, { cursor, pageSize: 4 });
  const before = found.find(({ from }) => from !== undefined && from !== cursor)?.from;
  const after = await findNext(folder, cursor);
  return { before: before && `c${before}`, after: after && `c${after}` };
}

/**
 * The identifier of the record that took the place of an intent: its outcome.
 *
 * @throws SVC-CFG-001 without a state folder; SVC-STO-001, SVC-STO-014
 */
export async function findSuccessor(
  { state }: Pick<Place, 'state'>,
  id: string,
): Promise<string | undefined> {
  const [, end] = /^c([0-9]{1,15}-[0-9]{1,15})$/.exec(id) ?? [];
  if (end === undefined) return undefined;
  const outcome = await findOutcome(toCustodyFolder(requireSetting('state.root', state.root)), end);
  return outcome && `c${outcome}`;
}

const toPage = (
  found: readonly NamedRecord[],
  next: string | undefined,
  searchedTo: string | undefined,
  keep: number,
): NamedPage => ({
  found,
  ...(next === undefined ? {} : { next }),
  ...(searchedTo === undefined ? {} : { searchedTo }),
  keep,
});

/**
 * Merges the records of two sources by their times. Each keeps its own order. Where a clock was set back, the times of a source
 * do not follow its order: each record then counts at the latest time before it (of the newest first, the earliest). So the
 * whole part of one source is shown, or a whole page, and nothing is read time and again.
 *
 * @returns `limit`: records beyond this time may be absent, as a source was not searched further
 */
function merge(
  [a, b]: readonly [FoundRecords, FoundRecords],
  pageSize: number,
  order: 'asc' | 'desc',
): {
  readonly shown: readonly NamedRecord[];
  readonly taken: readonly [number, number];
  readonly limit?: string;
} {
  const isBefore = (one: string, other: string): boolean => (order === 'asc' ? one < other : one > other);
  const toPlaces = ({ found, searchedTo }: FoundRecords): readonly string[] => {
    let last = found[0]?.record.ts ?? searchedTo ?? '';
    const times = [...found.map(({ record }) => record.ts), searchedTo ?? ''];
    return times.map((ts) => {
      if (ts !== '' && isBefore(last, ts)) last = ts;
      return last;
    });
  };
  const [placesOfA, placesOfB] = [toPlaces(a), toPlaces(b)];
  const limit = [
    a.next === undefined || a.searchedTo === undefined ? [] : placesOfA.slice(-1),
    b.next === undefined || b.searchedTo === undefined ? [] : placesOfB.slice(-1),
  ]
    .flat()
    .sort()
    .at(order === 'asc' ? 0 : -1);
  // of one time, the order is that of the other direction
  const isNext = (one: string, other: string): boolean => (order === 'asc' ? one < other : one >= other);
  const shown: NamedRecord[] = [];
  let [i, j] = [0, 0];
  while (shown.length < pageSize) {
    const [left, right] = [a.found[i], b.found[j]];
    const isLeft = left !== undefined && (right === undefined || isNext(placesOfA[i]!, placesOfB[j]!));
    const next = isLeft ? left : right;
    const place = isLeft ? placesOfA[i]! : placesOfB[j]!;
    if (next === undefined || (limit !== undefined && isBefore(limit, place))) break;
    shown.push(toNamed(isLeft ? 'a' : 'c', next));
    if (isLeft) i += 1;
    else j += 1;
  }
  return { shown, taken: [i, j], ...(limit === undefined ? {} : { limit }) };
}

/** The cursor of a source after its first records were taken. @param end for a source that has no more */
function toCursor(
  { found, next }: FoundRecords,
  taken: number,
  before: string | undefined,
  end: string,
): string {
  if (taken === found.length) return next ?? end;
  return found[taken - 1]?.at ?? before ?? '';
}

/** Says how many records were lost, and when. @param toTime writes a time (RFC 3339) */
export function showLoss(
  { ts, details: { records, since } }: HistoryRecord,
  { say }: Words,
  toTime: (ts: string) => string,
): string {
  const from = typeof since === 'string' ? toTime(since) : undefined;
  return say(history.lost, { n: Number(records), since: from, until: toTime(ts) });
}

const columns = [
  ...['time', 'actor', 'action', 'target', 'outcome', 'origin', 'task', 'run', 'details'],
  // programs read the columns above by their place
  ...['id', 'sha256', 'address', 'ledgerLine'],
];

/** The forms in which all selected records are written: the head of a file, and each of its records. */
const forms = {
  /** A table (RFC 4180). */
  csv: { head: toRow(columns), write: (one) => toRow(toCells(one)) },
  /** The documents of the list, one a line. */
  jsonl: { head: '', write: ({ record }) => `${JSON.stringify(record)}\n` },
} as const satisfies Readonly<
  Record<string, { readonly head: string; readonly write: (one: NamedRecord) => string }>
>;

export type HistoryForm = keyof typeof forms;

/** The record documents of one part, at most: the parts of a long history are not in memory together. */
export const mostInPart = 1000;

/**
 * Writes all selected records, in parts.
 *
 * @param signal ends it, also within a part, with its reason
 * @throws SVC-CFG-001 without a state folder, before the first part
 */
export function writeHistory(
  config: Place,
  query: Query,
  form: HistoryForm,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  requireSetting('state.root', config.state.root);
  return writeParts(config, { ...query, ...(signal && { signal }) }, forms[form]);
}

async function* writeParts(
  config: Place,
  query: Query,
  { head, write }: (typeof forms)[HistoryForm],
): AsyncGenerator<Buffer> {
  if (head !== '') yield Buffer.from(head);
  const filter = await addDeliveries(requireSetting('state.root', config.state.root), query);
  let { cursor } = query;
  // the lines before a given cursor are not read here
  const ended = cursor === undefined ? new EndedIntents() : undefined;
  do {
    const { found, next } = await findHistory(config, { ...filter, cursor, pageSize: mostInPart }, ended);
    query.signal?.throwIfAborted();
    yield Buffer.concat(await mapInTurns(found, (one) => Buffer.from(write(one))));
    cursor = next;
  } while (cursor !== undefined);
}

function toCells({ record, id = '', line }: NamedRecord): readonly string[] {
  const { ts, actor, action, outcome, origin = '', taskId = '', runId = '' } = record;
  const { mediaId, ...shown } = record.details;
  const details = mediaId === undefined || isOfMedium(action) ? record.details : shown;
  const { target = isLoss(record) ? showLoss(record, words.en, (at) => at) : '' } = record;
  const others = Object.keys(details).length === 0 ? '' : JSON.stringify(details);
  const address = id === '' ? '' : `/history/${id}`;
  const seq = id.startsWith('c') ? String(details.line) : '';
  const digest = line === undefined ? '' : hashBytes(line);
  return [ts, actor, action, target, outcome, origin, taskId, runId, others, id, digest, address, seq];
}

function toRow(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/** Quotes a cell. Programs for tables run a text that begins as a formula does, and clients choose names and targets. */
function toCell(text: string): string {
  const shown = escapeText(text);
  const safe = /^[=+\-@]/.test(shown) ? `'${shown}` : shown;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
