import { toGateError } from '../src/base/gate-refusal.ts';
import { isSvcError } from '../src/text/error.ts';
import type { ViewGate } from '../src/view/parts.ts';

/** Codes of files that are missing, unreadable or changed. */
const ofFiles: ReadonlySet<string> = new Set(['SVC-STO-001', 'SVC-STO-014', 'SVC-SIG-002']);

/**
 * Finds the reason of a failed read: a file of a medium that was replaced, or is being copied, is no fault of the medium. The
 * disk is looked at only then.
 *
 * @returns SVC-MED-033 where the medium changed, otherwise the error itself
 */
export function explainByMedium(error: unknown, gate: Pick<ViewGate, 'refusal' | 'closeIfChanged'>): unknown {
  if (!isSvcError(error) || !ofFiles.has(error.code) || gate.closeIfChanged?.() !== true) return error;
  const refusal = gate.refusal();
  return refusal === undefined ? error : toGateError(refusal, { cause: error });
}
