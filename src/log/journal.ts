import { fstatSync } from 'node:fs';
import type { LogRecord } from './format-record.ts';

/** Priorities of syslog (RFC 5424, 6.2.1) by log level; an audit record is a notice. */
const priorities: Record<LogRecord['level'], number> = { error: 3, warn: 4, audit: 5, info: 6, debug: 7 };

/**
 * Whether a file descriptor is the journal. JOURNAL_STREAM names device and inode of the stream, which excludes streams
 * of a child that go elsewhere (systemd.exec(5)).
 *
 * @param fd absent: a stream without a descriptor, which is no journal
 */
export function isJournal(
  fd: number | undefined,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const named = env.JOURNAL_STREAM;
  if (named === undefined || fd === undefined) return false;
  try {
    const { dev, ino } = fstatSync(fd, { bigint: true });
    return named === `${dev}:${ino}`;
  } catch {
    return false;
  }
}

/** The prefix `<N>` by which the journal takes the priority of a line, and which it removes (sd-daemon(3)). */
export function toPriorityPrefix(level: LogRecord['level']): string {
  return `<${priorities[level]}>`;
}
