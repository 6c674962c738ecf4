import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDigest } from '../base/digest.ts';
import { openGuarded } from '../disk/guarded-open.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { toNamedFileError } from '../disk/named-file-error.ts';
import { indexPath, layoutPath } from '../oci/layout.ts';
import { isSvcError, type SvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { textParam } from '../text/text-param.ts';
import { ingestFolder } from './folder-writer.ts';
import { listArchive } from './list-archive.ts';

/**
 * Checks that a layout may be written to a path. The folder of an interrupted export is resumed; a complete layout is
 * replaced only if requested, and anything else never is.
 *
 * @param path absolute, without links except in its last name
 * @throws SVC-LAY-003; SVC-FIL-005 when an archive would be in a folder that does not exist; SVC-FIL-005, SVC-STO-001,
 *   SVC-STO-014 when the path cannot be inspected
 */
export async function requireDestination(
  path: string,
  format: 'tar' | 'directory',
  overwrite: boolean,
): Promise<void> {
  const refuse = (detail?: Rule) => svcError('SVC-LAY-003', { path, detail });
  try {
    const info = await lstat(path);
    if (format === 'tar') {
      if (!overwrite) throw refuse();
      if (!info.isFile())
        throw refuse(rule(['it is not a regular file', fr`ce n’est pas un fichier ordinaire`]));
      return await requireArchive(path, refuse);
    }
    if (!info.isDirectory()) throw refuse(rule(['it is not a folder', fr`ce n’est pas un dossier`]));
    const found = await takeLook(path);
    if (found === 'foreign')
      throw refuse(
        rule([
          'something in it is no part of a layout',
          fr`un élément n’y fait pas partie d’une disposition`,
        ]),
      );
    if (found === 'layout' && !overwrite) throw refuse();
  } catch (error) {
    if (isAbsent(error)) return format === 'tar' ? requireFolder(path) : undefined;
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw toNamedFileError(error, path);
  }
}

/** An archive is written beside its final name: the folder must be there. That of a folder is made with it. */
async function requireFolder(path: string): Promise<void> {
  const parent = dirname(path);
  try {
    if ((await stat(parent)).isDirectory()) return;
  } catch (error) {
    if (!isAbsent(error)) throw toNamedFileError(error, parent);
  }
  throw svcError('SVC-FIL-005', { path, parent });
}

/** Inspects the headers of every member: an archive with other members is not replaced. */
async function requireArchive(path: string, refuse: (detail: Rule) => SvcError): Promise<void> {
  await using file = await openGuarded(dirname(path), basename(path));
  try {
    const { marker, index } = await listArchive(file, path);
    if (marker === undefined || index === undefined) throw refuse(noLayout);
  } catch (error) {
    if (isSvcError(error, 'SVC-LAY-002'))
      throw refuse(
        rule(['{noLayout}: {why}', fr`{noLayout} : {why}`], { noLayout, why: textParam(error, 'rule') }),
      );
    throw error;
  }
}

const noLayout = rule(['it is not an OCI image layout', fr`ce n’est pas une disposition d’images OCI`]);
const partName = /^(?:[0-9]+\.part|lock(?:\.holder)?|(?:index\.json|oci-layout)\.[0-9a-f]{12}\.tmp)$/;

/** Classifies the content of a folder: a layout, an unfinished layout (or nothing), or something else. */
async function takeLook(root: string): Promise<'layout' | 'unfinished' | 'foreign'> {
  const list = (path: string): Promise<Dirent[]> => readdir(join(root, path), { withFileTypes: true });
  let hasIndex = false;
  let hasMore = false;
  for (const entry of await list('')) {
    const { name } = entry;
    if (name === layoutPath || name === 'blobs') hasMore = true;
    if (name === indexPath && entry.isFile()) hasIndex = true;
    else if (name === ingestFolder && entry.isDirectory()) {
      if ((await list(name)).some((part) => !part.isFile() || !partName.test(part.name))) return 'foreign';
    } else if (name === 'blobs' && entry.isDirectory()) {
      for (const folder of await list(name)) {
        if (!folder.isDirectory()) return 'foreign';
        const blobs = await list(join(name, folder.name));
        if (blobs.some((blob) => !blob.isFile() || !isDigest(`${folder.name}:${blob.name}`)))
          return 'foreign';
      }
    } else if (!(name === layoutPath && entry.isFile())) return 'foreign';
  }
  // other programs use an index.json too
  if (hasIndex && !hasMore) return 'foreign';
  return hasIndex ? 'layout' : 'unfinished';
}
