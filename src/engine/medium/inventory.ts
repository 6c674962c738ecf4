import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, isDigest } from '../../base/digest.ts';
import { toReadError } from '../../disk/read-error.ts';

/** Names on a medium. No file is opened and no link is followed. Paths are relative, with `/`. */
export interface Listing {
  /** Paths of the medium manifest that are regular files. */
  readonly files: ReadonlySet<string>;
  /** Paths of the medium manifest that are something else. */
  readonly special: ReadonlySet<string>;
  /** Unlisted paths, sorted, at most `maxExtraneous`; unlisted folders are not entered. */
  readonly extraneous: ReadonlySet<string>;
  /** Unlisted folders at the root that are media themselves: they have a manifest. */
  readonly nested: ReadonlySet<string>;
}

const ownFolders: ReadonlySet<string> = new Set([
  'blobs',
  'ledger',
  'blobs/sha256',
  'blobs/sha512',
  'segments',
  'segments/sha256',
  'segments/sha512',
]);
/** Folder of the segments of one blob. */
const segmentFolder = /^segments\/(?:sha256|sha512)\/[0-9a-f]{64,128}$/;

/** Whether a folder belongs to the store of a medium. @param path relative to the root, with `/` */
export const isOwnFolder = (path: string): boolean => ownFolders.has(path) || segmentFolder.test(path);

/** Limit of unlisted names in memory; a medium may have more. */
const maxExtraneous = 100_000;
/** Maximum number of unlisted folders that are looked into for a manifest. */
const lookedInto = 100;

/** The digest of a path below `blobs`; undefined when it has another form. */
export function toBlobDigest(path: string): Digest | undefined {
  const [blobs, algorithm, hex, ...more] = path.split('/');
  const digest = `${algorithm}:${hex}`;
  return blobs === 'blobs' && more.length === 0 && isDigest(digest) ? digest : undefined;
}

/**
 * Lists the folder of a medium against its manifest. `_svc`, which belongs to the instance, and the manifest
 * are left out.
 *
 * @param others folders with listed files that do not belong to the store
 * @throws SVC-STO-001 when a folder cannot be read
 */
export async function listMedium(
  root: string,
  isListed: (path: string) => boolean,
  others: ReadonlySet<string> = new Set(),
): Promise<Listing> {
  const files = new Set<string>();
  const special = new Set<string>();
  const extraneous: string[] = [];
  const folders: string[] = [];
  const take = (path: string, entry: Dirent): boolean => {
    if ((isOwnFolder(path) || others.has(path)) && entry.isDirectory()) return true;
    if (isListed(path)) (entry.isFile() ? files : special).add(path);
    else if (path === 'media.jsonl' && entry.isFile()) return false;
    else if (path === '_svc' && entry.isDirectory()) return false;
    else {
      if (extraneous.length < maxExtraneous) extraneous.push(path);
      if (entry.isDirectory() && !path.includes('/') && folders.length < lookedInto) folders.push(path);
    }
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
      throw toReadError(cause, join(root, folder));
    }
    for (const path of entered) await list(path);
  };
  await list('');
  const nested = new Set<string>();
  for (const folder of folders) if (await hasManifest(join(root, folder))) nested.add(folder);
  return { files, special, extraneous: new Set(extraneous.sort()), nested };
}

async function hasManifest(folder: string): Promise<boolean> {
  return lstat(join(folder, 'media.jsonl')).then(
    (found) => found.isFile(),
    () => false,
  );
}
