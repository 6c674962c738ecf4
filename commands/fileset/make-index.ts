import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { toWriteError } from '../../src/disk/write-error.ts';
import { indexWork } from '../../src/fileset/index-work.ts';
import { readStanzas, toPackageFiles } from '../../src/fileset/package-check/control.ts';
import type { NamedFile } from '../../src/fileset/package-check/model.ts';
import { readPrimary } from '../../src/fileset/package-check/rpm-metadata.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import type { IndexKind } from './index-kinds.ts';
import { runTool, type Tools } from './index-tools.ts';
import { signClear, signDetached } from './sign-index.ts';

export interface MadeIndex {
  readonly kind: IndexKind;
  /** Files that were written, below the folder. */
  readonly files: readonly string[];
  /** Fingerprint of the key that signed it. */
  readonly signedBy?: string;
  /** True: the files were there, describe the packages and are signed by that key; nothing was written. */
  readonly kept?: true;
}

/**
 * Makes the index of the packages in a folder with the programs of the platform, and signs it. The files are made beside
 * the packages and take their names at the end, so that a failure changes nothing.
 *
 * @param tools the caller has the right to the folder
 * @param key fingerprint of the signing key; absent: the index is left unsigned, and older signatures are removed
 * @param judge gets the packages that the index names before it is signed, counts them, and throws to refuse it
 * @throws SVC-FIL-009 when a program is not installed or fails; SVC-FIL-001 when there is no package
 */
export async function makeIndex(
  kind: IndexKind,
  tools: Tools,
  key: string | undefined,
  judge: Judge,
): Promise<MadeIndex> {
  const work = await mkdtemp(join(tools.folder, indexWork.folder)).catch((error: unknown) => {
    throw toWriteError(error, tools.folder);
  });
  try {
    const files = await (kind === 'apt' ? makeApt : makeRpm)(tools, work, key, judge);
    return { kind, files, signedBy: key };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * @param path list of the packages, for errors
 * @param named throws FormError where the list cannot be read
 * @returns number of packages
 */
type Judge = (path: string, named: AsyncIterable<NamedFile>) => Promise<number>;

const compress = promisify(gzip);

/** A flat repository: `Packages` and `Release` in the folder itself, for every architecture (sources.list(5)). */
async function makeApt(
  tools: Tools,
  work: string,
  key: string | undefined,
  judge: Judge,
): Promise<readonly string[]> {
  const { folder } = tools;
  const packages = join(work, 'Packages');
  const out = createWriteStream(packages);
  await runTool(tools, 'apt-ftparchive', ['packages', '.'], {
    cwd: folder,
    onOutput: (chunk) => out.write(chunk),
  });
  out.end();
  await once(out, 'close');
  const bytes = sortStanzas(await readFile(packages, 'latin1'));
  requirePackages(folder, await judge('Packages', readPackages(bytes)));
  await writeFile(packages, bytes);
  await writeFile(join(work, 'Packages.gz'), await compress(bytes, { level: 9 }));
  const { stdout } = await runTool(tools, 'apt-ftparchive', ['release', '.'], { cwd: work });
  await writeFile(join(work, 'Release'), stdout);
  const signatures = ['InRelease', 'Release.gpg'];
  if (key !== undefined) {
    await signClear(tools, key, join(work, 'Release'), join(work, 'InRelease'));
    await signDetached(tools, key, join(work, 'Release'), join(work, 'Release.gpg'));
  }
  const made = ['Packages', 'Packages.gz', 'Release', ...(key === undefined ? [] : signatures)];
  // without a key the signatures of an older index would be wrong
  for (const name of signatures) await rm(join(folder, name), { force: true });
  for (const name of made) await rename(join(work, name), join(folder, name));
  return made;
}

/** Sorts the stanzas of an index, which come in the order of the filesystem. @param text one character per byte */
function sortStanzas(text: string): Buffer {
  const stanzas = text.split('\n\n').filter((stanza) => stanza.trim() !== '');
  return Buffer.from(
    stanzas
      .sort()
      .map((stanza) => `${stanza}\n\n`)
      .join(''),
    'latin1',
  );
}

async function makeRpm(
  tools: Tools,
  work: string,
  key: string | undefined,
  judge: Judge,
): Promise<readonly string[]> {
  const { folder } = tools;
  // the folder of the index is made elsewhere, and names the packages from the folder itself
  await runTool(tools, 'createrepo_c', [
    '--quiet',
    ...[
      '--outputdir',
      work,
      '--excludes',
      `${indexWork.folder}*`,
      '--general-compress-type',
      'gz',
      '--no-database',
    ],
    folder,
  ]);
  const repomd = join(work, 'repodata', 'repomd.xml');
  requirePackages(folder, await judge('repodata', readPrimary(await openPrimary(work))));
  if (key !== undefined) await signDetached(tools, key, repomd, `${repomd}.asc`);
  const target = join(folder, 'repodata');
  await rm(target, { recursive: true, force: true });
  await rename(join(work, 'repodata'), target);
  return ['repodata/repomd.xml', ...(key === undefined ? [] : ['repodata/repomd.xml.asc'])];
}

async function* readPackages(bytes: Buffer): AsyncGenerator<NamedFile> {
  for await (const stanza of readStanzas(Readable.from([bytes]))) yield* toPackageFiles(stanza);
}

/** Opens the list of packages that createrepo_c has written. */
async function openPrimary(work: string): Promise<Readable> {
  const name = (await readdir(join(work, 'repodata'))).find((each) => each.endsWith('primary.xml.gz'));
  if (name === undefined) return Readable.from([]);
  return pipeline(createReadStream(join(work, 'repodata', name)), createGunzip(), () => {});
}

/** @throws SVC-FIL-001 where an index names no package */
function requirePackages(folder: string, named: number): void {
  if (named === 0)
    throw svcError('SVC-FIL-001', {
      path: folder,
      rule: rule(['it contains no package of this kind', fr`il ne contient aucun paquet de ce type`]),
    });
}
