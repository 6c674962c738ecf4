import { parseRecipe, parseRetriever } from './document.ts';
import { type DocumentEdit, editDocument } from './edit.ts';
import { findLines } from './find-line.ts';
import type { Recipe, Retriever } from './model.ts';

/** Work on one document whose time grows with the document. */
export type DocumentJob =
  | { readonly do: 'recipe' }
  | { readonly do: 'retriever' }
  | { readonly do: 'edit'; readonly edits: readonly DocumentEdit[] }
  | { readonly do: 'lines'; readonly paths: readonly string[] };

export interface JobResults {
  readonly recipe: Recipe;
  readonly retriever: Retriever;
  readonly edit: Uint8Array;
  readonly lines: readonly (number | undefined)[];
}

/** Runs a job. @param file name of the document in errors @throws SVC-VAL-001, SVC-VAL-002 */
export function runDocumentJob<J extends DocumentJob>(
  job: J,
  bytes: Uint8Array,
  file: string,
): JobResults[J['do']] {
  return runJob(job, bytes, file) as JobResults[J['do']];
}

function runJob(job: DocumentJob, bytes: Uint8Array, file: string): JobResults[keyof JobResults] {
  switch (job.do) {
    case 'recipe':
      return parseRecipe(bytes, file);
    case 'retriever':
      return parseRetriever(bytes, file);
    case 'edit':
      return editDocument(bytes, job.edits, file);
    case 'lines':
      return findLines(bytes, job.paths);
  }
}
