import { parentPort } from 'node:worker_threads';
import { toErrorRecord, toSvcError } from '../text/error.ts';
import { type DividedResult, divideResult } from './answer-parts.ts';
import { runDocumentJob } from './document-job.ts';
import type { DocumentAnswer, DocumentRequest, NextPart } from './read-document.ts';

/** The result that is being passed on, a part at each request for one. */
let divided: DividedResult & { readonly id: number };
let passed = 0;

function passNext(): void {
  const { id, result, parts } = divided;
  const part = parts[passed];
  passed += 1;
  const answer: DocumentAnswer = part === undefined ? { id, result } : { id, part };
  parentPort!.postMessage(answer);
}

function answer({ id, job, bytes, file }: DocumentRequest): void {
  try {
    divided = { id, ...divideResult(job.do, runDocumentJob(job, bytes, file)) };
  } catch (error) {
    const failed: DocumentAnswer = { id, error: toErrorRecord(toSvcError(error)) };
    parentPort!.postMessage(failed);
    return;
  }
  passed = 0;
  passNext();
}

parentPort!.on('message', (message: DocumentRequest | NextPart) => {
  if ('job' in message) answer(message);
  else passNext();
});
