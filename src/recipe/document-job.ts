import { parseRecipe, parseRetriever } from './document.ts';
import { findLines } from './find-line.ts';
import type { Recipe, Retriever } from './model.ts';
import { pickValue, type WantedValue } from './pick-value.ts';
import type { YamlValue } from './read-yaml.ts';

/** Work on one document whose time grows with the document. */
export type DocumentJob =
  | { readonly do: 'recipe' }
  | { readonly do: 'retriever' }
  | { readonly do: 'lines'; readonly paths: readonly string[] }
  /** Reads a value of a document of another program. */
  | { readonly do: 'value'; readonly wanted: WantedValue };

export interface JobResults {
  readonly recipe: Recipe;
  readonly retriever: Retriever;
  readonly lines: readonly (number | undefined)[];
  readonly value: YamlValue | undefined;
}

/** Runs a job. @param file name of the document in errors @throws SVC-VAL-001, SVC-VAL-002 */
export function runDocumentJob(
  job: DocumentJob,
  bytes: Uint8Array,
  file: string,
): JobResults[keyof JobResults] {
  switch (job.do) {
    case 'recipe':
      return parseRecipe(bytes, file);
    case 'retriever':
      return parseRetriever(bytes, file);
    case 'lines':
      return findLines(bytes, job.paths);
    case 'value':
      return pickValue(bytes, file, job.wanted);
  }
}
