import type { Report } from '../../base/report.ts';
import { type ErrorRecord, isSvcError, toErrorRecord } from '../../text/error.ts';

/** A FileSet that is configured and cannot be served. */
export interface UnservedFileset {
  readonly name: string;
  readonly error: ErrorRecord;
}

/** The configured FileSets that cannot be served, and the reasons. */
export interface UnservedBoard {
  /**
   * Notes the state of a FileSet, and logs each change. Errors that do not concern the FileSet, such as a slow answer,
   * are ignored.
   *
   * @param failure undefined: it can be served
   */
  note(name: string, failure: unknown): void;
  /** Those that cannot be served, in the order in which that was noted. */
  list(): readonly UnservedFileset[];
}

/** Faults of the volume or the machine: they concern every FileSet, and have notices of their own. */
const isOfVolume = (code: string): boolean => code.startsWith('SVC-STO-');

export function createUnservedBoard(report: Pick<Report, 'log'>): UnservedBoard {
  const known = new Map<string, ErrorRecord>();
  return {
    note: (name, failure) => {
      const before = known.get(name);
      if (failure === undefined) {
        if (known.delete(name)) report.log('info', 'FileSet can be served again', { fileset: name });
        return;
      }
      if (!isSvcError(failure) || failure.code === 'SVC-SRV-006') return;
      const error = toErrorRecord(failure);
      const { code, params } = error;
      if (before?.code === code && JSON.stringify(before.params) === JSON.stringify(params)) return;
      known.set(name, error);
      report.log('warn', 'FileSet cannot be served', { fileset: name, code, params });
    },
    list: () =>
      [...known].filter(([, { code }]) => !isOfVolume(code)).map(([name, error]) => ({ name, error })),
  };
}
