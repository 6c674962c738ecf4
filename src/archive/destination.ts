import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDigest } from '../base/digest.ts';
import { openGuarded } from '../disk/guarded-open.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { toNamedFileError } from '../disk/named-file-error.ts';
import { requireParent } from '../disk/place/require-parent.ts';
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
  const refuse = (detail?: Rule) =>
    svcError('SVC-LAY-003', { path, detail, kept: detail === undefined ? undefined : 'yes' });
  try {
    const info = await lstat(path);
    if (format === 'tar') {
      if (!overwrite) throw refuse();
      if (!info.isFile())
        throw refuse(rule(['it is not a regular file', fr`ce n’est pas un fichier ordinaire`]));
      return await requireArchive(path, refuse);
    }
    if (!info.isDirectory()) throw refuse(rule(['it is not a folder', fr`ce n’est pas un dossier`]));
    const { foreign, isLayout } = await takeLook(path);
    if (foreign !== undefined)
      throw refuse(
        rule(
          [
            'it has {foreign}, which is no part of a layout',
            fr`il contient {foreign}, qui ne fait pas partie d’une disposition`,
          ],
          { foreign },
        ),
      );
    if (isLayout && !overwrite) throw refuse();
  } catch (error) {
    if (isAbsent(error)) {
      // an archive is written beside its final name; the folders above a folder are made with it
      if (format === 'tar') await requireParent(path);
      return;
    }
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw toNamedFileError(error, path);
  }
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

/** Looks for a layout in a folder, finished or not. @returns `foreign`: the first thing that is no part of one */
async function takeLook(
  root: string,
): Promise<{ readonly isLayout: boolean; readonly foreign?: string | undefined }> {
  const list = (path: string): Promise<Dirent[]> => readdir(join(root, path), { withFileTypes: true });
  const toForeign = (...names: string[]) => ({ isLayout: false, foreign: join(...names) });
  let hasIndex = false;
  let hasMore = false;
  for (const entry of await list('')) {
    const { name } = entry;
    if (name === layoutPath || name === 'blobs') hasMore = true;
    if (name === indexPath && entry.isFile()) hasIndex = true;
    else if (name === ingestFolder && entry.isDirectory()) {
      const other = (await list(name)).find((part) => !part.isFile() || !partName.test(part.name));
      if (other !== undefined) return toForeign(name, other.name);
    } else if (name === 'blobs' && entry.isDirectory()) {
      for (const folder of await list(name)) {
        if (!folder.isDirectory()) return toForeign(name, folder.name);
        const blobs = await list(join(name, folder.name));
        const other = blobs.find((blob) => !blob.isFile() || !isDigest(`${folder.name}:${blob.name}`));
        if (other !== undefined) return toForeign(name, folder.name, other.name);
      }
    } else if (!(name === layoutPath && entry.isFile())) return toForeign(name);
  }
  // other programs use an index.json too
  if (hasIndex && !hasMore) return toForeign(indexPath);
  return { isLayout: hasIndex };
}
