import { join, resolve, sep } from 'node:path';
import { svcError } from '../../src/base/error.ts';
import { writeFileAtomic } from '../../src/disk/atomic-file.ts';
import { isAbsent } from '../../src/disk/is-absent.ts';
import { makeFolder } from '../../src/disk/make-folder.ts';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';
import { readPlainText } from '../../src/disk/plain-file.ts';
import type { ClientConfig } from '../../src/view/client-config.ts';

interface WrittenFile {
  readonly path: string;
  /** Whether it was written; otherwise it was the same. */
  readonly isNew: boolean;
}

const made = '# Made by svc client config ';

/**
 * Writes configuration files for a node, each atomically. All of them are judged before the first is written.
 *
 * @throws SVC-FIL-003 for a path outside of the folder, as a hostile instance might name it; SVC-FIL-006 for a file that
 *   this program did not make, unless `overwrite`; the errors of the disk
 */
export async function writeConfig(
  { files }: ClientConfig,
  { directory, overwrite }: { readonly directory: string; readonly overwrite: boolean },
): Promise<readonly WrittenFile[]> {
  const planned: (WrittenFile & { readonly content: string })[] = [];
  for (const { path: below, content } of files) {
    const path = resolve(directory, below);
    if (!path.startsWith(`${directory}${directory.endsWith(sep) ? '' : sep}`))
      throw svcError('SVC-FIL-003', { path: below });
    const present = await readPresent(path);
    if (present !== undefined && !overwrite && !present.startsWith(made))
      throw svcError('SVC-FIL-006', { path });
    planned.push({ path, content, isNew: present !== content });
  }
  for (const { path, content, isNew } of planned) {
    if (!isNew) continue;
    await makeFolder(join(path, '..'), 0o755);
    await writeFileAtomic(path, content, { mode: 0o644 });
  }
  return planned.map(({ path, isNew }) => ({ path, isNew }));
}

async function readPresent(path: string): Promise<string | undefined> {
  try {
    return await readPlainText(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw toNamedFileError(error, path);
  }
}
