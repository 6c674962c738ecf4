import { join } from 'node:path';
import { type Digest, isDigest } from '../base/digest.ts';
import { removeDurably, writeStateFile } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { makeStateFolder } from '../disk/make-folder.ts';
import { readPlainText } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';

/** An index that the registry of the zone refused, as platforms of it were absent. */
export interface RefusedIndex {
  /** Host of the registry. */
  readonly registry: string;
  readonly repository: string;
  readonly digest: Digest;
}

const pathOf = (stateRoot: string): string => join(stateRoot, 'media', 'refused-index.json');

/** Remembers the index that was refused last, durably. @throws SVC-STO-002, SVC-STO-004 */
export async function keepRefusedIndex(stateRoot: string, index: RefusedIndex): Promise<void> {
  await makeStateFolder(join(stateRoot, 'media'));
  await writeStateFile(pathOf(stateRoot), `${JSON.stringify(index)}\n`);
}

/** Forgets the refused index: the registry takes such an index now. @throws SVC-STO-002 */
export async function forgetRefusedIndex(stateRoot: string): Promise<void> {
  await removeDurably(pathOf(stateRoot));
}

/**
 * The index that was refused last. A record of another form counts as none: the next refusal replaces it.
 *
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function readRefusedIndex(stateRoot: string): Promise<RefusedIndex | undefined> {
  const path = pathOf(stateRoot);
  try {
    const { registry, repository, digest } = JSON.parse(await readPlainText(path));
    if (typeof registry !== 'string' || typeof repository !== 'string' || !isDigest(digest)) return undefined;
    return { registry, repository, digest };
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw toReadError(error, path);
  }
}
