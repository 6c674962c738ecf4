import type { CustodyLine } from '../../contract/custody.ts';
import { type HistoryRecord, toLoss } from '../../contract/history.ts';
import { EndedIntents, isEndOf, readStep, stepOf } from '../../custody/ended-intents.ts';
import { listLedgerYears } from '../../custody/ledger-files.ts';
import { readLineAt, scanLedger, scanLedgerBytes, scanLedgerForward } from '../../custody/read-page.ts';
import {
  createFilter,
  type FoundRecord,
  type FoundRecords,
  type HistoryQuery,
  mostBytes,
} from '../../log/read-history.ts';

/** Ends the cursor of a gap: the lines after it are at the same place. */
const gapMark = 'g';

/**
 * Reads one page of the lines of a custody ledger as records, newest first. An intent is a record only without an outcome.
 * Lines that are broken, and numbers that no line has, are records of their own. The chain is not checked.
 *
 * @param folder of the ledger
 * @param carried intents whose outcomes are on the pages before, where all of them were read; those of this page are added
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function readLedgerRecords(
  folder: string,
  query: HistoryQuery,
  carried?: EndedIntents,
): Promise<FoundRecords> {
  const { pageSize, signal } = query;
  const isAfterGap = query.cursor?.endsWith(gapMark) === true;
  const cursor = isAfterGap ? query.cursor?.slice(0, -1) : query.cursor;
  /** The whole line that was written after the visited ones. */
  let newer = cursor === undefined ? undefined : (await readLineAt(folder, cursor))?.line;
  /** Number of broken lines before it. */
  let broken = cursor !== undefined && newer === undefined ? 1 : 0;
  let isTold = isAfterGap;
  const selects = createFilter(query);
  const found: (FoundRecord & { readonly intent?: ReturnType<typeof stepOf> })[] = [];
  const ended = carried ?? new EndedIntents();
  let seen = 0;
  let last: string | undefined;
  /** Position of the newer line. */
  let before = cursor ?? '';
  let searchedTo: string | undefined;
  const tellGap = (to: { readonly seq: number; readonly ts?: string }): void => {
    const records = Math.max(broken, newer === undefined ? 0 : newer.seq - to.seq - 1);
    const ts = newer?.ts ?? to.ts;
    if (records === 0 || ts === undefined || isTold) return;
    const gap = toLoss('custody.lost', { ts, records, ...(to.ts === undefined ? {} : { since: to.ts }) });
    if (selects(gap)) found.push({ record: gap, at: `${before}${gapMark}` });
  };
  const isCut = await scanLedger(folder, cursor, (line, bytes, at) => {
    if (found.length >= pageSize || seen > mostBytes || signal?.aborted) return false;
    seen += bytes.length;
    last = at;
    const from = toEnd(at, bytes);
    before ||= from;
    if (line === undefined) {
      broken += 1;
      return true;
    }
    tellGap(line);
    [newer, broken, before, isTold] = [line, 0, at, false];
    searchedTo = line.ts;
    const step = stepOf(line);
    ended.add(step);
    if (line.step === 'intent' && ended.has(step)) return true;
    const record = toRecord(line);
    if (selects(record))
      found.push({
        ...{ record, at, from, line: bytes.toString() },
        ...(line.step === 'intent' ? { intent: step } : {}),
      });
    return true;
  });
  if (!isCut) tellGap({ seq: 0 });
  const open = found.filter(({ intent }) => intent !== undefined);
  // the outcome may be on a page before
  if (carried === undefined && cursor !== undefined && open.length > 0 && !signal?.aborted)
    await collectEnded(folder, cursor, ended);
  return {
    found: found.filter(({ intent }) => intent === undefined || !ended.has(intent)),
    ...(isCut && last !== undefined ? { next: last } : {}),
    searchedTo,
  };
}

/** Adds the intents that the lines after a position end. They are not parsed. */
async function collectEnded(folder: string, after: string, ended: EndedIntents): Promise<void> {
  let seen = 0;
  await scanLedgerBytes(folder, undefined, (bytes, at) => {
    seen += bytes.length;
    const step = readStep(bytes);
    if (step !== undefined) ended.add(step);
    return at !== after && seen <= mostBytes;
  });
}

/**
 * Finds the outcome of the intent that ends at a position, or the last line of the run that took it over.
 *
 * @returns where that line ends; undefined where the line is no intent, or none ends it
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function findOutcome(folder: string, end: string): Promise<string | undefined> {
  let intent: CustodyLine | undefined;
  await scanLedger(folder, end, (line) => {
    intent = line;
    return false;
  });
  if (intent?.step !== 'intent') return undefined;
  const begun = stepOf(intent);
  let outcome: string | undefined;
  let seen = 0;
  await scanLedgerBytes(folder, undefined, (bytes, at) => {
    seen += bytes.length;
    const step = readStep(bytes);
    if (step !== undefined && isEndOf(begun, step)) outcome = toEnd(at, bytes);
    return outcome === undefined && at !== end && seen <= mostBytes;
  });
  return outcome;
}

/** The last whole line before a position, and the number of broken ones behind it. */
async function findBefore(folder: string, cursor: string | undefined) {
  let older: CustodyLine | undefined;
  let broken = 0;
  let seen = 0;
  if (cursor !== undefined)
    await scanLedger(folder, cursor, (line, bytes) => {
      seen += bytes.length;
      older = line;
      if (line === undefined) broken += 1;
      return line === undefined && seen <= mostBytes;
    });
  return { older, broken };
}

/**
 * As `readLedgerRecords`, oldest first.
 *
 * @param folder of the ledger
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function readLedgerForward(folder: string, query: HistoryQuery): Promise<FoundRecords> {
  const { pageSize, signal } = query;
  let isTold = query.cursor?.endsWith(gapMark) === true;
  const cursor = isTold ? query.cursor?.slice(0, -1) : query.cursor;
  let { older, broken } = await findBefore(folder, cursor);
  const selects = createFilter(query);
  const found: (FoundRecord & { readonly intent?: ReturnType<typeof stepOf> })[] = [];
  const ended = new EndedIntents();
  let seen = 0;
  let last: string | undefined;
  let searchedTo: string | undefined;
  const tellGap = (newer: CustodyLine | undefined, at: string): void => {
    const records = Math.max(broken, newer === undefined ? 0 : newer.seq - (older?.seq ?? 0) - 1);
    const ts = newer?.ts ?? older?.ts;
    if (records === 0 || ts === undefined || isTold) return;
    const since = older === undefined ? {} : { since: older.ts };
    const gap = toLoss('custody.lost', { ts, records, ...since });
    if (selects(gap)) found.push({ record: gap, at: `${at}${gapMark}` });
  };
  const isCut = await scanLedgerForward(folder, cursor, (line, bytes, { at, end }) => {
    if (found.length >= pageSize || seen > mostBytes || signal?.aborted) return false;
    seen += bytes.length;
    last = end;
    if (line === undefined) {
      broken += 1;
      return true;
    }
    tellGap(line, at);
    [older, broken, isTold, searchedTo] = [line, 0, false, line.ts];
    const step = stepOf(line);
    ended.add(step);
    const record = toRecord(line);
    if (selects(record))
      found.push({
        ...{ record, at: end, from: end, line: bytes.toString() },
        ...(line.step === 'intent' ? { intent: step } : {}),
      });
    return true;
  });
  if (!isCut) tellGap(undefined, last ?? cursor ?? '');
  const open = found.flatMap(({ intent }) => (intent === undefined || ended.has(intent) ? [] : [intent]));
  // the outcome may be on a page behind
  if (isCut && last !== undefined && open.length > 0 && !signal?.aborted)
    await collectOutcomes(folder, last, open, ended);
  return {
    found: found.filter(({ intent }) => intent === undefined || !ended.has(intent)),
    ...(isCut && last !== undefined ? { next: last } : {}),
    // a gap that was told is not told again
    reached: found.at(-1)?.at.endsWith(gapMark) ? found.at(-1)?.at : last,
    searchedTo,
  };
}

/** Adds those of some intents that the lines from a position on end. They are not parsed. */
async function collectOutcomes(
  folder: string,
  from: string,
  open: readonly ReturnType<typeof stepOf>[],
  ended: EndedIntents,
): Promise<void> {
  let left = open;
  let seen = 0;
  await scanLedgerBytes(
    folder,
    from,
    (bytes) => {
      seen += bytes.length;
      const step = readStep(bytes);
      if (step === undefined) return seen <= mostBytes;
      ended.add(step);
      left = left.filter((intent) => !ended.has(intent));
      return left.length > 0 && seen <= mostBytes;
    },
    'asc',
  );
}

/** Lines that a look for the next record skips at most: intents, whose outcomes are records. */
const mostSkipped = 100;

/**
 * Finds the record after the line that ends at a position.
 *
 * @returns where its line ends; undefined after the last one
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function findNext(folder: string, end: string): Promise<string | undefined> {
  const years = await listLedgerYears(folder);
  let from = end;
  for (let skipped = 0; skipped < mostSkipped; skipped += 1) {
    const later = years.find((year) => year > Number(from.split('-', 1)[0]));
    const next =
      (await readLineAt(folder, from)) ??
      (later === undefined ? undefined : await readLineAt(folder, `${String(later).padStart(4, '0')}-0`));
    if (next === undefined) return undefined;
    if ((await findOutcome(folder, next.end)) === undefined) return next.end;
    from = next.end;
  }
  return undefined;
}

/** The position after a line. */
const toEnd = (at: string, { length }: Buffer): string =>
  at.replace(/[0-9]+$/, (start) => String(Number(start) + length));

function toRecord({
  ts,
  actor,
  type,
  step,
  result,
  seq,
  of,
  site,
  subjects,
  details,
}: CustodyLine): HistoryRecord {
  const { delivery, zone, origin, run, ...others } = details;
  const { reference, folder, medium } = others;
  const target = delivery ?? subjects[0]?.name ?? zone ?? reference ?? folder ?? medium ?? site;
  return {
    ts,
    actor,
    action: `custody.${type}`,
    target: String(target),
    outcome: result ?? (step === 'intent' ? 'open' : 'success'),
    ...(origin === undefined ? {} : { origin: String(origin) }),
    ...(run === undefined ? {} : { runId: String(run) }),
    details: {
      line: seq,
      ...(of === undefined ? {} : { intentLine: of }),
      site,
      ...(zone === undefined ? {} : { zone }),
      ...others,
      subjects: subjects.map(({ name, digest }) => `${name} ${digest}`),
    },
  };
}
