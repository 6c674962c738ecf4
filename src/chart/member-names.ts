import { type SvcError, svcError } from '../base/error.ts';
import type { TarMember } from '../disk/tar/reader.ts';

/** Entries of one archive. Charts in use have fewer than a thousand. */
const mostEntries = 100_000;
/** Characters of a name, as file systems allow for a path. */
const longestName = 4096;

/**
 * Judges the entries of the archive of one chart: helm refuses some of them, and a program that unpacks the others could
 * write or read outside of the chart.
 */
export class MemberNames {
  /** Names by the form in which a file system without cases has them. */
  readonly #known = new Map<string, string>();
  #unsafe: string | undefined;

  /** What is wrong with the first entry that is not safe. */
  get unsafe(): string | undefined {
    return this.#unsafe;
  }

  /** Judges the next entry. Nothing is remembered after the first that is not safe. */
  add(member: TarMember): void {
    if (this.#unsafe !== undefined) return;
    const path = Buffer.from(member.path, 'latin1').toString('utf8');
    this.#unsafe = judgeEntry(member.type, path) ?? this.#compare(path);
    if (this.#unsafe !== undefined) this.#known.clear();
  }

  #compare(path: string): string | undefined {
    const plain = path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '');
    const folded = plain.normalize('NFC').toLowerCase();
    const known = this.#known.get(folded);
    // as in helm, the last entry of a name counts
    if (known !== undefined)
      return known === plain ? undefined : describe('two entries whose names differ only in case', path);
    this.#known.set(folded, plain);
    return this.#known.size > mostEntries ? `more than ${mostEntries} entries` : undefined;
  }
}

function judgeEntry(type: TarMember['type'], path: string): string | undefined {
  if (type === 'link' || type === 'hard-link') return describe('a link', path);
  if (type === 'other') return describe('a device or a pipe', path);
  if (path.length > longestName) return describe('an entry with a name that is too long', path);
  if (path.includes('\\') || /^[A-Za-z]:/.test(path) || /\/[A-Za-z]:(?:\/|$)/.test(path))
    return describe('an entry with a backslash or a drive letter in its name', path);
  // an empty segment makes the rest an absolute path once the folder of the chart is cut off
  const segments = path.replace(/\/$/, '').split('/');
  if (segments.some((segment) => segment === '' || segment === '..'))
    return describe('an entry that leads out of the chart', path);
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
