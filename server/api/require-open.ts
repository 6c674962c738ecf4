import { svcError } from '../../src/base/error.ts';
import type { ApiCall } from './api-route.ts';

/** @throws SVC-MED-030, SVC-MED-032 while the gate is closed: the medium was not verified here */
export function requireOpen({ gate }: Pick<ApiCall, 'gate'>): void {
  const refusal = gate.refusal();
  if (refusal !== undefined) throw svcError(refusal.code, { mediaId: refusal.mediaId });
}
