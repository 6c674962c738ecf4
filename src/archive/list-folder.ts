import { opendirSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Digest } from '../base/digest.ts';
import { openGuardedFolder } from '../disk/guarded-folder.ts';
import { indexPath, layoutPath } from '../oci/layout.ts';
import { type SvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { memberLimit, toLayoutMember } from './layout-members.ts';
import type { LayoutFiles } from './model.ts';

type Kind = Parameters<typeof toLayoutMember>[1];

const namesAtOnce = 1024;

/**
 * Finds the files of a layout in a folder. Opens no file and follows no link.
 *
 * @param root real path of the folder
 * @throws SVC-LAY-002 when the folder has foreign members, SVC-STO-001 when a folder cannot be read
 */
export async function listFolder(root: string): Promise<LayoutFiles> {
  const refuse = (rule: Rule, path: string): SvcError =>
    svcError('SVC-LAY-002', { path: join(root, path), rule });
  const blobs = new Set<Digest>();
  let hasMarker = false;
  let hasIndex = false;
  let count = 0;
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const { path, kind } of list(root, folder)) {
      count += 1;
      if (count > memberLimit)
        throw refuse(
          rule(['it has more than {memberLimit} members', fr`elle a plus de {memberLimit} membres`], {
            memberLimit,
          }),
          '',
        );
      const found = toLayoutMember(path, kind);
      if (found.role === 'foreign') throw refuse(found.rule, path);
      if (found.role === 'folder') folders.push(path);
      else if (found.role === 'blob') blobs.add(found.digest);
      else if (found.role === 'marker') hasMarker = true;
      else hasIndex = true;
    }
  }
  return {
    marker: hasMarker ? { root, path: layoutPath } : undefined,
    index: hasIndex ? { root, path: indexPath } : undefined,
    blobs,
  };
}

async function* list(
  root: string,
  folder: string,
): AsyncGenerator<{ readonly path: string; readonly kind: Kind }> {
  await using opened = await openGuardedFolder(root, folder);
  const entries = opendirSync(opened.pathOf(''), { bufferSize: namesAtOnce });
  try {
    for (let n = 1; ; n += 1) {
      const entry = entries.readSync();
      if (entry === null) return;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      // some filesystems do not return the type with the name
      const teller = isTold(entry) ? entry : await lstat(opened.pathOf(entry.name));
      yield { path, kind: toKind(teller) };
      if (n % namesAtOnce === 0) await turn();
    }
  } finally {
    entries.closeSync();
  }
}

interface Teller {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
  isBlockDevice(): boolean;
  isCharacterDevice(): boolean;
}

function toKind(entry: Teller): Kind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

function isTold(entry: Teller): boolean {
  return (
    toKind(entry) !== 'special' ||
    entry.isFIFO() ||
    entry.isSocket() ||
    entry.isBlockDevice() ||
    entry.isCharacterDevice()
  );
}
