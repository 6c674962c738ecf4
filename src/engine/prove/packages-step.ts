import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FilesetImage } from '../../fileset/model.ts';
import { checkPackages } from '../../fileset/package-check/check-packages.ts';
import type { PackageFault } from '../../fileset/package-check/model.ts';
import { hasPlainLayers, openImageTree } from '../../fileset/package-check/open-image-tree.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { listImages } from '../copy/list-images.ts';
import { readManifest } from '../copy/read-manifest.ts';
import { isServable } from '../fileset/resolve-fileset.ts';
import type { Destination } from '../promotion/model.ts';
import { type CarriedFolder, type HashedFiles, openCarried } from './carried-folder.ts';
import { checkSignatures, type PackageKeys } from './check-signatures.ts';
import { type CarriedIngredient, listIngredients } from './ingredients.ts';
import type { ProofBook, StepCount } from './proof-book.ts';

/** A FileSet of the delivery with its repositories of packages. */
export interface CarriedFileset {
  /** Name of the ingredient. */
  readonly name: string;
  /** Paths of the indexes. */
  readonly indexes: readonly string[];
}

/** The result of the step. */
interface PackageCount extends StepCount {
  readonly filesets: readonly CarriedFileset[];
  /** Whether a FileSet was not looked into: its layers are compressed, or no folder and no store has them whole. */
  readonly isPartial: boolean;
  /** Whether there is a repository of packages whose signatures were not verified. */
  readonly isUnverified: boolean;
}

/**
 * Requires that each repository of packages in a FileSet has every file that its indexes name, and with keys that one of them
 * signed it.
 */
export async function checkFilesets(
  book: ProofBook,
  folders: readonly CarriedFolder[],
  options: CallOptions & {
    readonly destination: Destination;
    readonly files: HashedFiles;
    readonly packageKeys?: PackageKeys | undefined;
  },
): Promise<PackageCount> {
  const { packageKeys } = options;
  const filesets: CarriedFileset[] = [];
  let [bytes, isPartial, isUnverified] = [0, false, false];
  const found = listIngredients(folders, 'FileSet', options.destination);
  if (found.length === 0) return { checked: 0, bytes, filesets, isPartial, isUnverified };
  const temporary = await mkdtemp(join(tmpdir(), 'svc-prove-'));
  try {
    for (const fileset of found) {
      const { reference, ingredient } = fileset;
      try {
        for (const [i, image] of (await listTrees(fileset, options)).entries()) {
          if (!hasPlainLayers(image) || image.layers.some(({ digest }) => !options.files.has(digest))) {
            isPartial = true;
            continue;
          }
          const table = join(temporary, `${filesets.length}-${i}`);
          using opened = await openImageTree(image, options.files.openFile, table, options);
          filesets.push({ name: ingredient.name, indexes: opened.indexes });
          if (opened.indexes.length === 0) continue;
          const report = await checkPackages(opened.tree);
          bytes += report.bytes;
          isUnverified ||= packageKeys === undefined;
          const signing = packageKeys === undefined ? [] : await checkSignatures(opened.tree, packageKeys);
          for (const { path, fault } of [...report.findings, ...signing])
            book.find(
              'packages',
              isDoubt(path, fault) ? 'warning' : 'error',
              `${reference} ${path}`,
              svcError('SVC-CLO-003', { fileset: reference, path, fault, signature: signatureOf(fault) }),
            );
        }
      } catch (error) {
        options.signal?.throwIfAborted();
        // it lands, and an instance cannot serve it
        if (!isSvcError(error, 'SVC-FIL-004')) throw error;
        book.find('packages', 'warning', reference, error);
      }
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return { checked: found.length, bytes, filesets, isPartial, isUnverified };
}

/**
 * Whether a fault may be none: an index that is compressed in another way may be right, and dnf takes one that nobody signed where
 * each package has a signature of its own.
 */
const isDoubt = (path: string, fault: PackageFault): boolean =>
  fault === 'compression' || (fault === 'unsigned' && path.endsWith('repomd.xml'));

const signatureOf = (fault: PackageFault): 'absent' | 'wrong' | undefined =>
  fault === 'unsigned' ? 'absent' : fault === 'signer' ? 'wrong' : undefined;

/** The images of a FileSet of which the folder has the manifest, each once. */
async function listTrees(
  { folder, ingredient, repository, reference }: CarriedIngredient,
  { signal, files }: CallOptions & { readonly files: HashedFiles },
): Promise<readonly FilesetImage[]> {
  const source = openCarried(folder, repository, files);
  const read = async (digest: FilesetImage['digest']) =>
    (await readManifest(source, { mediaType: '', digest, size: 0 }, reference, { signal })).manifest;
  const root = await read(ingredient.digest);
  if (root.kind === 'image') return [{ reference, digest: ingredient.digest, layers: root.layers }];
  const images = (await listImages(source, root, { reference, signal })).filter(isServable);
  const trees: FilesetImage[] = [];
  for (const digest of new Set(images.map(({ descriptor }) => descriptor.digest))) {
    if (!(await source.hasManifest(digest))) continue;
    const manifest = await read(digest);
    if (manifest.kind === 'image') trees.push({ reference, digest, layers: manifest.layers });
  }
  return trees;
}
