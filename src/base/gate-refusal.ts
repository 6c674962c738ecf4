import { type SvcError, svcError } from '../text/error.ts';

/** Reason why no content of a medium is served. */
export interface GateRefusal {
  readonly code: 'SVC-MED-030' | 'SVC-MED-032' | 'SVC-MED-033';
  readonly mediaId?: string | undefined;
  /** Of SVC-MED-033: the folder has no medium, as when its disk is not mounted. */
  readonly problem?: 'away' | undefined;
  /**
   * Of SVC-MED-032: the medium passed, and no recipe is whole on it. Parts of the delivery that have the rest; empty where the
   * registry of the zone has it.
   */
  readonly awaits?: readonly number[] | undefined;
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
