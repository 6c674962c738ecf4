import type { AuditAction } from '../base/report.ts';
import type { HistoryPage, HistoryRecord } from '../contract/history.ts';
import { type AuditPosition, scanAudit } from './scan-audit.ts';

/** Selects audit records. Texts are parts of a value, in any case. */
export interface HistoryFilter {
  readonly actor?: string | undefined;
  /** Part of the target, or of another text of the record, such as a digest, a recipe or a task. */
  readonly subject?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly outcome?: HistoryRecord['outcome'] | undefined;
  /** Day or time (RFC 3339, UTC) of the oldest record. */
  readonly from?: string | undefined;
  /** Day or time of the newest record; a day includes all of it. */
  readonly to?: string | undefined;
}

interface HistoryQuery extends HistoryFilter {
  /** The `next` of the page before. */
  readonly cursor?: string | undefined;
  readonly pageSize: number;
}

/** Bytes of records that one page looks at; the next page continues. */
const mostBytes = 16 << 20;

/**
 * Reads one page of the kept audit records, newest first. A page looks at a bounded part of them.
 *
 * @param root folder of the state
 * @param keep bytes of records that are kept
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function readHistory(
  { root, keep }: { readonly root: string; readonly keep: number },
  query: HistoryQuery,
): Promise<HistoryPage> {
  const selects = createFilter(query);
  const mayFit = createLineFilter(query);
  const records: HistoryRecord[] = [];
  let seen = 0;
  let last: { readonly line: string; readonly at: AuditPosition } | undefined;
  const isCut = await scanAudit(root, parseCursor(query.cursor), (line, at) => {
    // looks at one record more than fits: without one, this is the last page
    if (records.length >= query.pageSize || seen > mostBytes) return false;
    seen += line.length;
    last = { line, at };
    const record = mayFit(line) ? parseRecord(line) : undefined;
    if (record !== undefined && selects(record)) records.push(record);
    return true;
  });
  const next = isCut && last !== undefined ? { next: `${last.at.file}-${last.at.offset}` } : {};
  const searchedTo = last === undefined ? undefined : parseRecord(last.line)?.ts;
  return { records, ...next, ...(searchedTo === undefined ? {} : { searchedTo }), keep };
}

/**
 * Reads every selected record, newest first, in the pages of `readHistory`.
 *
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function* readWholeHistory(
  place: { readonly root: string; readonly keep: number },
  query: HistoryFilter & { readonly cursor?: string | undefined },
): AsyncGenerator<readonly HistoryRecord[]> {
  let { cursor } = query;
  do {
    const { records, next } = await readHistory(place, { ...query, cursor, pageSize: 1000 });
    yield records;
    cursor = next;
  } while (cursor !== undefined);
}

function parseCursor(cursor: string | undefined): AuditPosition | undefined {
  if (cursor === undefined) return undefined;
  const [file, offset] = cursor.split('-').map(Number);
  return { file: file!, offset: offset! };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isOutcome = (value: unknown): value is HistoryRecord['outcome'] =>
  value === 'success' || value === 'failure' || value === 'denied';

/** Undefined for a line that is no audit record, or not a whole one. */
function parseRecord(line: string): HistoryRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { ts, level, msg, auditSchema, logType, actor, action, target, outcome, ...others } =
    value as Readonly<Record<string, unknown>>;
  const { origin, taskId, runId, ...details } = others;
  if (logType !== 'audit' || !isText(ts) || !isText(actor) || !isText(action) || !isOutcome(outcome))
    return undefined;
  if (Number.isNaN(Date.parse(ts))) return undefined;
  return {
    ts,
    actor,
    action,
    ...(isText(target) ? { target } : {}),
    outcome,
    ...(isText(origin) ? { origin } : {}),
    ...(isText(taskId) ? { taskId } : {}),
    ...(isText(runId) ? { runId } : {}),
    details,
  };
}

/** Tells most lines that are not selected apart before they are parsed. */
function createLineFilter(filter: HistoryFilter): (line: string) => boolean {
  const { actor, subject, action, outcome } = filter;
  const isWithin = createTimeFilter(filter);
  // JSON writes other texts in several ways
  const isPlain = (text: string): boolean => /^[\x20-\x7e]+$/.test(text) && !/["\\]/.test(text);
  const parts = [actor, subject, action, outcome]
    .filter((text) => text !== undefined && isPlain(text))
    .map((text) => text!.toLowerCase());
  return (line) => {
    // as records are written; others are parsed
    const time = line.startsWith('{"ts":"') ? Date.parse(line.slice(7, 31)) : Number.NaN;
    if (!Number.isNaN(time) && !isWithin(time)) return false;
    if (parts.length === 0) return true;
    const lower = line.toLowerCase();
    return parts.every((part) => lower.includes(part));
  };
}

const millisecondsOfDay = 86_400_000;

/** The last millisecond of a day, or of a time to the second. */
function toLast(text: string): number {
  const at = Date.parse(text);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return at + millisecondsOfDay - 1;
  return text.includes('.') ? at : at + 999;
}

function createTimeFilter({ from, to }: HistoryFilter): (time: number) => boolean {
  const first = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const last = to === undefined ? Number.POSITIVE_INFINITY : toLast(to);
  return (time) => time >= first && time <= last;
}

function createFilter(filter: HistoryFilter): (record: HistoryRecord) => boolean {
  const { action, outcome } = filter;
  const actor = filter.actor?.toLowerCase();
  const subject = filter.subject?.toLowerCase();
  const isWithin = createTimeFilter(filter);
  return (record) =>
    (action === undefined || record.action === action) &&
    (outcome === undefined || record.outcome === outcome) &&
    (actor === undefined || record.actor.toLowerCase().includes(actor)) &&
    isWithin(Date.parse(record.ts)) &&
    (subject === undefined || isAbout(record, subject));
}

function isAbout({ target, taskId, runId, details }: HistoryRecord, subject: string): boolean {
  return (
    [target, taskId, runId].some((text) => text?.toLowerCase().includes(subject)) || hasText(details, subject)
  );
}

function hasText(value: unknown, part: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(part);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => hasText(member, part));
}
