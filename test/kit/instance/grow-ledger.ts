import { hashBytes } from '../../../src/base/digest.ts';
import type { ContentChange } from '../../../src/catalog/content-records.ts';
import type { Store } from '../../../src/store/model.ts';

const blobs = 500;

/**
 * Adds the facts of so many manifests of 500 blobs each, without their bytes, to the content ledger: 40 KB each. A hundred
 * and twenty make a ledger whose index is saved.
 *
 * @param seed each has other manifests
 */
export async function growLedger({ core }: Store, seed: string, manifests: number): Promise<void> {
  const changes = Array.from({ length: manifests }, (_, i): ContentChange => {
    const digestOf = (part: number | string) => hashBytes(`${seed} ${i} ${part}`);
    return {
      op: 'manifest',
      digest: digestOf('manifest'),
      type: 'application/vnd.oci.image.manifest.v1+json',
      size: 2,
      blobs: Array.from({ length: blobs }, (_, blob) => [digestOf(blob), blob]).flat(),
    };
  });
  await core.keeper.change('content', () => core.record(changes));
}
