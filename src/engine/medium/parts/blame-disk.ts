import { createHash } from 'node:crypto';
import { type Digest, digestAlgorithm, toDigest } from '../../../base/digest.ts';
import { blobPath } from '../../../oci/layout.ts';
import { addParams, isSvcError, type SvcError, svcError } from '../../../text/error.ts';
import type { ClearedRecipe } from '../judge-recipe.ts';
import { openSizedFile } from '../read-file.ts';
import { type NamedMedium, nameDisk } from './name-disk.ts';

/**
 * Finds out whether content of a verified medium became other content before it was pushed. The destination only reports
 * another digest, and may have changed the bytes itself: the file is read once more.
 *
 * @param root real path of the medium
 * @param error why a recipe was not pushed
 * @returns the error with the file, the part and the delivery where the disk is the reason, else the same error
 */
export async function blameDisk(
  error: SvcError,
  { files }: Pick<ClearedRecipe, 'files'>,
  root: string,
  medium: NamedMedium,
): Promise<SvcError> {
  const found = error.code === 'SVC-SIG-002' ? await findAltered(error, files, root) : error;
  const { id } = medium.delivery ?? {};
  if (found.code === 'SVC-MED-047' && id !== undefined) return addParams(found, { delivery: id });
  const isOfFile = /^SVC-MED-01\d$/.test(found.code);
  return isOfFile ? addParams(found, nameDisk(found.code, {}, medium)) : found;
}

async function findAltered(error: SvcError, files: ClearedRecipe['files'], root: string): Promise<SvcError> {
  const expected = error.params.expected as Digest;
  const file = files.get(expected);
  if (file === undefined) return error;
  const path = blobPath(expected);
  const algorithm = digestAlgorithm(expected);
  const hash = createHash(algorithm);
  try {
    for await (const chunk of await openSizedFile(root, path, file.size)) hash.update(chunk);
  } catch (reading) {
    return isSvcError(reading, 'SVC-MED-011') ? reading : error;
  }
  const actual = toDigest(algorithm, hash);
  return actual === expected ? error : svcError('SVC-MED-012', { path, expected, actual });
}
