import { parentPort } from 'node:worker_threads';
import { toErrorRecord, toSvcError } from '../text/error.ts';
import { type DividedResult, divideResult } from './answer-parts.ts';
import type { DocumentAnswer, DocumentRequest, NextPart } from './read-document.ts';

/**
 * Answers the requests that a thread receives.
 *
 * @param run runs one job of the thread
 */
export function answerDocuments<J>(run: (job: J, bytes: Uint8Array, file: string) => unknown): void {
  /** The result that is being passed on, a part at each request for one. */
  let divided: DividedResult & { readonly id: number };
  let passed = 0;

  const passNext = (): void => {
    const { id, result, parts } = divided;
    const part = parts[passed];
    passed += 1;
    const answer: DocumentAnswer = part === undefined ? { id, result } : { id, part };
    parentPort!.postMessage(answer);
  };
  parentPort!.on('message', (message: DocumentRequest<J> | NextPart) => {
    if (!('job' in message)) {
      passNext();
      return;
    }
    const { id, job, bytes, file } = message;
    try {
      divided = { id, ...divideResult(run(job, bytes, file)) };
    } catch (error) {
      const failed: DocumentAnswer = { id, error: toErrorRecord(toSvcError(error)) };
      parentPort!.postMessage(failed);
      return;
    }
    passed = 0;
    passNext();
  });
}
