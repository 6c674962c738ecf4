import type { Digest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import type { SvcError } from '../../text/error.ts';

/** Logs a signature that stays behind, since its source lacks a part. */
export function reportIncomplete(
  report: Report,
  signature: { readonly source: string; readonly digest: Digest; readonly error?: SvcError },
): void {
  report.log('warn', 'A signature is incomplete at its source and is not copied', { ...signature });
}

/** Warns of signatures that may be lost: their subject needs none, and is delivered. */
export function reportUnread(
  report: Report,
  signatures: { readonly source: string; readonly digest: Digest; readonly error: SvcError },
): void {
  report.log('warn', 'Signatures of an ingredient cannot be read, and are not copied; it is delivered', {
    ...signatures,
  });
}
