import type { TarMember } from '../disk/tar/reader.ts';
import { type SvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

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
 * Judges the entries of the archive of one chart. helm refuses some of them; others could make a program write or read
 * outside the chart. Still others are one file for helm and another one, or none, for other readers. The reader of helm
 * always cuts off the first segment of each path, and resolves dots in the rest.
 */
export class MemberNames {
  /** Entries by the form in which a file system that folds names has them. */
  readonly #known = new Map<string, Known>();
  /** The folder of the first file. */
  #folder: string | undefined;
  #unsafe: Rule | undefined;

  /** The fault of the first unsafe entry. */
  get unsafe(): Rule | undefined {
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
  #judgeFolder({ type }: TarMember, path: string): Rule | undefined {
    if (type !== 'file') return undefined;
    const slash = path.indexOf('/');
    if (slash < 0)
      return describe(
        rule(['a file outside of the folder of the chart', fr`un fichier hors du dossier du chart`]),
        path,
      );
    const folder = path.slice(0, slash);
    this.#folder ??= folder;
    return this.#folder === folder
      ? undefined
      : describe(
          rule([
            'a file in a second top-level folder',
            fr`un fichier dans un second dossier de premier niveau`,
          ]),
          path,
        );
  }

  #compare({ type }: TarMember, path: string): Rule | undefined {
    const isFolder = type === 'folder';
    const plain = path.replace(/\/$/, '');
    const known = this.#known.get(fold(plain));
    if (known !== undefined) {
      if (known.path !== plain)
        return describe(
          rule([
            'two entries whose names differ only in case, form or dots at an end',
            fr`deux entrées dont les noms ne diffèrent que par la casse, la forme ou des points finaux`,
          ]),
          path,
        );
      return known.isFolder && isFolder
        ? undefined
        : describe(rule(['two entries with one name', fr`deux entrées du même nom`]), path);
    }
    this.#known.set(fold(plain), { path: plain, isFolder });
    return this.#known.size > mostEntries
      ? rule(['more than {mostEntries} entries', fr`plus de {mostEntries} entrées`], { mostEntries })
      : undefined;
  }
}

/** A name as file systems fold it that know no cases, have one form of each letter, or drop dots and blanks at an end. */
function fold(path: string): string {
  const plain = /^[a-z0-9/_-]+(?:\.[a-z0-9/_-]+)*$/.test(path) ? path : path.normalize('NFC').toLowerCase();
  return plain.includes('./') || /[. ]$/.test(plain) || plain.includes(' /')
    ? plain.replace(/[. ]+(?=\/|$)/g, '')
    : plain;
}

function judgeEntry({ type, hasFolderMode }: TarMember, path: string): Rule | undefined {
  if (type === 'link' || type === 'hard-link') return describe(rule(['a link', fr`un lien`]), path);
  if (type === 'other') return describe(rule(['a device or a pipe', fr`un périphérique ou un tube`]), path);
  if (path.length > longestName)
    return describe(rule(['an entry with a name that is too long', fr`une entrée au nom trop long`]), path);
  if (path.includes('\\') || /^[A-Za-z]:/.test(path) || /\/[A-Za-z]:(?:\/|$)/.test(path))
    return describe(
      rule([
        'an entry with a backslash or a drive letter in its name',
        fr`une entrée dont le nom contient une barre oblique inverse ou une lettre de lecteur`,
      ]),
      path,
    );
  // an empty segment makes the rest an absolute path once the folder of the chart is cut off
  const segments = path.replace(/\/$/, '').split('/');
  if (segments.some((segment) => segment === '' || segment === '..'))
    return describe(
      rule(['an entry that leads out of the chart', fr`une entrée qui mène hors du chart`]),
      path,
    );
  if (segments.includes('.'))
    return describe(
      rule([
        'an entry with the segment "." in its path',
        fr`une entrée dont le chemin contient le segment « . »`,
      ]),
      path,
    );
  if (type === 'file' && hasFolderMode)
    return describe(
      rule(['a file with the mode of a folder', fr`un fichier avec le mode d’un dossier`]),
      path,
    );
  return undefined;
}

const describe = (what: Rule, path: string): Rule =>
  rule(['{what}: {path}', fr`{what} : {path}`], { what, path: path.slice(0, 200) });

/**
 * Judges the findings in the archive of a chart.
 *
 * @param reference names the chart in the error
 * @returns SVC-SIG-003 with the first entry that is not safe
 */
export function judgeNames(
  { unsafe }: { readonly unsafe?: Rule | undefined },
  reference: string,
): SvcError | undefined {
  if (unsafe === undefined) return undefined;
  return svcError('SVC-SIG-003', {
    expected: rule(['a Helm chart archive', fr`une archive de chart Helm`]),
    actual: unsafe,
    reference,
  });
}

/** Requires that the archive of a chart has safe entries only. @throws SVC-SIG-003 as of `judgeNames` */
export function requireSafeNames(archive: Parameters<typeof judgeNames>[0], reference: string): void {
  const error = judgeNames(archive, reference);
  if (error !== undefined) throw error;
}
