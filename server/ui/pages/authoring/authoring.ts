import { diffRecipes, pinRecipe } from '../../../../src/contract/operations/recipes.ts';
import { recipeVersionRule } from '../../../../src/recipe/metadata.ts';
import { svcError } from '../../../../src/text/error.ts';
import { authoring } from '../../../../src/text/words/authoring.ts';
import { showLint } from '../../../views/authoring.ts';
import { largestDocument } from '../../../views/plan.ts';
import { missingField } from '../../faults.ts';
import { textOf } from '../../read-form.ts';
import { type ActionCall, action, type Outcome, type UiRoute } from '../../ui-route.ts';
import { showCheck, toChecked } from './check.ts';
import { listWrongSides, showCompare, toCompared, toRequestFields } from './compare.ts';
import { pinnedFile } from './pinned.ts';

/**
 * Checks a document as `POST /recipes/lint` does, whose answer has its sentences in English alone.
 *
 * @throws SVC-VAL-001 without a document, SVC-VAL-002
 */
async function check(call: ActionCall): Promise<Outcome> {
  const document = textOf(call.fields, 'document');
  if (document === '') throw missingField('document');
  return { keep: toChecked(call.fields, { report: await showLint(call, document) }) };
}

/** @throws SVC-VAL-001 */
function requireVersion(text: string): void {
  const rule = recipeVersionRule(text);
  if (rule !== undefined) throw svcError('SVC-VAL-001', { file: 'form', path: '/setVersion', rule });
}

/** Pages for the authors of recipes. */
export const authoringPages: readonly UiRoute[] = [
  {
    method: 'GET',
    path: '/recipes/check',
    floor: 'viewer',
    title: authoring.checkTitle,
    page: (call) => showCheck(call),
  },
  {
    method: 'POST',
    path: '/recipes/check',
    floor: 'viewer',
    page: '/recipes/check',
    limit: largestDocument,
    run: check,
  },
  action(pinRecipe, {
    path: '/recipes/check/pin',
    page: '/recipes/check',
    checks: () => ({ setVersion: requireVersion }),
    done: ({ fields }, answer) => ({ keep: toChecked(fields, { pinned: answer }) }),
  }),
  pinnedFile,
  {
    method: 'GET',
    path: '/recipes/compare',
    floor: 'operator',
    title: authoring.compareTitle,
    page: (call) => showCompare(call),
  },
  action(diffRecipes, {
    path: '/recipes/compare',
    page: '/recipes/compare',
    complete: ({ fields }) => toRequestFields(fields),
    // a comparison ends at its first side that is wrong
    beside: (call, { code }) => (code === 'SVC-VAL-001' ? listWrongSides(call) : new Map()),
    done: ({ fields }, answer) => ({ keep: toCompared(fields, answer) }),
  }),
];
