import { requireSetting } from '../base/require-setting.ts';
import type { Config } from '../config/model.ts';
import type { HistoryPage, HistoryRecord } from '../contract/history.ts';
import type { QueryOf } from '../contract/operation.ts';
import type { listHistory } from '../contract/operations/history.ts';
import { readHistory, readWholeHistory } from '../log/read-history.ts';
import { escapeText } from '../text/escape.ts';

type Place = Pick<Config, 'state' | 'audit'>;
type Query = Omit<QueryOf<typeof listHistory.query>, 'format'>;

const toPlace = ({ state, audit }: Place) => ({
  root: requireSetting('state.root', state.root),
  keep: audit.keep,
});

/**
 * Shows one page of the kept audit records, newest first.
 *
 * @throws SVC-CFG-001 without a state folder; SVC-STO-001, SVC-STO-014
 */
export async function showHistory(config: Place, { pageSize = 50, ...query }: Query): Promise<HistoryPage> {
  return readHistory(toPlace(config), { ...query, pageSize });
}

const columns = ['time', 'actor', 'action', 'target', 'outcome', 'origin', 'task', 'run', 'details'];

/**
 * Writes all selected records as a table (RFC 4180), in parts.
 *
 * @throws SVC-CFG-001 without a state folder
 */
export function writeHistoryTable(config: Place, query: Query): AsyncIterable<Buffer> {
  return writeRows(readWholeHistory(toPlace(config), query));
}

async function* writeRows(pages: AsyncIterable<readonly HistoryRecord[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(toRow(columns));
  for await (const records of pages)
    yield Buffer.from(records.map((record) => toRow(toCells(record))).join(''));
}

function toCells(record: HistoryRecord): readonly string[] {
  const { ts, actor, action, target = '', outcome, origin = '', taskId = '', runId = '', details } = record;
  const others = Object.keys(details).length === 0 ? '' : JSON.stringify(details);
  return [ts, actor, action, target, outcome, origin, taskId, runId, others];
}

const toRow = (cells: readonly string[]): string => `${cells.map(toCell).join(',')}\r\n`;

/** Quotes a cell. Programs for tables run a text that begins as a formula does, and clients choose names and targets. */
function toCell(text: string): string {
  const shown = escapeText(text);
  const safe = /^[=+\-@]/.test(shown) ? `'${shown}` : shown;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
