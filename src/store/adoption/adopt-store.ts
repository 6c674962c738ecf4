import type { Store } from '../model.ts';

/**
 * Makes a foreign store ours: a new ledger generation, and tags that are held. Does nothing when it is ours.
 *
 * @throws SVC-STO-002, SVC-STO-007 (another process has it), SVC-CFG-001 (it is under a key, and there is no state root)
 */
export function adoptStore({ core }: Store): Promise<void> {
  return core.adopt();
}
