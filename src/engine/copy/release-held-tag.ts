import type { Digest } from '../../base/digest.ts';
import { isWhole } from '../../store/is-whole.ts';
import type { Store } from '../../store/model.ts';
import { releaseHeld } from '../../store/put-tags.ts';

/** Lets a tag of an adopted store be served: what it names has now been brought from its source. */
export async function releaseHeldTag(
  store: Store,
  repository: string,
  tag: string,
  digest: Digest,
): Promise<void> {
  const known = store.index.tag(repository, tag);
  if (!known?.held || known.digest !== digest) return;
  // a manifest that is not what it is called comes anew, and its tag with it
  if (await isWhole(store, digest)) await releaseHeld(store, [{ repository, tag }]);
}
