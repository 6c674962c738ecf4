import { parentPort } from 'node:worker_threads';
import { toErrorRecord, toSvcError } from '../base/error.ts';
import { parseRecipe, parseRetriever } from './document.ts';
import type { DocumentAnswer, DocumentRequest } from './read-document.ts';

const parsers = { Recipe: parseRecipe, Retriever: parseRetriever } as const;

parentPort!.on('message', ({ id, kind, bytes, file }: DocumentRequest) => {
  let answer: DocumentAnswer;
  try {
    answer = { id, document: parsers[kind](bytes, file) };
  } catch (error) {
    answer = { id, error: toErrorRecord(toSvcError(error)) };
  }
  parentPort!.postMessage(answer);
});
