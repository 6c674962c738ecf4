import { type SvcError, svcError } from '../text/error.ts';

/** Reason why no content of a medium is served. */
export interface GateRefusal {
  readonly code: 'SVC-MED-030' | 'SVC-MED-032' | 'SVC-MED-033';
  readonly mediaId?: string | undefined;
  /** Of SVC-MED-033: the folder has no medium, as when its disk is not mounted. */
  readonly problem?: 'away' | undefined;
  /**
   * Of SVC-MED-032: the medium passed, and no recipe of this content is whole on it. Parts of the delivery that have the rest; empty where the
   * registry of the zone has it.
   */
  readonly awaits?: readonly number[] | undefined;
}

/** Says why content is not served although others of the medium are. */
export interface WithholdingGate {
  /**
   * Why a repository, or a tag of it, is not allowed; undefined: it did not pass. Absent: no gate of a verified medium.
   *
   * @param tag default: any
   */
  refusalOf?(repository: string, tag?: string): GateRefusal | undefined;
}

/** The error for content that the gate does not allow, while it allows others. */
export function toWithheldError(
  gate: WithholdingGate,
  mediaId: string | undefined,
  { repository, tag }: { readonly repository: string; readonly tag?: string | undefined },
): SvcError {
  return toGateError(gate.refusalOf?.(repository, tag) ?? { code: 'SVC-MED-032', mediaId });
}

/** Returns the error of a request for content that the gate refuses. */
export function toGateError(
  { code, mediaId, problem, awaits }: GateRefusal,
  options: { readonly cause?: unknown } = {},
): SvcError {
  switch (code) {
    case 'SVC-MED-030':
      return svcError(code, { mediaId }, options);
    case 'SVC-MED-032': {
      const parts = awaits?.length ? awaits.map(String) : undefined;
      return svcError(code, { mediaId, problem: awaits && (parts ? 'parts' : 'zone'), parts }, options);
    }
    case 'SVC-MED-033':
      return svcError(code, { mediaId, problem }, options);
  }
}
