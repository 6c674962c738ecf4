import type { LogLevel, Report } from '../base/report.ts';
import { toSvcError } from '../text/error.ts';
import { createAuditFiles, longestRecord } from './audit-files.ts';
import { formatJsonRecord, type LogRecord } from './format-record.ts';
import { createLineQueue } from './line-queue.ts';

interface AuditTrailOptions {
  /** Folder of the state. */
  readonly root: string;
  /** Most bytes of all kept records: `audit.keep`, 0 for none. */
  readonly keep: number;
  /** The report whose audit records are kept; failures of the trail itself are logged there. */
  readonly report: () => Pick<Report, 'log'>;
  /** Level of the log record about a trail that cannot be written. */
  readonly level: LogLevel;
}

/** The audit records that stay in the folder of the state. */
export interface AuditTrail extends AsyncDisposable {
  /** Keeps an audit record, without waiting for the disk. */
  readonly take: (record: LogRecord) => void;
  /** Resolves when every record so far is durable, or could not be written. */
  flush(): Promise<void>;
}

/** Opens the trail; nothing is written before the first record. No failure stops the audited work. */
export function openAuditTrail({ root, keep, report, level }: AuditTrailOptions): AuditTrail {
  if (keep === 0) return { take: () => {}, flush: async () => {}, [Symbol.asyncDispose]: async () => {} };
  const { take, flush } = createLineQueue({
    file: createAuditFiles({ root, keep }),
    onRefused: (error) => {
      const { code, params, detail } = toSvcError(error);
      const { path } = params;
      report().log(level, 'Audit records cannot be kept; they are in the log only', { code, path, detail });
    },
    onResumed: () => report().log('info', 'Keeping audit records resumed'),
  });
  return { take: (record) => take(toLine(record)), flush, [Symbol.asyncDispose]: flush };
}

/** Members that a record keeps when its details are too long. */
const kept = ['auditSchema', 'logType', 'actor', 'action', 'target', 'outcome', 'origin', 'taskId', 'runId'];

function toLine(record: LogRecord): string {
  const line = formatJsonRecord(record);
  if (Buffer.byteLength(line) <= longestRecord) return line;
  const fields = Object.fromEntries(Object.entries(record.fields).filter(([name]) => kept.includes(name)));
  return formatJsonRecord({ ...record, fields: { ...fields, detailsOmitted: true } });
}
