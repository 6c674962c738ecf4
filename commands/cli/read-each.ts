import { type ErrorRecord, isSvcError, toErrorRecord } from '../../src/text/error.ts';

/** A file that could not be read, or not be judged. */
export interface UnreadFile {
  readonly file: string;
  /** A coded error. */
  readonly error: unknown;
}

/**
 * Judges files one after another. An unreadable file does not hide the findings in the others.
 *
 * @throws errors without a code; the error of a file that is the only one
 */
export async function readEach<T>(
  files: readonly string[],
  judge: (file: string) => Promise<T>,
): Promise<{ readonly judged: readonly T[]; readonly unread: readonly UnreadFile[] }> {
  const judged: T[] = [];
  const unread: UnreadFile[] = [];
  for (const file of files)
    try {
      judged.push(await judge(file));
    } catch (error) {
      if (!isSvcError(error) || files.length === 1) throw error;
      unread.push({ file, error });
    }
  return { judged, unread };
}

/** The member of a document that names the files that could not be read; absent when there is none. */
export function toUnreadMembers(unread: readonly UnreadFile[]): {
  readonly unread?: readonly { readonly file: string; readonly error: ErrorRecord }[];
} {
  if (unread.length === 0) return {};
  return { unread: unread.map(({ file, error }) => ({ file, error: toErrorRecord(error) })) };
}
