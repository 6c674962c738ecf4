import { parentPort } from 'node:worker_threads';
import { toErrorRecord, toSvcError } from '../base/error.ts';
import { runDocumentJob } from './document-job.ts';
import type { DocumentAnswer, DocumentRequest } from './read-document.ts';

parentPort!.on('message', ({ id, job, bytes, file }: DocumentRequest) => {
  let answer: DocumentAnswer;
  try {
    answer = { id, result: runDocumentJob(job, bytes, file) };
  } catch (error) {
    answer = { id, error: toErrorRecord(toSvcError(error)) };
  }
  parentPort!.postMessage(answer);
});
