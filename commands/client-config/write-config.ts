import { lstat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { type ChangedSection, listChangedLines } from '../../src/client/changed-lines.ts';
import { keepSecrets } from '../../src/client/keep-secrets.ts';
import { secretPlaceholder } from '../../src/client/model.ts';
import { madeBy } from '../../src/client/render-client-config.ts';
import type { ClientConfig } from '../../src/contract/recipe.ts';
import { writeFileAtomic } from '../../src/disk/atomic-file.ts';
import { isAbsent } from '../../src/disk/is-absent.ts';
import { makeFolder } from '../../src/disk/make-folder.ts';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';
import { readPlainText } from '../../src/disk/plain-file.ts';
import { removeLeftovers } from '../../src/disk/remove-leftovers.ts';
import { toWriteError } from '../../src/disk/write-error.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';

export interface WrittenFile {
  readonly path: string;
  /** Whether it was written; otherwise it was the same. */
  readonly isNew: boolean;
  /** Whether a place for a secret has none yet. */
  readonly needsSecret: boolean;
  /** The sections in which an existing file differed, written by the program or by a person. */
  readonly changes: readonly ChangedSection[];
}

/**
 * Writes configuration files for a node, each atomically. All of them are judged before the first is written. Secrets
 * that a person put in the places of a file are kept.
 *
 * @throws SVC-FIL-007 for a path outside of the folder, and for a folder, or an entry below it, that is a symbolic link.
 *   SVC-FIL-006 for a file in place of a folder, and for one that this program did not make, unless `overwrite`. The
 *   errors of the disk
 */
export async function writeConfig(
  { files }: Pick<ClientConfig, 'files'>,
  { directory, overwrite }: { readonly directory: string; readonly overwrite: boolean },
): Promise<readonly WrittenFile[]> {
  await requireFolder(directory);
  const planned: (WrittenFile & { readonly content: string; readonly mode: number })[] = [];
  for (const { path: below, content, mode: given } of files) {
    const path = resolve(directory, below);
    if (!path.startsWith(`${directory}${directory.endsWith(sep) ? '' : sep}`))
      throw svcError('SVC-FIL-007', {
        path: below,
        rule: rule(['it leads out of the folder', fr`il mène hors du dossier`]),
      });
    const mode = given === '0600' ? 0o600 : 0o644;
    const present = await readPresent(directory, path);
    if (present !== undefined && !overwrite && !present.content.startsWith(madeBy))
      throw svcError('SVC-FIL-006', { path });
    const kept = keepSecrets(content, present?.content);
    const isOpen = given === '0600' && ((present?.mode ?? 0) & 0o077) !== 0;
    const needsSecret = given === '0600' && kept.split('\n').some((line) => line.endsWith(secretPlaceholder));
    const isNew = present?.content !== kept || isOpen;
    const changes = present === undefined ? [] : listChangedLines(present.content, kept);
    planned.push({ path, content: kept, mode, isNew, needsSecret, changes });
  }
  for (const { path, content, mode, isNew } of planned) {
    if (!isNew) continue;
    await makeFolder(dirname(path), 0o755).catch((error: unknown) => {
      throw toWriteError(error, dirname(path), { place: 'named' });
    });
    await removeLeftovers(path);
    await writeFileAtomic(path, content, { mode, place: 'named' });
  }
  return planned.map(({ content: _, mode: __, ...written }) => written);
}

/** @throws SVC-FIL-007 for a link, SVC-FIL-006 for a file in place of the folder; one that is not there yet is made later */
async function requireFolder(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw toNamedFileError(error, path);
  });
  if (found === undefined || found.isDirectory()) return;
  if (found.isSymbolicLink())
    throw svcError('SVC-FIL-007', {
      path,
      rule: rule(['it is a symbolic link', fr`c’est un lien symbolique`]),
    });
  throw svcError('SVC-FIL-006', { path, kept: 'folder' });
}

/** @throws SVC-FIL-007 for a link on the way, SVC-FIL-006 for a file in place of a folder; the errors of the disk */
async function readPresent(
  directory: string,
  path: string,
): Promise<{ readonly content: string; readonly mode: number } | undefined> {
  let at = directory;
  for (const name of dirname(path).slice(directory.length).split(sep).filter(Boolean)) {
    at = join(at, name);
    await requireFolder(at);
  }
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink())
      throw svcError('SVC-FIL-007', {
        path,
        rule: rule(['it is a symbolic link', fr`c’est un lien symbolique`]),
      });
    return { content: await readPlainText(path), mode: found.mode };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw toNamedFileError(error, path);
  }
}
