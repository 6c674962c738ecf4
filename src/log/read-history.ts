import { type HistoryRecord, isLoss, selectActions, toLast, toLoss, triedName } from '../contract/history.ts';
import { lossMessage } from './line-queue.ts';
import { type AuditPosition, scanAudit } from './scan-audit.ts';

/** Selects audit records. Nothing but a time hides lost ones: they may have been any. */
export interface HistoryFilter {
  /**
   * Part of the name, in any case, or the whole one in quotation marks. A refused sign-in has the name that was tried beside
   * that of its actor.
   */
  readonly actor?: string | undefined;
  /**
   * Part of the target, or of another text of the record, such as a digest, a recipe or a task, in any case. A delivery is
   * also in the names of its media.
   */
  readonly subject?: string | undefined;
  /** Further subjects: the deliveries whose zone has that part, as many records have the identifier of a delivery only. */
  readonly deliveries?: readonly string[] | undefined;
  /** An action, or a group of actions. */
  readonly action?: string | undefined;
  /** Any of these; all of an empty list. */
  readonly outcome?: readonly HistoryRecord['outcome'][] | undefined;
  /** Day or time (RFC 3339, UTC) of the oldest record. */
  readonly from?: string | undefined;
  /** Day or time of the newest record; a day includes all of it. */
  readonly to?: string | undefined;
}

export interface HistoryQuery extends HistoryFilter {
  /** Newest first unless told. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** The `next` of the page before. */
  readonly cursor?: string | undefined;
  readonly pageSize: number;
  /** Ends the reading: the page has the records until then. */
  readonly signal?: AbortSignal | undefined;
}

/** A record with its place. */
export interface FoundRecord {
  readonly record: HistoryRecord;
  /** Its line, with the line feed; absent for one in place of lost ones. */
  readonly line?: string;
  /** Cursor of the records that follow it in the order of the page. */
  readonly at: string;
  /** Where its line ends: cursor of this record and the older ones; absent for one in place of lost ones. */
  readonly from?: string;
}

/** One page of records of one source, in its order. */
export interface FoundRecords {
  readonly found: readonly FoundRecord[];
  /** Cursor of the records behind; absent when there are none. */
  readonly next?: string;
  /** Time of the last record that was looked at (RFC 3339). */
  readonly searchedTo?: string | undefined;
  /** Cursor behind the last line that was looked at; absent where there was none. */
  readonly reached?: string | undefined;
}

/** Bytes of records that one page looks at; the next page continues. */
export const mostBytes = 16 << 20;

/**
 * Reads one page of the kept audit records, newest first unless told. A page looks at a bounded part of them.
 *
 * @param root folder of the state
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function readHistory(root: string, query: HistoryQuery): Promise<FoundRecords> {
  const selects = createFilter(query);
  const mayFit = createLineFilter(query);
  const found: FoundRecord[] = [];
  let seen = 0;
  let last: { readonly line: string; readonly at: AuditPosition } | undefined;
  const visit = (line: string, at: AuditPosition): boolean => {
    // looks at one record more than fits: without one, this is the last page
    if (found.length >= query.pageSize || seen > mostBytes || query.signal?.aborted) return false;
    seen += line.length;
    last = { line, at };
    const record = mayFit(line) ? parseRecord(line) : undefined;
    if (record === undefined || !selects(record)) return true;
    const place = `${at.file}-${at.offset}`;
    // one byte behind its end in both orders: the name of a record does not depend on the order of its list
    const from = `${at.file}-${at.offset + (query.order === 'asc' ? 0 : Buffer.byteLength(line)) + 1}`;
    found.push({ record, at: place, ...(isLoss(record) ? {} : { from, line }) });
    return true;
  };
  const isCut = await scanAudit(root, parseCursor(query.cursor), visit, query.order);
  if (last === undefined) return { found };
  const reached = `${last.at.file}-${last.at.offset}`;
  return { found, ...(isCut ? { next: reached } : {}), reached, searchedTo: parseRecord(last.line)?.ts };
}

function parseCursor(cursor: string | undefined): AuditPosition | undefined {
  if (cursor === undefined) return undefined;
  const [file, offset] = cursor.split('-').map(Number);
  return { file: file!, offset: offset! };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isOutcome = (value: unknown): value is HistoryRecord['outcome'] =>
  value === 'success' || value === 'failure' || value === 'denied';

/** Details that name the thing of a request, the nearest one first. */
const naming = ['delivery', 'recipe', 'since', 'digest', 'reference', 'folder', 'layout', 'file', 'path'];

/** Subject of a record of an earlier version, from its details: a receipt, the content of a pack, a reference that was refused. */
function nameSubject({ zone, sequence, ...named }: HistoryRecord['details']): string | undefined {
  if (isText(zone) && typeof sequence === 'number') return `receipt ${sequence} of ${zone}`;
  return naming.map((name) => named[name]).find(isText);
}

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
  if (msg === lossMessage && logType === undefined) return parseLoss(value);
  if (logType !== 'audit' || !isText(ts) || !isText(actor) || !isText(action) || !isOutcome(outcome))
    return undefined;
  if (Number.isNaN(Date.parse(ts))) return undefined;
  const subject = isText(target) ? target : nameSubject(details);
  return {
    ts,
    actor,
    action,
    ...(subject === undefined ? {} : { target: subject }),
    outcome,
    ...(isText(origin) ? { origin } : {}),
    ...(isText(taskId) ? { taskId } : {}),
    ...(isText(runId) ? { runId } : {}),
    details,
  };
}

function parseLoss({ ts, records, since }: { ts?: unknown; records?: unknown; since?: unknown }) {
  if (!isText(ts) || Number.isNaN(Date.parse(ts)) || typeof records !== 'number') return undefined;
  const isSince = isText(since) && !Number.isNaN(Date.parse(since));
  return toLoss('audit.lost', { ts, records, ...(isSince ? { since } : {}) });
}

/** Where the level of a record begins that this program wrote. */
const levelAt = '{"ts":"2026-01-01T00:00:00.000Z",'.length;

/** Tells most lines that are not selected apart before they are parsed. */
function createLineFilter(filter: HistoryFilter): (line: string) => boolean {
  const { actor, subject, outcome = [] } = filter;
  const actions = selectActions(filter.action) ?? [];
  const isWithin = createTimeFilter(filter);
  // JSON writes other texts in several ways
  const isPlain = (text: string): boolean => /^[\x20-\x7e]+$/.test(text) && !/["\\]/.test(text);
  const isNamed = createDeliveryFilter(filter);
  const parts = [[actor && toWanted(actor).name], actions, outcome]
    .map((spellings) => spellings.flatMap((text) => (text !== undefined && isPlain(text) ? [text] : [])))
    .filter((spellings) => spellings.length > 0)
    .map((spellings) => spellings.map((text) => text.toLowerCase()));
  const subjects = toSpellings(subject).map((text) => text.toLowerCase());
  const isOpen = !subjects.some(isPlain);
  return (line) => {
    // an audit record has the level info
    if (line.startsWith('"level":"warn"', levelAt)) return true;
    // as records are written; others are parsed
    const time = line.startsWith('{"ts":"') ? Date.parse(line.slice(7, 31)) : Number.NaN;
    if (!Number.isNaN(time) && !isWithin(time)) return false;
    if (parts.length === 0 && isOpen) return true;
    const lower = line.toLowerCase();
    return (
      parts.every((spellings) => spellings.some((part) => lower.includes(part))) &&
      (isOpen || subjects.some((part) => lower.includes(part)) || isNamed(lower))
    );
  };
}

/** The name that a filter asks for, and whether nothing may stand before or after it. */
function toWanted(actor: string): { readonly name: string; readonly isWhole: boolean } {
  const [, whole] = /^"(.+)"$/s.exec(actor) ?? [];
  return { name: (whole ?? actor).toLowerCase(), isWhole: whole !== undefined };
}

/** The texts that a subject has in records: the media of a delivery have names of their own. */
function toSpellings(subject: string | undefined): readonly string[] {
  if (subject === undefined) return [];
  const delivery = /^dlv_([0-9a-f]{12})$/i.exec(subject);
  return delivery === null ? [subject] : [subject, `dlv-${delivery[1]}-`];
}

/** Tells whether a text in lower case names one of the deliveries, or a medium of one. */
function createDeliveryFilter({ deliveries = [] }: HistoryFilter): (text: string) => boolean {
  if (deliveries.length === 0) return () => false;
  const wanted = new Set(deliveries.map((id) => id.slice('dlv_'.length)));
  return (text) => [...text.matchAll(/dlv[_-]([0-9a-f]{12})/g)].some(([, id]) => wanted.has(id!));
}

/** @returns whether a time is selected; `since` begins a span that ends with it */
function createTimeFilter({ from, to }: HistoryFilter): (time: number, since?: number) => boolean {
  const first = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const last = to === undefined ? Number.POSITIVE_INFINITY : toLast(to);
  return (time, since = time) => time >= first && since <= last;
}

function createActorFilter(actor: string | undefined): (record: HistoryRecord) => boolean {
  if (actor === undefined) return () => true;
  const { name, isWhole } = toWanted(actor);
  return (record) =>
    [record.actor, triedName(record)].some((one) => {
      const known = one?.toLowerCase();
      return isWhole ? known === name : known?.includes(name);
    });
}

/** Tells whether a record is selected. */
export function createFilter(filter: HistoryFilter): (record: HistoryRecord) => boolean {
  const { outcome = [] } = filter;
  const actions = selectActions(filter.action);
  const isBy = createActorFilter(filter.actor);
  const subjects = toSpellings(filter.subject).map((text) => text.toLowerCase());
  const isNamed = createDeliveryFilter(filter);
  const has = (text: string): boolean => {
    const lower = text.toLowerCase();
    return subjects.some((subject) => lower.includes(subject)) || isNamed(lower);
  };
  const isWithin = createTimeFilter(filter);
  return (record) => {
    const { since } = record.details;
    if (isLoss(record)) return isWithin(Date.parse(record.ts), isText(since) ? Date.parse(since) : undefined);
    return (
      (actions?.includes(record.action) ?? true) &&
      (outcome.length === 0 || outcome.includes(record.outcome)) &&
      isBy(record) &&
      isWithin(Date.parse(record.ts)) &&
      (subjects.length === 0 || isAbout(record, has))
    );
  };
}

function isAbout(
  { target, taskId, runId, origin, details }: HistoryRecord,
  has: (text: string) => boolean,
): boolean {
  return (
    [target, taskId, runId, origin].some((text) => text !== undefined && has(text)) || hasText(details, has)
  );
}

function hasText(value: unknown, has: (text: string) => boolean): boolean {
  if (typeof value === 'string') return has(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => hasText(member, has));
}
