import type { Source } from '../../oci/ports.ts';
import type { Store } from '../../store/model.ts';
import { type HeldContent, withHeld } from './held-content.ts';
import { localFirst } from './local-source.ts';

/** A source that reads from memory, then from the store, then from the remote one. */
export function nearSource(held: HeldContent, store: Store | undefined, remote: Source): Source {
  return withHeld(localFirst(store, remote), held);
}
