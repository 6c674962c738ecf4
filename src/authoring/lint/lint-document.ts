import {
  type DocumentCaller,
  type DocumentWork,
  findDocumentLines,
  runDocumentWork,
} from '../../recipe/read-document.ts';
import { isSvcError } from '../../text/error.ts';
import { authorThreadUrl } from '../author-thread-url.ts';
import { type JudgedDocument, judgeDocument, listBroken } from './judge-document.ts';
import type { Finding, LintSettings } from './model.ts';
import { selectFindings } from './select-findings.ts';

/** Finds the faults and doubtful parts of a recipe. */
export interface LintJob extends LintSettings {
  readonly do: 'lint';
  readonly withRecipe: boolean;
}

const lintWork: DocumentWork<LintJob, JudgedDocument> = {
  thread: authorThreadUrl,
  run: (job, bytes, file) => judgeDocument(bytes, file, job, job),
};

interface LintOptions {
  readonly caller?: DocumentCaller | undefined;
  /** Returns the recipe too. */
  readonly withRecipe?: boolean;
}

/**
 * Finds the faults and doubtful parts of a recipe, draft or cooked, by its document alone. Every broken rule of the
 * format is a finding too. Contacts nothing.
 *
 * @param file name of the document in errors
 * @throws SVC-VAL-002 for a document that is too large; the reason of the signal of the caller
 */
export async function lintDocument(
  bytes: Uint8Array,
  file: string,
  settings: LintSettings,
  { caller = {}, withRecipe = false }: LintOptions = {},
): Promise<JudgedDocument> {
  try {
    const { insecure } = settings;
    return await runDocumentWork(lintWork, { do: 'lint', insecure, withRecipe }, bytes, file, caller);
  } catch (error) {
    // its reading was ended for its time
    if (!isSvcError(error, 'SVC-VAL-001')) throw error;
    return selectFindings(listBroken(error));
  }
}

/** Adds the lines of findings, and orders them by line. */
export async function locateFindings(
  bytes: Uint8Array,
  findings: readonly Finding[],
  caller: DocumentCaller = {},
): Promise<readonly Finding[]> {
  if (findings.length === 0) return findings;
  const lines = await findDocumentLines(
    bytes,
    findings.map(({ path }) => path),
    caller,
  );
  return findings
    .map((finding, i): Finding => {
      const line = lines[i];
      return line === undefined ? finding : { ...finding, line };
    })
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}
