import type { Store } from '../model.ts';

/**
 * Adopts a foreign store: writes a new ledger generation, with held tags in a zone. Has no effect on a store
 * of this instance.
 *
 * @throws SVC-STO-002, SVC-STO-007 (another process has locked it), SVC-CFG-001 (it is under a key, and there
 *   is no state root)
 */
export function adoptStore({ core }: Store): Promise<void> {
  return core.adopt();
}
