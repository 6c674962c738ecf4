import { Buffer } from 'node:buffer';
import { isConstraint } from '../../../src/recipe/constraint.ts';
import { parseRetriever } from '../../../src/recipe/document.ts';
import { parseVersionTag } from '../../../src/recipe/version.ts';
import { versionedNameRule } from '../../../src/recipe/versioned-name.ts';
import { isSvcError, type SvcError, svcError } from '../../../src/text/error.ts';
import { fr, type Language, speak } from '../../../src/text/language.ts';
import { quote, rule } from '../../../src/text/rule.ts';
import { textParam } from '../../../src/text/text-param.ts';

/** The content of a Retriever that quickstart writes. */
export interface RetrieverDraft {
  /** Name of the zone: a medium made from the Retriever is addressed to it. */
  readonly zone: string;
  /** `<registry>/<path>` where the recipes are published. */
  readonly cookbook: string;
  /** Recipes, each `<name>` or `<name>@<version or constraint>`. */
  readonly recipes: readonly string[];
}

/** Renders a Retriever with short comments. */
export function renderRetriever({ zone, cookbook, recipes }: RetrieverDraft, language: Language): string {
  const text = speak(language);
  const entries = recipes.map((recipe) => {
    const { name, version } = splitRecipe(recipe);
    return `    - { name: ${JSON.stringify(name)}, version: ${JSON.stringify(version)} }\n`;
  });
  return `# ${text('Retriever: the recipes of one zone.', fr`Retriever : les recettes d’une zone.`)}
apiVersion: recipe.tobby.dev/v1alpha1
kind: Retriever
metadata:
  # ${text('The zone; a medium made from this is addressed to it.', fr`La zone ; un support créé à partir d’ici lui est adressé.`)}
  name: ${JSON.stringify(zone)}
spec:
  # ${text('Where the signed recipes are published.', fr`Où les recettes signées sont publiées.`)}
  cookbook: ${JSON.stringify(cookbook)}
  recipes:
    # ${text('version: 1.4.0 (exact), ^1.4 (1.x from 1.4.0 on), or *.', fr`version : 1.4.0 (exacte), ^1.4 (1.x dès 1.4.0) ou *.`)}
${entries.join('')}`;
}

/** Returns whether a version selects one tag by its SemVer version, not a range. */
export const isExactVersion = (version: string): boolean =>
  !isConstraint(version) && parseVersionTag(version) !== undefined;

/** Splits `<name>` or `<name>@<version or constraint>`; without a version, any is meant. */
export function splitRecipe(recipe: string): { readonly name: string; readonly version: string } {
  const at = recipe.indexOf('@');
  return at < 0
    ? { name: recipe, version: '*' }
    : { name: recipe.slice(0, at), version: recipe.slice(at + 1) };
}

/**
 * Checks a Retriever before it is written. A Retriever may select any tag; here a text like `2.3`, which is neither a
 * SemVer version nor a constraint, counts as a mistake. No recipe is published under it.
 *
 * @throws SVC-VAL-001 for a name, cookbook or version that the Retriever cannot have
 */
export function checkRetriever(draft: RetrieverDraft): void {
  for (const recipe of draft.recipes) {
    const broken = versionedNameRule(recipe);
    if (broken !== undefined) throw svcError('SVC-VAL-001', { file: `--recipe ${recipe}`, rule: broken });
  }
  try {
    parseRetriever(Buffer.from(renderRetriever(draft, 'en')), 'retriever.yaml');
  } catch (error) {
    throw isSvcError(error, 'SVC-VAL-001') ? toFlagError(error, draft) : error;
  }
  for (const recipe of draft.recipes) {
    const { version } = splitRecipe(recipe);
    if (isConstraint(version) || isExactVersion(version)) continue;
    const broken = rule([
      'must be an exact version or a range: 2.3.0 or ^2.3',
      fr`doit être une version exacte ou un intervalle : 2.3.0 ou ^2.3`,
    ]);
    throw svcError('SVC-VAL-001', { file: `--recipe ${recipe}`, rule: broken });
  }
}

/** Names the flag of the member that is wrong: there is no Retriever yet whose member could be corrected. */
function toFlagError(error: SvcError, { recipes }: RetrieverDraft): SvcError {
  const path = String(error.params.path ?? '');
  const flag = path.startsWith('spec.cookbook')
    ? '--cookbook'
    : path.startsWith('spec.recipes')
      ? `--recipe ${recipes[Number(/\d+/.exec(path)?.[0] ?? 0)] ?? ''}`.trim()
      : '--zone';
  return svcError(
    'SVC-VAL-001',
    { file: flag, rule: quote(textParam(error, 'rule') ?? '') },
    { cause: error },
  );
}

/** Members of the draft that a user has not named yet, filled so that the others can be checked alone. */
export const emptyDraft: RetrieverDraft = {
  zone: 'zone',
  cookbook: 'localhost/cookbook',
  recipes: ['recipe'],
};
