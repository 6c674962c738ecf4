import { tarEnd } from '../disk/tar/header.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { filesetLimits } from './limits.ts';
import { measureEntry } from './pack-archive.ts';
import type { HeldEntries } from './pack-held.ts';
import type { PackStamps } from './pack-stamps.ts';
import { walkTree } from './pack-walk.ts';
import { packageNames } from './package-check/package-files.ts';

/** Numbers of entries of a tree, and the bytes of its archive. */
export interface TreeMeasure {
  readonly files: number;
  readonly directories: number;
  readonly symlinks: number;
  readonly bytes: number;
}

const isPackage = (path: string): boolean => packageNames.apt.test(path) || packageNames.rpm.test(path);

/** Number of refused entries reported besides the first. */
const moreRefused = 20;

/**
 * Checks the whole tree, so that an entry that must not be packed is refused before any content is read or written.
 *
 * @param folder descriptor of the open root
 * @throws SVC-FIL-001, SVC-FIL-002
 */
export function measureTree(
  folder: number,
  stamps: PackStamps,
  held: HeldEntries,
): { readonly measure: TreeMeasure; readonly hasPackages: boolean } {
  const refused: { readonly path: string; readonly rule: Rule }[] = [];
  let count = 0;
  const refuse = (path: string, rule: Rule): void => {
    count += 1;
    if (refused.length <= moreRefused) refused.push({ path, rule });
  };
  const counts = { file: 0, folder: 0, link: 0 };
  let headers = 0;
  let bytes = tarEnd.length;
  let hasPackages = false;
  for (const entry of walkTree(folder, { refuse, hold: held.room })) {
    held.add(entry);
    const own = measureEntry(entry);
    headers += own.headers;
    if (headers > filesetLimits.entries)
      throw svcError('SVC-FIL-001', {
        path: '.',
        rule: rule(['more than {entries} entries', fr`plus de {entries} entrées`], {
          entries: filesetLimits.entries,
        }),
      });
    bytes += own.bytes;
    counts[entry.type] += 1;
    hasPackages ||= isPackage(entry.path);
    stamps.add(entry);
  }
  const [first, ...others] = refused;
  if (first !== undefined) {
    const lines = others.map(({ path, rule: broken }) =>
      rule(['{path}: {broken}', fr`{path} : {broken}`], { path, broken }),
    );
    const more = count - refused.length;
    if (more > 0) lines.push(rule(['and {more} more', fr`et {more} de plus`], { more }));
    throw svcError('SVC-FIL-002', first, lines.length === 0 ? {} : { detail: lines });
  }
  const { file: files, folder: directories, link: symlinks } = counts;
  return { measure: { files, directories, symlinks, bytes }, hasPackages };
}
