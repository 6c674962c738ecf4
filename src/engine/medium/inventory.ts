import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, isDigest } from '../../base/digest.ts';

/** What lies on a medium, by name only: nothing is opened, no link is followed. */
export interface Listing {
  /** Regular files at the places that belong to a store, relative with `/`. */
  readonly files: ReadonlySet<string>;
  /** Everything else, never entered. */
  readonly strangers: readonly string[];
}

const ownFolders: ReadonlySet<string> = new Set(['blobs', 'ledger']);
const ownFiles: ReadonlySet<string> = new Set(['oci-layout', 'index.json', 'media.jsonl']);
const maxStrangers = 10_000;

/** The digest that a path below `blobs` names; undefined when it names none. */
export function toBlobDigest(path: string): Digest | undefined {
  const [blobs, algorithm, hex, ...more] = path.split('/');
  const digest = `${algorithm}:${hex}`;
  return blobs === 'blobs' && more.length === 0 && isDigest(digest) ? digest : undefined;
}

/** Lists the files of a store; `_svc` is the instance's own and is left out, and so is an empty `ingest`. */
export async function listMedium(root: string): Promise<Listing> {
  const files = new Set<string>();
  const strangers: string[] = [];
  const note = (path: string): void => {
    if (strangers.length < maxStrangers) strangers.push(path);
  };
  const list = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (folder === '') {
        if (entry.isDirectory() && ownFolders.has(entry.name)) await list(path);
        else if (entry.isFile() && ownFiles.has(entry.name)) files.add(path);
        else if (entry.name !== '_svc' || !entry.isDirectory()) note(path);
      } else if (folder === 'blobs') {
        if (entry.isDirectory() && (entry.name === 'sha256' || entry.name === 'sha512')) await list(path);
        else note(path);
      } else if (entry.isFile() && (folder === 'ledger' || toBlobDigest(path))) files.add(path);
      else note(path);
    }
  };
  await list('');
  return { files, strangers: strangers.sort() };
}
