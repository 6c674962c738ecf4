import { type BigIntStats, lstatSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toFilesystem } from '../../disk/filesystem.ts';
import { toSystemCode } from '../../disk/system-code.ts';

/** Files and folders of which one changes with every copy onto a store: names of blobs, the manifest, the ledgers. */
const looked = ['media.jsonl', 'index.json', 'oci-layout', 'ledger', 'blobs/sha256', 'blobs/sha512'] as const;

/**
 * Looks at the files by which a copy of a store shows, and reads none of them: a fixed number of calls, whatever is on the
 * disk. A blob that is overwritten in place, and nothing else, does not show.
 *
 * @param root the folder of the store, also by a link to it
 * @param ledgers paths of the ledgers in force, relative to the root
 * @returns a text that is another one after a change, and when another volume is mounted there
 */
export function stampStore(root: string, ledgers: readonly string[]): string {
  try {
    const { dev, ino } = statSync(root, { bigint: true });
    const renumbers = toFilesystem(statfsSync(root).type).renumbers;
    const parts = [...looked, ...ledgers].map((path) => stampPath(join(root, path), renumbers));
    return [`${dev} ${renumbers ? '' : ino}`, ...parts].join('\n');
  } catch (error) {
    return `away ${toSystemCode(error)}`;
  }
}

function stampPath(path: string, renumbers: boolean): string {
  let info: BigIntStats;
  try {
    info = lstatSync(path, { bigint: true });
  } catch (error) {
    return String(toSystemCode(error));
  }
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = info;
  return [dev, renumbers ? '' : ino, mode, size, mtimeNs, ctimeNs].join(' ');
}
