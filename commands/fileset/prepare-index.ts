import { readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toUnreadableFolder } from '../../src/disk/named-file-error.ts';
import { lockPlace } from '../../src/disk/place-lock.ts';
import { indexWork, isIndexFolder } from '../../src/fileset/index-work.ts';
import { countUnsigned, type UnsignedPackages } from '../../src/fileset/package-check/count-unsigned.ts';
import { joinBelow } from '../../src/fileset/package-check/join-below.ts';
import { FormError, type PackageFinding, type PackageTree } from '../../src/fileset/package-check/model.ts';
import { findBroken, findUnlisted } from '../../src/fileset/package-check/package-files.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { CommandLineError } from '../cli/command-line-error.ts';
import { checkTree, openTree, requireSound, type TreeCheck } from './check-tree.ts';
import { findIndex } from './find-index.ts';
import type { IndexKind } from './index-kinds.ts';
import type { Tools } from './index-tools.ts';
import { type MadeIndex, makeIndex } from './make-index.ts';
import { toFingerprint } from './sign-index.ts';

interface PrepareInput {
  readonly directory: string;
  /** Absent: the folder has its index. */
  readonly kind: IndexKind | undefined;
  readonly key: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onFault: (finding: PackageFinding) => void;
  /** Ends the right to the folder when the command ends. */
  readonly cleanup: Pick<AsyncDisposableStack, 'defer'>;
}

/**
 * Makes the index of a folder where that is asked for, and checks it unless it is still to be signed. An index that
 * describes the packages and is signed by the key is kept. No other command indexes the folder until this one ends.
 *
 * @throws CommandLineError for a key that is no fingerprint; SVC-FIL-001, SVC-FIL-008, SVC-FIL-009, SVC-STO-007
 */
export async function prepareIndex(input: PrepareInput): Promise<{
  readonly index?: MadeIndex;
  readonly check?: TreeCheck;
  readonly rpms?: UnsignedPackages;
}> {
  const { directory, kind, key, env, signal, onFault, cleanup } = input;
  const fingerprint = key === undefined ? undefined : toFingerprint(key);
  if (key !== undefined && fingerprint === undefined)
    throw new CommandLineError([
      '--gpg-key takes a whole fingerprint of 40 or 64 hexadecimal digits: shorter identifiers can be forged',
      fr`--gpg-key prend une empreinte entière de 40 ou 64 chiffres hexadécimaux : un identifiant plus court peut être contrefait`,
    ]);
  const folder = await realpath(directory).catch((cause: unknown) => {
    throw svcError('SVC-FIL-001', { path: directory, rule: toUnreadableFolder(cause) }, { cause });
  });
  const tools = { env, signal, folder };
  if (kind !== undefined) cleanup.defer(await holdFolder(folder));
  if (kind !== undefined && fingerprint !== undefined) {
    const found = await findIndex(kind, tools, fingerprint);
    if (found !== undefined) return { ...found, ...(await describeRpms(await openTree(tools))) };
  }
  const index =
    kind === undefined ? undefined : await makeSoundIndex({ kind, tools, key: fingerprint, onFault });
  const tree = await openTree(tools);
  const rpms = await describeRpms(tree);
  if (index !== undefined && fingerprint === undefined) return { index, ...rpms };
  const check = await checkTree(tools, tree, fingerprint, onFault);
  return { ...(index === undefined ? {} : { index }), check, ...rpms };
}

/** Makes the index of a folder whose packages are whole, and names each of them. @throws as `makeIndex`; SVC-FIL-008 */
async function makeSoundIndex({
  kind,
  tools,
  key,
  onFault,
}: Pick<PrepareInput, 'key' | 'onFault'> & { readonly kind: IndexKind; readonly tools: Tools }) {
  const tree = await openTree(tools);
  requireSound(tools, await findBroken(tree, kind), onFault);
  return makeIndex(kind, tools, key, async (path, files) => {
    const named = new Set<string>();
    try {
      for await (const file of files) named.add(joinBelow('', file.path) ?? file.path);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      requireSound(tools, [{ path, fault: 'form' }], onFault);
    }
    // the programs leave out unreadable packages, and succeed
    requireSound(tools, findUnlisted(tree, kind, named), onFault);
    return named.size;
  });
}

async function describeRpms(tree: PackageTree): Promise<{ readonly rpms?: UnsignedPackages }> {
  const rpms = await countUnsigned(tree);
  return rpms === undefined ? {} : { rpms };
}

/**
 * Locks the index of a folder, and removes the remains of interrupted commands.
 *
 * @returns releases the lock
 * @throws SVC-STO-007 while another command makes or packs the index of this folder
 */
async function holdFolder(folder: string): Promise<() => Promise<void>> {
  const lock = await lockPlace(folder, join(folder, indexWork.lock), 'svc fileset pack');
  // without a lock, a folder may be that of a command that still runs; it is not packed, and does no harm
  if (lock.names.size > 0)
    for (const name of (await readdir(folder)).filter(isIndexFolder))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  return lock.release;
}
