import type { MediumReport, RecipeVerdict } from '../../src/contract/medium.ts';
import { nameRecipe } from '../../src/engine/medium/report.ts';
import { formatList, isSingular } from '../../src/text/amount.ts';
import type { SvcError } from '../../src/text/error.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, type Sentence, say, speak } from '../../src/text/language.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { deliveries } from '../../src/text/words/delivering/deliveries.ts';
import { media } from '../../src/text/words/media.ts';
import { words } from '../../src/text/words/words.ts';
import { sayImported, sayNoDisk, selectAwaited } from '../../src/view/medium-standing.ts';
import { renderTable } from '../cli/print.ts';
import { count } from '../render/count.ts';
import type { RenderOptions } from '../render/options.ts';
import { type Problem, renderProblems } from '../render/problems.ts';
import { toTime } from '../render/time.ts';

/** Maximum number of problems with the same cause and action in the text report; the JSON report lists all. */
const shown = 5;
type Received = MediumReport['received'];

/** Width of the names at the beginning of a line. */
const nameWidths: Readonly<Record<Language, number>> = { en: 10, fr: 11 };

const verdicts: Readonly<Record<MediumReport['verdict'], Sentence>> = {
  pushable: ['pushable', fr`poussable`],
  partial: ['partial', fr`partiel`],
  blocked: ['blocked', fr`bloqué`],
};

/** Obstacles of a medium or a recipe of it: blocks of the medium, waived ones included, then blocked recipes. */
function listObstacles({ blocks, recipes }: MediumReport, language: Language): [Problem[], Problem[]] {
  const waived = speak(language)(' (waived)', fr` (dérogation)`);
  const ofMedium = blocks.map(
    (block): Problem => ({ error: block, ...(block.waived ? { note: waived } : {}) }),
  );
  const ofRecipes = recipes.flatMap((recipe): Problem[] => {
    const { reason } = recipe;
    return reason === undefined ? [] : [{ name: nameRecipe(recipe, recipes), error: reason }];
  });
  return [ofMedium, ofRecipes];
}

/**
 * Renders everything that blocks a medium or a recipe of it, with cause and action; empty when nothing does.
 *
 * @param principal an error that is printed afterwards: its cause and action are left out
 */
export function renderObstacles(report: MediumReport, language: Language, principal?: SvcError): string {
  const effective = { ...report, blocks: report.blocks.filter(({ waived }) => !waived) };
  return renderProblems(listObstacles(effective, language).flat(), { language, principal });
}

/** Findings without those about a file that blocks a recipe, which are named with it. */
function listOthers({ findings }: MediumReport, ofRecipes: readonly Problem[]): Problem[] {
  const named = new Set(ofRecipes.map(({ error }) => `${error.code} ${error.params.path}`));
  return findings.filter(({ code, path }) => !named.has(`${code} ${path}`)).map((error) => ({ error }));
}

/**
 * Renders the waived blocks of an import, and the findings that block nothing; empty without any. Content that stays on the
 * medium is left out ({@link renderLeftBehind}).
 */
export function renderRemarks(report: MediumReport, language: Language): string {
  const waived = { ...report, blocks: report.blocks.filter((block) => block.waived) };
  const [ofMedium, ofRecipes] = listObstacles(waived, language);
  const others = listOthers(report, ofRecipes).filter(({ error }) => error.code !== 'SVC-MED-021');
  return renderProblems([...ofMedium, ...others], { language, shown });
}

/**
 * Renders the verification report as text: the extent of the check, the verdict on each recipe, every problem with cause
 * and action. The verdict comes last.
 *
 * @param root the folder that was verified
 */
export function renderMediumReport(
  report: MediumReport,
  root: string,
  { language, width }: RenderOptions,
): string {
  const { recipes, findings } = report;
  const text = speak(language);
  const parts = [renderFacts(report, root, language)];
  if (recipes.length > 0) parts.push(renderRecipes(recipes, { language, width }));
  const add = (title: string, problems: readonly Problem[]): void => {
    if (problems.length > 0)
      parts.push(`${title}\n${renderProblems(problems, { language, shown, indent: 0 })}`);
  };
  const [ofMedium, ofRecipes] = listObstacles(report, language);
  const needs = recipes.flatMap((recipe) => renderNeeds(recipe, report, language));
  if (needs.length > 0)
    parts.push(`${text('not on this medium:', fr`absent de ce support :`)}\n${needs.join('')}`);
  parts.push(...renderDestination(report, language));
  add(
    text('an import would not push now:', fr`un import ne pousserait pas maintenant :`),
    recipes.flatMap((recipe) => {
      const { error } = recipe.atDestination ?? {};
      return error === undefined ? [] : [{ name: nameRecipe(recipe, recipes), error }];
    }),
  );
  add(text('problems of the medium:', fr`problèmes du support :`), ofMedium);
  add(text('blocked recipes:', fr`recettes bloquées :`), ofRecipes);
  // the content of blocked recipes is one line
  const isUnreached = ({ code }: { code: ErrorCode }): boolean =>
    ofRecipes.length > 0 && code === 'SVC-MED-021';
  const others = listOthers(report, ofRecipes).filter(({ error }) => !isUnreached(error));
  add(text('other findings:', fr`autres constats :`), others);
  const unreached = count(findings.filter(isUnreached).length, 'file', language);
  if (findings.some(isUnreached))
    parts.push(
      text(
        `not pushed: ${unreached} of the blocked recipes or of no recipe (SVC-MED-021, see --output json)\n`,
        fr`non envoyés : ${unreached} des recettes bloquées ou d’aucune recette (SVC-MED-021, voir --output json)\n`,
      ),
    );
  parts.push(renderVerdict(report, language));
  return parts.join('\n');
}

/** Renders the content that an import left on the medium, in one line; empty when everything was pushed, or nothing could be. */
export function renderLeftBehind({ verdict, leftBehind }: MediumReport, language: Language): string {
  if (leftBehind === undefined || verdict === 'blocked') return '';
  const { names, unnamed } = leftBehind;
  const text = speak(language);
  const size = renderExtent(leftBehind, language);
  const shownNames = names.slice(0, shown).map(escapeText);
  const more = names.length - shownNames.length + unnamed;
  const rest = more === 0 ? '' : text(` and ${more} more`, fr` et ${more} de plus`);
  const what = names.length === 0 ? '' : `${shownNames.join(', ')}${rest} `;
  return text(
    `stays on the medium, as no pushable recipe names it: ${what}(${size})\n`,
    fr`reste sur le support, car aucune recette poussable ne le nomme : ${what}(${size})\n`,
  );
}

type Need = NonNullable<RecipeVerdict['needs']>[number];

/** The parts that a need names and that have not arrived; none of one that only the registry of the zone meets. */
const listAwaited = ({ from, part, parts = part === undefined ? [] : [part] }: Need, received: Received) =>
  from === 'base' || received?.complete ? [] : selectAwaited(parts, received);

/** Renders the content that a recipe needs from elsewhere, a line for each place, with whether the zone has it. */
function renderNeeds(
  recipe: RecipeVerdict,
  { recipes: all, received }: Pick<MediumReport, 'recipes' | 'received'>,
  language: Language,
): readonly string[] {
  const text = speak(language);
  return (recipe.needs ?? []).map((need) => {
    const { from, part, parts = [part ?? 0], ...content } = need;
    const isMet = from === 'part' && received !== undefined && listAwaited(need, received).length === 0;
    const size = renderExtent(content, language);
    const place =
      from === 'base'
        ? text('the registry of the zone', fr`le registre de la zone`)
        : text(
            `${formatList(parts, 'part …/parts …', language)} of the delivery`,
            fr`${formatList(parts, 'la partie …/les parties …', language)} de la livraison`,
          );
    const name = escapeText(nameRecipe(recipe, all));
    const met = isMet
      ? text(', imported before', parts.length === 1 ? fr`, déjà importée` : fr`, déjà importées`)
      : '';
    return text(
      `  ${name}: ${size}, from ${place}${met}\n`,
      fr`  ${name} : ${size}, depuis ${place}${met}\n`,
    );
  });
}

/**
 * Renders the content that the zone has for recipes of the medium, a line for each, and of a medium that was imported, the
 * recipes that the zone lacks; nothing where it was not asked.
 */
function renderDestination(
  { recipes, freshness }: Pick<MediumReport, 'recipes' | 'freshness'>,
  language: Language,
): readonly string[] {
  const asked = recipes.filter(({ atDestination }) => atDestination !== undefined);
  if (asked.length === 0) return [];
  const text = speak(language);
  const lines = asked.flatMap((recipe) => {
    const { missing, parts, ...found } = recipe.atDestination!;
    if (found.files + missing.files === 0) return [];
    const name = escapeText(nameRecipe(recipe, recipes));
    const [here, gone] = [renderExtent(found, language), renderExtent(missing, language)];
    const list = formatList(parts, text('part …/parts …', fr`partie …/parties …`), language);
    return [
      text(`  ${name}: found ${here}`, fr`  ${name} : trouvé : ${here}`) +
        (missing.files === 0 ? '' : text(`; missing ${gone}`, fr` ; absent : ${gone}`)) +
        (parts.length === 0 ? '' : text(`; to import: ${list}`, fr` ; à importer : ${list}`)),
    ];
  });
  const absent = asked.filter(({ atDestination }) => atDestination?.landed === false);
  if (freshness?.importedAt !== undefined && absent.length > 0) {
    const names = absent.map((recipe) => escapeText(nameRecipe(recipe, recipes))).join(', ');
    lines.push(text(`  absent recipes: ${names}`, fr`  recettes absentes : ${names}`));
  }
  // a recipe without an answer may need content
  if (lines.length === 0 && asked.length === recipes.filter(({ pushable }) => pushable).length)
    lines.push(text('  no recipe needs content from it', fr`  aucune recette ne nécessite son contenu`));
  const title = text('in the zone:', fr`dans la zone :`);
  return lines.length === 0 ? [] : [`${[title, ...lines].join('\n')}\n`];
}

/** Renders a number of files with their bytes. */
function renderExtent(
  { files, bytes }: { readonly files: number; readonly bytes: number },
  language: Language,
): string {
  return `${count(files, 'file', language)}, ${formatByteSize(bytes, language)}`;
}

/** Says which recipes that passed wait for other parts, or that the verdict knows only this disk; empty where none needs one. */
function renderWaiting({ recipes, received }: MediumReport, language: Language): string {
  const text = speak(language);
  const passed = recipes.filter(({ pushable }) => pushable);
  const awaited = passed.map(({ needs = [] }) => needs.flatMap((need) => listAwaited(need, received)));
  const waiting = awaited.filter((parts) => parts.length > 0).length;
  if (waiting === 0) return '';
  if (received === undefined) return text('; of this disk alone', fr` ; pour ce disque seul`);
  const parts = [...new Set(awaited.flat())].sort((a, b) => a - b);
  const list = formatList(parts, text('part …/parts …', fr`la partie …/les parties …`), language);
  const isOne = isSingular(waiting, language);
  const recipesOf = count(waiting, 'recipe', language);
  return text(
    `; ${recipesOf} ${isOne ? 'waits' : 'wait'} for ${list}`,
    fr` ; ${recipesOf} ${isOne ? 'attend' : 'attendent'} ${list}`,
  );
}

/** Renders the verdict with the number of recipes that are pushable, and of those that wait for other parts. */
function renderVerdict(report: MediumReport, language: Language): string {
  const { verdict, recipes } = report;
  const text = speak(language);
  const pushable = recipes.filter((recipe) => recipe.pushable).length;
  const share = text(
    `, ${pushable} of ${count(recipes.length, 'recipe', language)} pushable`,
    fr`, ${count(pushable, 'recipe', language)} poussable${isSingular(pushable, language) ? '' : 's'} sur ${recipes.length}`,
  );
  const nothing =
    verdict === 'blocked' ? text('; nothing can be pushed', fr` ; rien ne peut être envoyé`) : '';
  const shares = recipes.length === 0 ? '' : share;
  return `${'verdict'.padEnd(nameWidths[language])}${say(verdicts[verdict], language)}${shares}${nothing}${verdict === 'blocked' ? '' : renderWaiting(report, language)}\n`;
}

/** Says the parts of the delivery that the zone received before, and those that it still needs. */
function toReceived(
  received: NonNullable<MediumReport['received']>,
  total: number,
  language: Language,
): string {
  const { landed, needed, importedAt, recipes, inZone } = received;
  const { say: fill } = words[language];
  const text = speak(language);
  const time = importedAt && toTime(importedAt, language);
  const here = text(
    `; ${inZone} of ${count(recipes, 'recipe', language)} in the zone`,
    fr` ; ${count(inZone, 'recipe', language)} sur ${recipes} dans la zone`,
  );
  const arrived = time
    ? `${fill(deliveries.arrivedLine, { count: landed.length, parts: landed, total, time })}${here}`
    : sayNoDisk({ say: fill }, { ...received, parts: total });
  const rest = formatList(needed, text('part …/parts …', fr`partie …/parties …`), language);
  return needed.length === 0
    ? arrived
    : `${arrived}${text('; still needed: ', fr` ; encore nécessaire : `)}${rest}`;
}

/** Renders the identity of the medium and the extent of the check. */
function renderFacts(
  { medium, zone, freshness, received, passport, checked }: MediumReport,
  root: string,
  language: Language,
): string {
  const text = speak(language);
  const lines: [name: string, value: string][] = [[text('folder', fr`dossier`), root]];
  if (medium) {
    const { mediaId, writtenAt, producedBy } = medium;
    lines.push([
      text('medium', fr`support`),
      text(
        `${mediaId}, written ${toTime(writtenAt, language)} by svc ${producedBy.version}`,
        fr`${mediaId}, écrit le ${toTime(writtenAt, language)} par svc ${producedBy.version}`,
      ),
    ]);
    if (medium.delivery !== undefined) {
      const { id, part, parts } = medium.delivery;
      lines.push([
        text('delivery', fr`livraison`),
        text(`${id}, part ${part} of ${parts}`, fr`${id}, partie ${part} sur ${parts}`),
      ]);
      if (received !== undefined) lines.push(['', toReceived(received, parts, language)]);
    }
    const other = text(` (this zone is ${zone.expected})`, fr` (cette zone est ${zone.expected})`);
    lines.push(['zone', `${medium.zone}${zone.match ? '' : other}`]);
  } else
    lines.push([
      'zone',
      text(`unknown (this zone is ${zone.expected})`, fr`inconnue (cette zone est ${zone.expected})`),
    ]);
  if (freshness) {
    const { resolvedAt, recordedAt = '' } = freshness;
    const last =
      recordedAt === ''
        ? `, ${words[language].say(media.first, { peer: passport?.signer })}`
        : text(
            `; the freshest import: ${toTime(recordedAt, language)}`,
            fr` ; l’import le plus récent : ${toTime(recordedAt, language)}`,
          );
    lines.push([text('resolved', fr`résolu`), `${toTime(resolvedAt, language)}${last}`]);
    if (freshness.importedAt !== undefined) lines.push(['', sayImported(words[language], freshness)]);
  }
  if (passport) {
    const { signer, expiresAt } = passport;
    const ahead = passport.ahead && toTime(passport.ahead, language);
    const time = expiresAt && toTime(expiresAt, language);
    lines.push([
      text('passport', fr`passeport`),
      words[language].say(deliveries.passportLine, { signer, time, ahead }),
    ]);
  }
  lines.push([text('checked', fr`contrôlé`), renderExtent(checked, language)]);
  return lines.map(([name, value]) => `${name.padEnd(nameWidths[language])}${escapeText(value)}\n`).join('');
}

function renderRecipes(recipes: readonly RecipeVerdict[], { language, width }: RenderOptions): string {
  const text = speak(language);
  const [pushable, blocked] = [text('pushable', fr`poussable`), text('blocked', fr`bloquée`)];
  const rows = recipes.map((recipe) => [
    nameRecipe(recipe, recipes, ' '),
    recipe.pushable ? pushable : blocked,
    String(recipe.files),
    formatByteSize(recipe.bytes, language),
    recipe.reason?.code ?? '',
  ]);
  const headings = [
    text('RECIPE', fr`RECETTE`),
    'VERDICT',
    text('FILES', fr`FICHIERS`),
    text('SIZE', fr`TAILLE`),
    text('REASON', fr`RAISON`),
  ];
  return renderTable(headings, rows, width);
}
