import type { VerificationProgress } from '../src/engine/sync/model.ts';
import type { Progress } from './cli/progress.ts';

/** Makes the function that shows the progress of a verification. */
export function showVerification(progress: Progress): (state: VerificationProgress) => void {
  return ({ stage, recipe, files, totalFiles, bytes, totalBytes }) =>
    progress.update({
      label: recipe === undefined ? `verifying: ${stage}` : `verifying: ${stage}, ${recipe}`,
      bytesDone: bytes,
      bytesTotal: totalBytes,
      items: totalFiles === undefined ? undefined : `${files}/${totalFiles} files`,
    });
}
