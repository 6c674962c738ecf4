import type { TarMember } from '../disk/tar/reader.ts';
import { type SvcError, svcError } from '../text/error.ts';

/** Entries of one archive. Charts in use have fewer than a thousand. */
const mostEntries = 100_000;
/** Characters of a name, as file systems allow for a path. */
const longestName = 4096;

/** An entry that was judged before. */
interface Known {
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Judges the entries of the archive of one chart: helm refuses some of them, a program that unpacks others could write or
 * read outside of the chart, and still others are one file for helm and another one, or none, for other readers. helm cuts
 * off the first segment of each path, whatever it is, and resolves dots in the rest.
 */
export class MemberNames {
  /** Entries by the form in which a file system that folds names has them. */
  readonly #known = new Map<string, Known>();
  /** The folder of the first file. */
  #folder: string | undefined;
  #unsafe: string | undefined;

  /** What is wrong with the first entry that is not safe. */
  get unsafe(): string | undefined {
    return this.#unsafe;
  }

  /** Judges the next entry. Nothing is remembered after the first that is not safe. */
  add(member: TarMember): void {
    if (this.#unsafe !== undefined) return;
    const path = Buffer.from(member.path, 'latin1').toString('utf8');
    this.#unsafe = judgeEntry(member, path) ?? this.#judgeFolder(member, path) ?? this.#compare(member, path);
    if (this.#unsafe !== undefined) this.#known.clear();
  }

  /** Requires that all files are in one folder, which is the chart. Empty folders are no part of a chart. */
  #judgeFolder({ type }: TarMember, path: string): string | undefined {
    if (type !== 'file') return undefined;
    const slash = path.indexOf('/');
    if (slash < 0) return describe('a file outside of the folder of the chart', path);
    const folder = path.slice(0, slash);
    this.#folder ??= folder;
    return this.#folder === folder ? undefined : describe('a file in a second top-level folder', path);
  }

  #compare({ type }: TarMember, path: string): string | undefined {
    const isFolder = type === 'folder';
    const plain = path.replace(/\/$/, '');
    const known = this.#known.get(fold(plain));
    if (known !== undefined) {
      if (known.path !== plain)
        return describe('two entries whose names differ only in case, form or dots at an end', path);
      return known.isFolder && isFolder ? undefined : describe('two entries with one name', path);
    }
    this.#known.set(fold(plain), { path: plain, isFolder });
    return this.#known.size > mostEntries ? `more than ${mostEntries} entries` : undefined;
  }
}

/** A name as file systems fold it that know no cases, have one form of each letter, or drop dots and blanks at an end. */
function fold(path: string): string {
  const plain = /^[a-z0-9/_-]+(?:\.[a-z0-9/_-]+)*$/.test(path) ? path : path.normalize('NFC').toLowerCase();
  return plain.includes('./') || /[. ]$/.test(plain) || plain.includes(' /')
    ? plain.replace(/[. ]+(?=\/|$)/g, '')
    : plain;
}

function judgeEntry({ type, hasFolderMode }: TarMember, path: string): string | undefined {
  if (type === 'link' || type === 'hard-link') return describe('a link', path);
  if (type === 'other') return describe('a device or a pipe', path);
  if (path.length > longestName) return describe('an entry with a name that is too long', path);
  if (path.includes('\\') || /^[A-Za-z]:/.test(path) || /\/[A-Za-z]:(?:\/|$)/.test(path))
    return describe('an entry with a backslash or a drive letter in its name', path);
  // an empty segment makes the rest an absolute path once the folder of the chart is cut off
  const segments = path.replace(/\/$/, '').split('/');
  if (segments.some((segment) => segment === '' || segment === '..'))
    return describe('an entry that leads out of the chart', path);
  if (segments.includes('.')) return describe('an entry with the segment "." in its path', path);
  if (type === 'file' && hasFolderMode) return describe('a file with the mode of a folder', path);
  return undefined;
}

const describe = (what: string, path: string): string => `${what}: ${path.slice(0, 200)}`;

/**
 * Judges what was found in the archive of a chart.
 *
 * @param reference names the chart in the error
 * @returns SVC-SIG-003 with the first entry that is not safe
 */
export function judgeNames(
  { unsafe }: { readonly unsafe?: string | undefined },
  reference: string,
): SvcError | undefined {
  if (unsafe === undefined) return undefined;
  return svcError('SVC-SIG-003', { expected: 'a Helm chart archive', actual: unsafe, reference });
}

/** Requires that the archive of a chart has safe entries only. @throws SVC-SIG-003 as of `judgeNames` */
export function requireSafeNames(archive: Parameters<typeof judgeNames>[0], reference: string): void {
  const error = judgeNames(archive, reference);
  if (error !== undefined) throw error;
}
