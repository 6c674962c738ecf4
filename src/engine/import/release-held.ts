import type { Digest } from '../../base/digest.ts';
import type { Store } from '../../store/model.ts';

/** Lets a tag of an adopted store be served: what it names has now been brought from its source. */
export async function releaseHeld(
  store: Store,
  repository: string,
  tag: string,
  digest: Digest,
): Promise<void> {
  const known = store.index.tag(repository, tag);
  if (known?.held && known.digest === digest) await store.releaseHeld([{ repository, tag }]);
}
