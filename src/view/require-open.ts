import { toGateError } from '../base/gate-refusal.ts';
import type { ViewParts } from './parts.ts';

/** @throws SVC-MED-030, SVC-MED-032, SVC-MED-033 while the gate is closed */
export function requireOpen({ gate }: Pick<ViewParts, 'gate'>): void {
  const refusal = gate.refusal();
  if (refusal !== undefined) throw toGateError(refusal);
}
