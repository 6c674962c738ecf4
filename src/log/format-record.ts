import type { LogLevel } from '../base/report.ts';
import { escapeText } from '../text/escape.ts';
import type { Plain } from './to-record.ts';

/** One record, ready to be written. */
export interface LogRecord {
  readonly ts: string;
  readonly level: LogLevel | 'audit';
  readonly msg: string;
  readonly fields: Readonly<Record<string, Plain>>;
}

/**
 * Formats a record as one line of JSON. Control characters become JSON escapes, so that a terminal can show the line
 * safely and its meaning is unchanged.
 */
export function formatJsonRecord({ ts, level, msg, fields }: LogRecord): string {
  // `logType` marks an audit record; its log level is info
  const head = level === 'audit' ? { ts, level: 'info', msg } : { ts, level, msg };
  return `${escapeText(JSON.stringify({ ...head, ...fields, ...head }))}\n`;
}

const colours: Record<LogRecord['level'], string> = {
  debug: '\x1b[2m',
  info: '\x1b[36m',
  warn: '\x1b[33m',
  error: '\x1b[31m',
  audit: '\x1b[35m',
};

/** Fields of an audit record that its tag and message already show. */
const saidByTheTag: readonly string[] = ['auditSchema', 'logType', 'action'];

/** Formats a record as one line for people: time of day, level, message, fields. Escapes the whole text. */
export function formatPrettyRecord({ ts, level, msg, fields }: LogRecord, coloured: boolean): string {
  const tag = level.toUpperCase().padEnd(5);
  const hidden = level === 'audit' ? saidByTheTag : [];
  const shown = Object.entries(fields)
    .filter(([name]) => !hidden.includes(name))
    .map(([name, value]) => `${escapeText(name)}=${formatValue(value)}`);
  const [on, dim, off] = coloured ? [colours[level], '\x1b[2m', '\x1b[0m'] : ['', '', ''];
  const rest = shown.length === 0 ? '' : `  ${dim}${shown.join(' ')}${off}`;
  return `${dim}${ts.slice(11, 19)}${off} ${on}${tag}${off} ${escapeText(msg)}${rest}\n`;
}

function formatValue(value: Plain): string {
  if (typeof value !== 'string') return escapeText(JSON.stringify(value));
  return /^[^\s"=]+$/.test(value) ? escapeText(value) : escapeText(JSON.stringify(value));
}
