import type { Source } from '../../oci/ports.ts';
import type { Store } from '../../store/model.ts';
import { type HeldContent, withHeld } from './held-content.ts';
import { localFirst } from './local-source.ts';

/** A source that gives what is held in memory, then what the store has, and asks the remote one for the rest. */
export function nearSource(held: HeldContent, store: Store | undefined, remote: Source): Source {
  return withHeld(localFirst(store, remote), held);
}
