import { type SvcError, svcError } from '../text/error.ts';

/** Reason why no content of a medium is served. */
export interface GateRefusal {
  readonly code: 'SVC-MED-030' | 'SVC-MED-032' | 'SVC-MED-033';
  readonly mediaId?: string | undefined;
  /** Of SVC-MED-033: the folder has no medium, as when its disk is not mounted. */
  readonly problem?: 'away' | undefined;
}

/** Returns the error of a request for content that the gate refuses. */
export function toGateError(
  { code, mediaId, problem }: GateRefusal,
  options: { readonly cause?: unknown } = {},
): SvcError {
  return code === 'SVC-MED-033'
    ? svcError(code, { mediaId, problem }, options)
    : svcError(code, { mediaId }, options);
}
