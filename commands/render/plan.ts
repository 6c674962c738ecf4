import type { LinkForecast } from '../../src/contract/link.ts';
import type { Plan, PlanProblem, VolumeCheck } from '../../src/contract/plan.ts';
import type { NoPrune } from '../../src/task/prune-order.ts';
import { isSingular } from '../../src/text/amount.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, type Sentence, say, speak } from '../../src/text/language.ts';
import { renderError } from '../../src/text/message.ts';
import { readRule, sayRule } from '../../src/text/rule.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { words } from '../../src/text/words/words.ts';
import { toLinkParts, toPromotionParts } from '../../src/view/link-words.ts';
import { count } from './count.ts';
import type { RenderOptions } from './options.ts';
import { renderPlannedRecipe } from './planned-recipe.ts';
import { renderPruneHead, renderPruneItems } from './prune.ts';

const outcomes: Readonly<Record<Plan['outcome'], Sentence>> = {
  'up-to-date': ['Up to date: nothing to do', fr`À jour : rien à faire`],
  'changes-planned': ['Changes planned', fr`Changements prévus`],
  'policy-refused': ['Refused by policy', fr`Refusé par la politique`],
  'verification-failed': ['A verification failed', fr`Une vérification a échoué`],
  failed: ['Failed', fr`Échec`],
};

const volumes: Readonly<Record<VolumeCheck['target'], Sentence>> = {
  store: ['Volume of the store', fr`Volume du stockage`],
  state: ['Volume of the state', fr`Volume de l’état`],
  output: ['Volume of the output', fr`Volume de la sortie`],
};

/**
 * Renders a plan as text: recipes with their ingredients, totals, volumes, prune, problems, and the outcome
 * last.
 */
export function renderPlan(plan: Plan, options: RenderOptions, link?: LinkForecast): string {
  const { language } = options;
  const parts = [
    renderHead(plan, language),
    ...plan.recipes.map((recipe) => renderPlannedRecipe(recipe, options)),
    // without a resolved Retriever there are no totals
    plan.recipes.length === 0 && plan.problems.length > 0 ? '' : renderTotals(plan, language),
    link === undefined ? '' : renderLink(link, language),
    ...plan.checks.map((check) => renderCheck(check, language)),
    renderPrune(plan, options),
    renderPolicy(plan, language),
    renderProblems(plan, language),
    `${say(outcomes[plan.outcome], language)}.\n`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function renderHead({ source, zone, mode, destination }: Plan, language: Language): string {
  const text = speak(language);
  const how = [
    ...(mode === undefined ? [] : [mode]),
    ...(destination === undefined
      ? []
      : [text(`promoting into ${destination}`, fr`promotion vers ${destination}`)]),
  ].join(', ');
  const name = zone === undefined ? '' : text(` for zone ${zone}`, fr` de la zone ${zone}`);
  const origin = text(`from ${source}`, fr`d’après ${source}`);
  return `${escapeText(`Plan${name} ${origin}`)}${how === '' ? '' : ` (${escapeText(how)})`}\n`;
}

function renderTotals({ totals, promotion }: Plan, language: Language): string {
  const text = speak(language);
  const size = (bytes: number): string => formatByteSize(bytes, language);
  const plural = (number: number, end: string): string => (isSingular(number, 'fr') ? '' : end);
  const [recipes, ingredients] = [
    count(totals.recipes, 'recipe', language),
    count(totals.ingredients, 'ingredient', language),
  ];
  const { new: fresh, outdated, upToDate } = totals;
  const [before, after] = [size(totals.storeBytes), size(totals.projectedStoreBytes)];
  const growth =
    totals.storeBytes === totals.projectedStoreBytes
      ? text(`stays at ${before}`, fr`reste à ${before}`)
      : text(`grows from ${before} to ${after}`, fr`passe de ${before} à ${after}`);
  const [moved, total] = [size(totals.transferBytes), size(totals.totalBytes)];
  return [
    text(
      `${recipes}, ${ingredients}: ${fresh} new, ${outdated} outdated, ${upToDate} up to date`,
      fr`${recipes}, ${ingredients} : ${fresh} nouveau${plural(fresh, 'x')}, ${outdated} périmé${plural(outdated, 's')}, ${upToDate} à jour`,
    ),
    text(
      `${moved} to transfer of ${total}; the store ${growth}`,
      fr`${moved} à transférer sur ${total} ; le stockage ${growth}`,
    ),
    ...toPromotionParts(words[language], promotion).map(
      (part) => part.charAt(0).toUpperCase() + part.slice(1),
    ),
    '',
  ].join('\n');
}

function renderLink(link: LinkForecast, language: Language): string {
  const text = speak(language);
  const parts = toLinkParts(words[language], link).join(text('; ', fr` ; `));
  return `${text('Transfers:', fr`Transferts :`)} ${parts}\n`;
}

function renderCheck(check: VolumeCheck, language: Language): string {
  const { target, path, filesystem, marginPercent: margin, warnings, warningRules = [] } = check;
  const text = speak(language);
  const size = (bytes: number): string => formatByteSize(bytes, language);
  const lack = size(check.shortfallBytes);
  const shortfall = check.shortfallBytes > 0 ? text(`: ${lack} short`, fr` : il manque ${lack}`) : '';
  const refusal = check.refusalCode === undefined ? '' : `  ! ${check.refusalCode}${shortfall}`;
  const unknown = filesystem.identified ? '' : text(', not identified', fr`, non identifié`);
  const volume = `${say(volumes[target], language)} ${escapeText(path)} (${escapeText(filesystem.type)}${unknown})`;
  const [needed, usable, free] = [check.projectedBytes, check.usableBytes, check.freeBytes].map(size);
  const room = text(
    `: ${needed} needed, ${usable} usable of ${free} free (margin ${margin} %)`,
    fr` : ${needed!} nécessaires, ${usable!} utilisables sur ${free!} libres (marge ${margin} %)`,
  );
  const lines = [
    `${volume}${room}${refusal}`,
    ...warnings.map((english, i) => {
      const found = readRule(warningRules[i]);
      const warning = escapeText(found === undefined ? english : sayRule(found, language));
      return text(`  warning: ${warning}`, fr`  avertissement : ${warning}`);
    }),
  ];
  return `${lines.join('\n')}\n`;
}

const pruneReasons: Readonly<Record<NoPrune, Sentence>> = {
  'not-asked': ['not asked for', fr`non demandé`],
  'recipe-failed': ['a recipe cannot be carried', fr`une recette ne peut pas être transportée`],
  unseen: ['nobody saw the list', fr`personne n’a vu la liste`],
  'no-retriever': ['the Retriever cannot be used', fr`le Retriever est inutilisable`],
};

function renderPrune({ prune }: Plan, options: RenderOptions): string {
  const { language } = options;
  const text = speak(language);
  const head = text('Prune: ', fr`Élagage : `);
  if (!prune.evaluated) {
    const reason = prune.reason === undefined ? '' : ` (${say(pruneReasons[prune.reason], language)})`;
    return `${head}${text('not evaluated', fr`non évalué`)}${reason}\n`;
  }
  if (prune.items.length === 0)
    return `${head}${text('nothing would be removed', fr`rien ne serait supprimé`)}\n`;
  const removed = renderPruneHead(prune.items.length, prune.totalBytes, false, language);
  return `${head}${removed}\n${renderPruneItems(prune.items, options)}`;
}

/** The reason to contact a host. */
const roles: Readonly<Record<string, Sentence>> = {
  retriever: ['retriever', fr`Retriever`],
  cookbook: ['cookbook', fr`livre de recettes`],
  ingredient: ['ingredient', fr`ingrédient`],
  destination: ['destination', fr`destination`],
};

function renderPolicy({ policy }: Plan, language: Language): string {
  const text = speak(language);
  const refused = policy.hosts.filter(({ allowed }) => !allowed);
  const lines = [
    ...(policy.allowlistDeclared
      ? []
      : [
          text(
            'Allowlist: not set, every host may be contacted',
            fr`Liste autorisée : non définie, chaque hôte peut être contacté`,
          ),
        ]),
    ...refused.map(({ host, role }) => {
      const known = roles[role];
      const what = escapeText(`${host} (${known === undefined ? role : say(known, language)})`);
      return text(`Not on the allowlist: ${what}`, fr`Hors de la liste autorisée : ${what}`);
    }),
    ...(policy.unmatchedScopes ?? []).map((name) => {
      const scope = escapeText(name);
      return text(
        `Trust scope ${scope}: matches no recipe; check its globs and its position`,
        fr`Périmètre de confiance ${scope} : ne correspond à aucune recette ; vérifiez ses motifs et sa position`,
      );
    }),
  ];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function renderProblems({ problems }: Plan, language: Language): string {
  const colon = speak(language)(': ', fr` : `);
  return problems
    .map((problem: PlanProblem) => {
      const { what, cause, action } = renderError(problem, language);
      const subject = problem.subject === undefined ? '' : `${escapeText(problem.subject)}${colon}`;
      return `${problem.code} ${subject}${what}\n  ${cause}\n  ${action}\n`;
    })
    .join('');
}
