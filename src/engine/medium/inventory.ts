import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, isDigest } from '../../base/digest.ts';
import { toReadError } from '../../disk/read-error.ts';

/** What lies on a medium, by name only: nothing is opened, no link is followed. Paths are relative, with `/`. */
export interface Listing {
  /** Paths of the medium manifest where a regular file stands. */
  readonly files: ReadonlySet<string>;
  /** Paths of the medium manifest where something else stands. */
  readonly special: ReadonlySet<string>;
  /** What the manifest does not list, in order; folders among it are never entered. Bounded. */
  readonly extraneous: ReadonlySet<string>;
}

const ownFolders: ReadonlySet<string> = new Set(['blobs', 'ledger', 'blobs/sha256', 'blobs/sha512']);
/** Unlisted names that are kept: whoever plants millions does not fill the memory. */
const maxExtraneous = 100_000;

/** The digest that a path below `blobs` names; undefined when it names none. */
export function toBlobDigest(path: string): Digest | undefined {
  const [blobs, algorithm, hex, ...more] = path.split('/');
  const digest = `${algorithm}:${hex}`;
  return blobs === 'blobs' && more.length === 0 && isDigest(digest) ? digest : undefined;
}

/**
 * Lists the folder of a medium against its manifest. `_svc` is the instance's own and left out, the manifest too.
 *
 * @throws SVC-STO-001 when a folder cannot be read
 */
export async function listMedium(root: string, isListed: (path: string) => boolean): Promise<Listing> {
  const files = new Set<string>();
  const special = new Set<string>();
  const extraneous: string[] = [];
  const take = (path: string, entry: Dirent): boolean => {
    if (ownFolders.has(path) && entry.isDirectory()) return true;
    if (isListed(path)) (entry.isFile() ? files : special).add(path);
    else if (path === 'media.jsonl' && entry.isFile()) return false;
    else if (path === '_svc' && entry.isDirectory()) return false;
    else if (extraneous.length < maxExtraneous) extraneous.push(path);
    return false;
  };
  const list = async (folder: string): Promise<void> => {
    const entered: string[] = [];
    try {
      for await (const entry of await opendir(join(root, folder), { bufferSize: 1024 })) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (take(path, entry)) entered.push(path);
      }
    } catch (cause) {
      throw toReadError(cause, folder || root);
    }
    for (const path of entered) await list(path);
  };
  await list('');
  return { files, special, extraneous: new Set(extraneous.sort()) };
}
