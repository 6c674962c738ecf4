import type { ContentStatus } from '../../src/contract/common.ts';
import type { PlannedIngredient, PlannedRecipe } from '../../src/contract/plan.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, type Sentence, say, speak } from '../../src/text/language.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { renderTable } from '../cli/print.ts';
import type { RenderOptions } from './options.ts';

/** Maximum number of ingredients of a recipe that are listed one by one; the rest is summed up. */
const shownItems = 200;

const states: Readonly<Record<ContentStatus, Sentence>> = {
  new: ['new', fr`nouveau`],
  outdated: ['outdated', fr`périmé`],
  'up-to-date': ['up-to-date', fr`à jour`],
};

const verdicts: Readonly<Record<PlannedRecipe['signature'], Sentence>> = {
  verified: ['verified', fr`vérifiée`],
  'unsigned-admitted': ['unsigned-admitted', fr`admise sans signature`],
  refused: ['refused', fr`refusée`],
  'not-evaluated': ['not-evaluated', fr`non évaluée`],
};

const newSignatures: Sentence = ['signatures: new', fr`signatures : nouvelles`];

/** Renders a planned recipe with its ingredients. */
export function renderPlannedRecipe(recipe: PlannedRecipe, { language, width }: RenderOptions): string {
  const text = speak(language);
  const { name, requested, resolved, digest, signature, trustScope, ingredients, problem } = recipe;
  const version =
    resolved === undefined ? requested : resolved === requested ? resolved : `${requested} -> ${resolved}`;
  const facts = [
    say(verdicts[signature], language),
    ...(trustScope === undefined ? [] : [text(`scope ${trustScope}`, fr`périmètre ${trustScope}`)]),
    ...(recipe.signatures === undefined ? [] : [say(newSignatures, language)]),
  ].join(', ');
  const head = escapeText(`${name} ${version}  [${facts}]  ${digest ?? ''}`).trimEnd();
  const trouble = problem === undefined ? '' : `  ! ${problem.code}\n`;
  const lower = recipe.lowerThan === undefined ? '' : `  ! ${renderLower(recipe.lowerThan, language)}\n`;
  const rows = ingredients.slice(0, shownItems).map((item) => renderRow(item, language));
  const headings = [
    text('  INGREDIENT', fr`  INGRÉDIENT`),
    'VERSION',
    text('STATUS', fr`ÉTAT`),
    text('TRANSFER', fr`TRANSFERT`),
    text('REPOSITORY', fr`DÉPÔT`),
  ];
  const table = rows.length === 0 ? '' : renderTable(headings, rows, width);
  const omitted = ingredients.length - shownItems;
  const more = omitted > 0 ? `  ${text(`and ${omitted} more`, fr`et ${omitted} de plus`)}\n` : '';
  const absent = ingredients.flatMap((item) => renderAbsent(item, language));
  const size = formatByteSize(recipe.transferBytes, language);
  const moved = text(`${size} to transfer`, fr`${size} à transférer`);
  return `${head}  ${moved}\n${trouble}${lower}${table}${more}${absent.join('')}`;
}

/** Renders that the source offers a lower version than the store has. @param here the version of the store */
export function renderLower(here: string, language: Language): string {
  const version = escapeText(here);
  return speak(language)(
    `lower than the version that is here, ${version}: the source no longer offers it, and nothing of this recipe is pruned without --prune`,
    fr`inférieure à la version présente, ${version} : la source ne la propose plus, et rien de cette recette n’est élagué sans --prune`,
  );
}

function renderRow(item: PlannedIngredient, language: Language): string[] {
  const { status, destinationStatus } = item;
  const at = destinationStatus && say(states[destinationStatus], language);
  const facts = [
    say(states[status], language),
    ...(item.signatures === undefined ? [] : [say(newSignatures, language)]),
    ...(at === undefined ? [] : [speak(language)(`destination ${at}`, fr`destination : ${at}`)]),
  ];
  return [
    `  ${item.name}`,
    item.version,
    facts.join(' / '),
    formatByteSize(item.transferBytes, language),
    item.problem === undefined ? item.repository : `${item.repository}  ! ${item.problem.code}`,
  ];
}

function renderAbsent({ name, absentLayers = [] }: PlannedIngredient, language: Language): string[] {
  const item = escapeText(name);
  return absentLayers.map((layer) => {
    const line = speak(language)(
      `${item} is transferred without layer ${layer}, which the registry does not have`,
      fr`${item} est transféré sans la couche ${layer}, que le registre n’a pas`,
    );
    return `  ! ${line}\n`;
  });
}
