import type { Digest } from '../../../base/digest.ts';
import type { MediumHeader } from '../../../store/rest/media-manifest.ts';
import { type SvcError, svcError } from '../../../text/error.ts';
import type { AwayBlob } from '../judge-file.ts';
import type { ClearedRecipe } from '../judge-recipe.ts';

/**
 * The parts that have missing blobs, in ascending order. Of a cut blob, those that did not arrive: the segments of the
 * others are kept. Where all arrived, something that they brought is gone again.
 *
 * @param kept parts whose segments of a blob are kept. Default: unknown
 */
export function listParts(
  { record }: ClearedRecipe,
  missing: readonly AwayBlob[],
  header: MediumHeader | undefined,
  hasBrought: ((recipe: Digest, part: number) => boolean) | undefined,
  kept?: ReadonlyMap<Digest, readonly number[]>,
): readonly number[] {
  const parts = new Set<number>();
  for (const { digest, at } of missing) {
    const others = typeof at === 'string' ? [] : at.filter((part) => part !== header?.delivery?.part);
    const open = others.filter((part) => !hasBrought?.(record.digest, part));
    const lost = others.filter((part) => !kept?.get(digest)?.includes(part));
    const [first = others] = [open, lost].filter((list) => list.length > 0);
    for (const part of first) parts.add(part);
  }
  return [...parts].sort((a, b) => a - b);
}

/** The number of blobs and their bytes. */
export const sumBlobs = (blobs: readonly AwayBlob[]) => ({
  files: blobs.length,
  bytes: blobs.reduce((total, { size }) => total + size, 0),
});

/** Names the delivery to bring for a recipe, and the content of the base that it needs. */
export type BaseSearch = (
  recipe: Pick<ClearedRecipe['record'], 'name' | 'digest'>,
  missing: readonly Digest[],
) => Promise<string | undefined>;

/**
 * SVC-MED-041 for a recipe that waits for other parts, SVC-MED-040 for one whose base is gone.
 *
 * @param findBase asked where the base is gone. Default: no delivery is known
 * @throws the errors of `findBase`
 */
export async function toMissing(
  { name: recipe, record }: Pick<ClearedRecipe, 'record'> & { readonly name: string },
  missing: readonly AwayBlob[],
  waitsFor: readonly number[],
  header: MediumHeader | undefined,
  findBase: BaseSearch | undefined,
): Promise<SvcError> {
  const gone = missing.filter(({ at }) => at === 'base');
  const { delivery, base } = header ?? {};
  // without a receipt, its number is 0, and the digest is that of the last medium that the source had written
  const isSent = base?.sequence === 0;
  if (gone.length > 0) {
    const lost = gone.map(({ digest }) => digest);
    return svcError('SVC-MED-040', {
      recipe,
      ...sumBlobs(gone),
      zone: header?.zone,
      ...(isSent
        ? { problem: 'sent', last: base?.receipt }
        : { sequence: base?.sequence, delivery: await findBase?.(record, lost) }),
    });
  }
  const parts = waitsFor.map(String);
  return svcError('SVC-MED-041', { recipe, ...sumBlobs(missing), parts, delivery: delivery?.id });
}
