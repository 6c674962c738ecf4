import { constants } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findSigner } from '../../attest/own-statement.ts';
import { passportPath, readPassport } from '../../attest/passport.ts';
import { type Digest, digestHex } from '../../base/digest.ts';
import { toCustodyFolder } from '../../custody/ledger-files.ts';
import type { CustodySubject } from '../../custody/model.ts';
import { statementNames } from '../../custody/statement-names.ts';
import { removeDurably, writeStateFile } from '../../disk/atomic-file.ts';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { makeStateFolder } from '../../disk/make-folder.ts';
import { readPlain, readWhole } from '../../disk/plain-file.ts';
import { toReadError } from '../../disk/read-error.ts';
import { removeStale } from '../../disk/remove-leftovers.ts';
import { isSvcError } from '../../text/error.ts';
import type { ZoneKey } from '../../zone/receipts.ts';

/** Most statements of a kind that are kept, the oldest are forgotten first; in bytes, the largest one. */
const most = { statements: 1000, bytes: 1 << 20 } as const;

type Kind = 'passports' | 'receipts';

const toFolder = (stateRoot: string, kind: Kind): string => join(toCustodyFolder(stateRoot), kind);
const toPath = (stateRoot: string, kind: Kind, digest: Digest): string =>
  join(toFolder(stateRoot, kind), `${digestHex(digest)}.sigstore.json`);

/**
 * Keeps a statement beside the ledger, before a line names it, so that a pack of evidence has it. A larger one is left out.
 *
 * @param digest of the statement, by which lines name it
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function keepStatement(
  stateRoot: string,
  kind: Kind,
  { digest, bytes }: { readonly digest: Digest; readonly bytes: Buffer },
): Promise<void> {
  if (bytes.length > most.bytes) return;
  const folder = toFolder(stateRoot, kind);
  await makeStateFolder(folder);
  await removeStale(folder);
  await writeStateFile(toPath(stateRoot, kind, digest), bytes);
  await forgetOldest(folder);
}

/** Removes the oldest statements above the limit. Another process may remove them meanwhile. */
async function forgetOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sigstore.json'));
  if (names.length <= most.statements) return;
  const aged = await Promise.all(
    names.map(async (name) => ({
      name,
      at: await stat(join(folder, name)).then(({ mtimeMs }) => mtimeMs, toAbsent),
    })),
  );
  const present = aged.filter(({ at }) => at > 0).sort((a, b) => a.at - b.at);
  for (const { name } of present.slice(0, Math.max(present.length - most.statements, 0)))
    await removeDurably(join(folder, name));
}

/** @returns 0, the time of a file that is absent */
function toAbsent(error: unknown): number {
  if (isAbsent(error)) return 0;
  throw error;
}

/**
 * Keeps the passport of a medium that arrived, if it is for this medium and a key verifies it.
 *
 * @param root real path of the medium
 * @param manifest digest of its `media.jsonl`
 * @param keys of sites whose passports are believed
 * @returns the subjects by which the line about the arrival names it
 * @throws SVC-STO-002, SVC-STO-004, SVC-STO-014
 */
export async function keepCarriedPassport(
  root: string,
  stateRoot: string,
  manifest: Digest,
  keys: readonly ZoneKey[],
): Promise<readonly CustodySubject[]> {
  const bytes = await readCarried(root);
  const read = bytes && readPassport(bytes);
  if (read === undefined || 'flaw' in read || !read.subjects.some(({ digest }) => digest === manifest))
    return [];
  const believed = keys.filter((key) => key.for.includes('passport'));
  if (findSigner(read, believed) === undefined) return [];
  const { digest } = read;
  await keepStatement(stateRoot, 'passports', { digest, bytes: bytes! });
  return [{ name: statementNames.passport, digest }];
}

async function readCarried(root: string): Promise<Buffer | undefined> {
  try {
    await using folder = await openGuardedFolder(root, dirname(passportPath));
    await using file = await folder.open(basename(passportPath), constants.O_RDONLY);
    const { size } = await file.stat();
    return await readWhole(file, Math.min(size, most.bytes + 1));
  } catch (error) {
    if (isSvcError(error, 'SVC-STO-014')) throw error;
    return undefined;
  }
}

/** Reads all kept statements of a kind. @throws SVC-STO-001, SVC-STO-014 */
export async function* readKeptStatements(stateRoot: string, kind: Kind): AsyncGenerator<Buffer> {
  const folder = toFolder(stateRoot, kind);
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw toReadError(error, folder);
  });
  for (const name of names) {
    const [, hex] = /^([0-9a-f]{64})\.sigstore\.json$/.exec(name) ?? [];
    const bytes = hex && (await readKeptStatement(stateRoot, kind, `sha256:${hex}`));
    if (bytes) yield bytes;
  }
}

/**
 * A kept statement.
 *
 * @param digest as it was kept; earlier versions kept a passport by that of `media.jsonl`
 * @returns undefined where none is kept
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function readKeptStatement(
  stateRoot: string,
  kind: Kind,
  digest: Digest,
): Promise<Buffer | undefined> {
  const path = toPath(stateRoot, kind, digest);
  try {
    return await readPlain(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw toReadError(error, path);
  }
}
