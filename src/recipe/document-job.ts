import { parseRecipe, parseRetriever, toRecipe } from './document.ts';
import { type DocumentEdit, editDocument } from './edit.ts';
import { findLines } from './find-line.ts';
import { type JudgedDocument, judgeDocument } from './lint/judge-document.ts';
import type { LintSettings } from './lint/model.ts';
import type { Recipe, Retriever } from './model.ts';
import { pickValue, type WantedValue } from './pick-value.ts';
import type { YamlTree, YamlValue } from './read-yaml.ts';

/** Work on one document whose time grows with the document. */
export type DocumentJob =
  | { readonly do: 'recipe' }
  | { readonly do: 'retriever' }
  /** Edits a recipe. */
  | { readonly do: 'edit'; readonly edits: readonly DocumentEdit[] }
  /** Finds what is worth changing in a recipe. */
  | { readonly do: 'lint'; readonly insecure: LintSettings['insecure']; readonly withRecipe: boolean }
  | { readonly do: 'lines'; readonly paths: readonly string[] }
  /** Reads a value of a document of another program. */
  | { readonly do: 'value'; readonly wanted: WantedValue };

/** A recipe document with its members set, and what a reader finds in it. */
export interface EditedRecipe {
  readonly bytes: Uint8Array;
  readonly recipe: Recipe;
}

export interface JobResults {
  readonly recipe: Recipe;
  readonly retriever: Retriever;
  readonly edit: EditedRecipe;
  readonly lint: JudgedDocument;
  readonly lines: readonly (number | undefined)[];
  readonly value: YamlValue | undefined;
}

/** Runs a job. @param file name of the document in errors @throws SVC-VAL-001, SVC-VAL-002 */
export function runDocumentJob<J extends DocumentJob>(
  job: J,
  bytes: Uint8Array,
  file: string,
): JobResults[J['do']] {
  return runJob(job, bytes, file) as JobResults[J['do']];
}

/** Edits a recipe. @param tree that of the document, where it was read before @throws SVC-VAL-001, SVC-VAL-002 */
export function editRecipe(
  bytes: Uint8Array,
  edits: readonly DocumentEdit[],
  file: string,
  tree?: YamlTree,
): EditedRecipe {
  const edited = editDocument(bytes, edits, file, tree);
  return { bytes: edited.bytes, recipe: toRecipe(edited.value, file) };
}

function runJob(job: DocumentJob, bytes: Uint8Array, file: string): JobResults[keyof JobResults] {
  switch (job.do) {
    case 'recipe':
      return parseRecipe(bytes, file);
    case 'retriever':
      return parseRetriever(bytes, file);
    case 'edit':
      return editRecipe(bytes, job.edits, file);
    case 'lint':
      return judgeDocument(bytes, file, job, job);
    case 'lines':
      return findLines(bytes, job.paths);
    case 'value':
      return pickValue(bytes, file, job.wanted);
  }
}
