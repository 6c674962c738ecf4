import type { Digest } from '../../base/digest.ts';
import { isWhole } from '../../store/is-whole.ts';
import type { Store } from '../../store/model.ts';
import { releaseHeld } from '../../store/put-tags.ts';

/** Allows a held tag of an adopted store to be served, after its content has been fetched from its source. */
export async function releaseHeldTag(
  store: Store,
  repository: string,
  tag: string,
  digest: Digest,
): Promise<void> {
  const known = store.index.tag(repository, tag);
  if (!known?.held || known.digest !== digest) return;
  // a manifest whose file is missing or altered is fetched again, and its tag is then put again
  if (await isWhole(store, digest)) await releaseHeld(store, [{ repository, tag }]);
}
