import { type KeyObject, verify } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readBundle } from '../../../attest/bundle.ts';
import { isSignedBy } from '../../../attest/signed-by.ts';
import { isSubjectNamed } from '../../../attest/statement.ts';
import { type Digest, hashBytes } from '../../../base/digest.ts';
import { isAbsent } from '../../../disk/is-absent.ts';
import { readNamed } from '../../../disk/named-file.ts';
import { toNamedFileError } from '../../../disk/named-file-error.ts';
import type { HashOutcome } from '../../../disk/threads/hash-file.ts';
import { hashFiles } from '../../../disk/threads/hash-pool.ts';
import type { MediumEntry } from '../../../store/rest/media-manifest.ts';
import { type SvcError, svcError } from '../../../text/error.ts';
import { fr } from '../../../text/language.ts';
import { type Rule, rule } from '../../../text/rule.ts';
import { bundlePath, parseSums, type ReleaseSums, SumsError, signaturePath, sumsPath } from './parse-sums.ts';

/** A verified release of svc, which media bring. */
export interface CarriedProgram {
  /** Real path of its folder. */
  readonly root: string;
  readonly version: string;
  /** All of its files, with the list and its signatures, sorted; paths are relative to its folder. */
  readonly files: readonly MediumEntry[];
  /** Bytes of all files. */
  readonly bytes: number;
  /** Programs in one file, by name. */
  readonly programs: readonly string[];
}

/** Bytes. */
const limits = { sums: 4 << 20, signature: 64 << 10, bundle: 1 << 20 } as const;

/** Bytes of one file, which also FAT takes: the list has no sizes, and a file without content of its own can have any. */
const largestFile = 4 * 2 ** 30 - 1;

/** Refuses a release: nothing was written. */
export const toProgramError = (path: string, detail: Rule): SvcError =>
  svcError('SVC-MED-048', { path, detail });

export const toAlteredError = (path: string, file: string): SvcError =>
  toProgramError(
    path,
    rule(['{file} is not the file of the signed list', fr`{file} n’est pas le fichier de la liste signée`], {
      file,
    }),
  );

/**
 * Verifies a release of svc, or its FileSet `svc-files`, as `openssl dgst -sha256` and `sha256sum` do: the signature of its
 * list, then each file. Its folder has the files of the list and no others.
 *
 * @param path folder of the release
 * @param key ECDSA or RSA
 * @throws SVC-MED-048 for anything else than a verified release, SVC-FIL-005 for a folder that cannot be read; the signal's
 *   reason
 */
export async function readProgram(
  path: string,
  key: KeyObject,
  signal?: AbortSignal,
): Promise<CarriedProgram> {
  const root = await realpath(path).catch((error: unknown) => {
    throw toNamedFileError(error, path);
  });
  const { sums, own } = await readSums(root, key);
  const sizes = await listFiles(root, sums, new Set(own.map((entry) => entry.path)));
  const jobs = [...sizes].map(([file, size]) => ({ path: file, size, algorithm: 'sha256' as const }));
  await hashFiles(root, jobs, {
    onOutcome: (job, outcome) => requireListed(root, job.path, sums.digests.get(job.path), outcome),
    signal,
  });
  const listed = jobs.map(({ path, size }) => ({ path, size, digest: sums.digests.get(path)! }));
  const files = [...listed, ...own].sort((a, b) => (a.path < b.path ? -1 : 1));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return { root, version: sums.version, files, bytes, programs: sums.programs };
}

/** Reads the list and verifies its signatures. @returns the list, and the entries of the list and its signatures */
async function readSums(
  root: string,
  key: KeyObject,
): Promise<{ readonly sums: ReleaseSums; readonly own: readonly MediumEntry[] }> {
  if (key.asymmetricKeyType === 'ed25519')
    throw toProgramError(
      root,
      rule([
        'its key is of type Ed25519, which openssl dgst cannot verify: a release is signed with ECDSA or RSA',
        fr`sa clé est de type Ed25519, qu’openssl dgst ne peut pas vérifier : une version est signée avec ECDSA ou RSA`,
      ]),
    );
  const list = requireThere(root, sumsPath, await readOwn(root, sumsPath, limits.sums));
  const signature = requireThere(root, signaturePath, await readOwn(root, signaturePath, limits.signature));
  if (!isVerified(list, key, signature))
    throw toProgramError(
      root,
      rule([
        'the signature of its SHA256SUMS does not verify with this key',
        fr`la signature de son SHA256SUMS n’est pas vérifiée par cette clé`,
      ]),
    );
  const bundle = await readOwn(root, bundlePath, limits.bundle);
  if (bundle !== undefined && !isBundleOf(bundle, list, key))
    throw toProgramError(
      root,
      rule(
        [
          '{bundle} is not a signature of its SHA256SUMS with this key',
          fr`{bundle} n’est pas une signature de son SHA256SUMS avec cette clé`,
        ],
        { bundle: bundlePath },
      ),
    );
  const toEntry = (path: string, bytes: Buffer): MediumEntry => {
    return { path, size: bytes.length, digest: hashBytes(bytes) };
  };
  const own = [
    toEntry(sumsPath, list),
    toEntry(signaturePath, signature),
    ...(bundle === undefined ? [] : [toEntry(bundlePath, bundle)]),
  ];
  try {
    return { sums: parseSums(list.toString('utf8')), own };
  } catch (error) {
    throw error instanceof SumsError ? toProgramError(root, error.rule) : error;
  }
}

/** @returns undefined when it is absent @throws SVC-FIL-005, SVC-VAL-002, SVC-STO-001, SVC-STO-014 */
async function readOwn(root: string, name: string, limit: number): Promise<Buffer | undefined> {
  try {
    return await readNamed(join(root, name), limit);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw toNamedFileError(error, join(root, name));
  }
}

function requireThere<T>(root: string, file: string, found: T | undefined): T {
  if (found !== undefined) return found;
  throw toProgramError(root, rule(['{file} is missing', fr`{file} manque`], { file }));
}

/** As `openssl dgst -sha256 -verify` does: with SHA-256 for every key. */
function isVerified(bytes: Buffer, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify('sha256', bytes, key, signature);
  } catch {
    return false;
  }
}

function isBundleOf(bundle: Buffer, list: Buffer, key: KeyObject): boolean {
  const read = readBundle(bundle);
  return (
    !('flaw' in read) && isSubjectNamed(read, hashBytes(list)) && isSignedBy(key, read.signed, read.signature)
  );
}

/**
 * Lists the files of a release.
 *
 * @param own names of the list and its signatures
 * @returns sizes in bytes by path, of the files of the list
 * @throws SVC-MED-048 for a file that is missing or has 4 GiB, for any that the list does not name, a link and an empty folder
 */
async function listFiles(
  root: string,
  { digests }: ReleaseSums,
  own: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  const missing = new Set(digests.keys());
  let fault: Rule | undefined;
  const refuse = (file: string): void => {
    fault ??= rule(['its signed list does not name {file}', fr`sa liste signée ne nomme pas {file}`], {
      file,
    });
  };
  const take = async (path: string, entry: Dirent): Promise<void> => {
    missing.delete(path);
    if (entry.isDirectory()) return list(path);
    if (!digests.has(path) && !own.has(path)) refuse(path);
    else if (!entry.isFile())
      fault ??= rule(['{file} is not a regular file', fr`{file} n’est pas un fichier ordinaire`], {
        file: path,
      });
    else if (!own.has(path)) {
      const { size } = await lstat(join(root, path));
      sizes.set(path, size);
      if (size > largestFile)
        fault ??= rule(['{file} has 4 GiB or more', fr`{file} a 4 Gio ou plus`], { file: path });
    }
  };
  const list = async (folder: string): Promise<void> => {
    let isEmpty = true;
    for await (const entry of await opendir(join(root, folder))) {
      isEmpty = false;
      await take(folder === '' ? entry.name : `${folder}/${entry.name}`, entry);
    }
    if (isEmpty) refuse(folder);
  };
  try {
    await list('');
  } catch (error) {
    throw toNamedFileError(error, root);
  }
  const [lost] = missing;
  if (lost !== undefined) requireThere(root, lost, undefined);
  if (fault !== undefined) throw toProgramError(root, fault);
  return sizes;
}

function requireListed(root: string, file: string, expected: Digest | undefined, outcome: HashOutcome): void {
  if (!('digest' in outcome) || outcome.digest !== expected) throw toAlteredError(root, file);
}
