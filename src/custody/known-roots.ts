import { join } from 'node:path';
import { type Digest, isDigest } from '../base/digest.ts';
import { isJsonObject } from '../base/json/json-object.ts';
import { actors } from '../base/report.ts';
import { writeStateFile } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { readPlainText } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import type { CustodyEntry } from './model.ts';

/** The trust roots of an instance, as its ledger names them. */
export interface CustodyRoots {
  /** Name and SHA-256 of the key (SubjectPublicKeyInfo) of each root. */
  readonly keys: readonly { readonly name: string; readonly digest: Digest }[];
  /** Globs of the recipes that need no signature. */
  readonly unsigned: readonly string[];
}

const nameOf = ({ name, digest }: CustodyRoots['keys'][number]): string => `${name} ${digest}`;

/**
 * Compares the trust roots with those that the ledger named last.
 *
 * @param folder of the ledger
 * @returns the event about the change, and a function that remembers it; undefined when they are the same
 * @throws SVC-STO-001, SVC-STO-014 when the last ones cannot be read
 */
export async function findRootsChange(
  folder: string,
  roots: CustodyRoots,
): Promise<{ readonly entry: CustodyEntry; keep(): Promise<void> } | undefined> {
  const path = join(folder, 'roots.json');
  const text = `${JSON.stringify({ keys: roots.keys, unsigned: roots.unsigned }, null, 2)}\n`;
  let before: string | undefined;
  try {
    before = await readPlainText(path);
  } catch (error) {
    if (!isAbsent(error)) throw toReadError(error, path);
  }
  if (before === text) return undefined;
  const known = parseRoots(before);
  const [then, now] = [known, roots.keys].map((keys) => new Set(keys.map(nameOf))) as [
    Set<string>,
    Set<string>,
  ];
  return {
    entry: {
      type: 'roots-changed',
      actor: actors.system,
      subjects: roots.keys,
      details: {
        added: [...now].filter((one) => !then.has(one)),
        removed: [...then].filter((one) => !now.has(one)),
        unsigned: roots.unsigned,
      },
    },
    keep: () => writeStateFile(path, text),
  };
}

/** A damaged file names no roots: the change then names all of them. */
function parseRoots(text: string | undefined): CustodyRoots['keys'] {
  try {
    const { keys } = JSON.parse(text ?? '{"keys":[]}');
    return (keys as unknown[]).flatMap((one) =>
      isJsonObject(one) && typeof one.name === 'string' && isDigest(one.digest)
        ? [{ name: one.name, digest: one.digest }]
        : [],
    );
  } catch {
    return [];
  }
}
