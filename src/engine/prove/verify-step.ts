import type { MediumReport } from '../../contract/medium.ts';
import { fromErrorRecord } from '../../text/error.ts';
import type { ErrorCode } from '../../text/errors/registry.ts';
import { isOfProgram, nameRecipe, selectObstacles, toBlockingError } from '../medium/report.ts';
import type { ProofBook } from './proof-book.ts';

/** Content that no recipe of the delivery reaches: it neither lands nor is missed. */
const besideDelivery: ReadonlySet<ErrorCode> = new Set(['SVC-MED-020', 'SVC-MED-021']);

const isOfTrust = (code: ErrorCode): boolean => code.startsWith('SVC-SIG-');

/**
 * Converts the report on one folder to the steps `media` and `trust`.
 *
 * @param milliseconds of the verification: those of its files, and those of its signatures
 */
export function addVerification(
  book: ProofBook,
  folder: string,
  report: MediumReport,
  milliseconds: { readonly media: number; readonly trust: number },
): void {
  const { recipes, blocks, findings, checked } = report;
  book.add('media', { checked: checked.files, bytes: checked.bytes }, milliseconds.media);
  book.add('trust', { checked: recipes.length, bytes: 0 }, milliseconds.trust);
  // one fault of a folder may have several effects, which the report of the verification lists
  const obstacles = new Map(
    [...selectObstacles({ blocks, recipes: [] })].reverse().map((error) => [error.code, error]),
  );
  for (const error of obstacles.values()) book.find('media', 'error', folder, error);
  const named = new Set<unknown>();
  for (const recipe of recipes) {
    const error = toBlockingError(recipe);
    if (error === undefined) continue;
    named.add(error.params.path);
    // every folder of a delivery has the signatures of its recipes
    if (isOfTrust(error.code)) book.findOnce('trust', 'error', nameRecipe(recipe, recipes), error);
    else book.find('media', 'error', nameRecipe(recipe, recipes), error);
  }
  for (const finding of findings)
    if (!besideDelivery.has(finding.code) && !named.has(finding.path))
      book.find(
        'media',
        isOfProgram(finding) ? 'error' : 'warning',
        `${folder}/${finding.path}`,
        fromErrorRecord({ ...finding, class: 'verification' }),
      );
}
