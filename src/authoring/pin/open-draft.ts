import { toRecipe } from '../../recipe/document.ts';
import type { Recipe } from '../../recipe/model.ts';
import {
  type DocumentCaller,
  type DocumentWork,
  isSmallDocument,
  readRecipeDocument,
  runDocumentWork,
} from '../../recipe/read-document.ts';
import { parseYamlTree, toYamlValue } from '../../recipe/read-yaml.ts';
import { authorThreadUrl } from '../author-thread-url.ts';
import { type DocumentEdit, type EditedRecipe, editRecipe } from './edit-document.ts';

/** Edits a recipe. */
export interface EditJob {
  readonly do: 'edit';
  readonly edits: readonly DocumentEdit[];
}

const editWork: DocumentWork<EditJob, EditedRecipe> = {
  thread: authorThreadUrl,
  run: ({ edits }, bytes, file) => editRecipe(bytes, edits, file),
};

/** A recipe document that is going to be edited. */
interface OpenDocument {
  readonly recipe: Recipe;
  /**
   * As `editDocument`.
   *
   * @returns the document, and the recipe that a reader finds in it
   * @throws SVC-VAL-001, SVC-VAL-002
   */
  edit(edits: readonly DocumentEdit[]): Promise<{ readonly document: Buffer; readonly recipe: Recipe }>;
}

/**
 * Reads a recipe in order to edit it. The nodes of a small document are kept until then; a large one is read again, since
 * its nodes take a hundred times its bytes.
 *
 * @throws SVC-VAL-001, SVC-VAL-002; the reason of the signal of the caller
 */
export async function openDraft(
  bytes: Uint8Array,
  file: string,
  caller: DocumentCaller = {},
): Promise<OpenDocument> {
  const tree = isSmallDocument(bytes) ? parseYamlTree(bytes, file) : undefined;
  const recipe =
    tree === undefined
      ? await readRecipeDocument(bytes, file, caller)
      : toRecipe(toYamlValue(tree, file), file);
  return {
    recipe,
    edit: async (edits) => {
      const edited =
        tree === undefined
          ? await runDocumentWork(editWork, { do: 'edit', edits }, bytes, file, caller)
          : editRecipe(bytes, edits, file, tree);
      // a thread passes bytes on without the type of a buffer
      return { document: Buffer.from(edited.bytes), recipe: edited.recipe };
    },
  };
}
