import type { PickedRecipe, ResolvedRetriever } from '../../src/operation/recipe/resolve-retriever.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Sentence, say, speak } from '../../src/text/language.ts';
import { renderTable } from '../cli/print.ts';
import type { RenderOptions } from '../render/options.ts';
import { renderProblems } from '../render/problems.ts';

/** Renders the recipes that the entries of a Retriever pick: a table, then the problems. */
export function renderResolved(
  { zone, source, recipes }: ResolvedRetriever,
  { language, width }: RenderOptions,
): string {
  const text = speak(language);
  const head = text(`Retriever ${zone} from ${source}`, fr`Retriever ${zone} d’après ${source}`);
  const headings = [
    text('RECIPE', fr`RECETTE`),
    text('REQUESTED', fr`DEMANDÉ`),
    'VERSION',
    text('SIGNATURE', fr`SIGNATURE`),
    text('DIGEST', fr`EMPREINTE`),
  ];
  const rows = recipes.map((recipe) => [
    recipe.name,
    recipe.requested,
    recipe.version ?? '-',
    say(toVerdict(recipe), language),
    recipe.digest ?? '-',
  ]);
  const problems = recipes.flatMap(({ name, requested, problem }) =>
    problem ? [{ name: `${name} ${requested}`, error: problem }] : [],
  );
  const trouble = problems.length === 0 ? '' : `\n${renderProblems(problems, { language, indent: 0 })}`;
  return `${escapeText(head)}\n\n${renderTable(headings, rows, width)}${trouble}`;
}

function toVerdict({ signature, root = '', trustScope = '' }: PickedRecipe): Sentence {
  switch (signature) {
    case 'verified':
      return [`verified, ${root}`, fr`vérifiée, ${root}`];
    case 'unsigned-admitted':
      return [`none, admitted by scope ${trustScope}`, fr`aucune, admise par la portée ${trustScope}`];
    case 'refused':
      return ['refused', fr`refusée`];
    case 'not-evaluated':
      return ['-', fr`-`];
  }
}
