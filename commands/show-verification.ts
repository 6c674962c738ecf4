import type { VerificationProgress } from '../src/engine/sync/model.ts';
import type { Progress } from './cli/progress.ts';

/** Shows how far a verification is. */
export function showVerification(progress: Progress): (state: VerificationProgress) => void {
  return ({ stage, recipe, files, totalFiles, bytes, totalBytes }) =>
    progress.update({
      label: recipe === undefined ? `verifying: ${stage}` : `verifying: ${stage}, ${recipe}`,
      bytesDone: bytes,
      bytesTotal: totalBytes,
      items: totalFiles === undefined ? undefined : `${files}/${totalFiles} files`,
    });
}
