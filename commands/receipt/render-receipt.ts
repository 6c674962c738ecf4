import type { ReadReceipt } from '../../src/attest/receipt.ts';
import type { AddedReceipt, ReceiptSummary, ReceivedRecipe } from '../../src/contract/receipt.ts';
import type { SvcError } from '../../src/text/error.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, type Sentence, say, speak } from '../../src/text/language.ts';
import { renderError } from '../../src/text/message.ts';
import { rule, sayRule } from '../../src/text/rule.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { receipts } from '../../src/text/words/delivering/receipts.ts';
import { count } from '../render/count.ts';
import { type Fact, renderFacts } from '../render/facts.ts';
import type { RenderOptions } from '../render/options.ts';
import { toTime } from '../render/time.ts';

/** `40 present, 1 incomplete`. */
export function toStates(
  { present, incomplete, blocked }: ReceiptSummary['recipes'],
  language: Language,
): string {
  const text = speak(language);
  const others = [
    incomplete === 0 ? [] : [`${incomplete} ${text('incomplete', fr`incomplètes`)}`],
    blocked === 0 ? [] : [`${blocked} ${text('blocked', fr`bloquées`)}`],
  ];
  return [`${present} ${text('present', fr`présentes`)}`, ...others.flat()].join(', ');
}

/** Whether a receipt is used, for a list. @param isChecked whether there was any key to check it with */
export function toBelief(
  { own, believed, fork, lower }: ReceiptSummary,
  language: Language,
  isChecked = true,
): string {
  const text = speak(language);
  if (own) return text('own', fr`propre`);
  if (!isChecked)
    return text(
      'not checked: no peer is configured for it',
      fr`non vérifié : aucun pair n’est configuré pour lui`,
    );
  const belief = believed ? text('believed', fr`reconnu`) : text('not believed', fr`non reconnu`);
  if (fork !== undefined) return `${belief}, ${text('contradicted', fr`contredit`)} (SVC-RCP-003)`;
  return lower === undefined ? belief : `${belief}, ${text('doubtful', fr`douteux`)} (SVC-RCP-002)`;
}

/** The line about a receipt that was written. */
export function renderWritten({ zone, sequence, recipes }: ReceiptSummary): Sentence {
  return [
    `svc: receipt ${sequence} of zone ${zone}: ${toStates(recipes, 'en')}`,
    fr`svc: reçu ${sequence} de la zone ${zone} : ${toStates(recipes, 'fr')}`,
  ];
}

/** The warning about an inventory beside a receipt that cannot be read, and about a receipt that does not count. */
export function toInventoryWarning(error: SvcError): Sentence {
  const what = (language: Language): string => renderError(error, language).what;
  if (error.code === 'SVC-RCP-002')
    return [
      `everything is written: a receipt with a lower number and a later date was refused (SVC-RCP-002), so that the zone was restored or lost its state. ${renderError(error, 'en').action}`,
      fr`tout est écrit : un reçu de numéro inférieur et de date postérieure a été refusé (SVC-RCP-002), donc la zone a été restaurée ou a perdu son état. ${renderError(error, 'fr').action}`,
    ];
  return [
    `the inventory beside the receipt is not used: ${what('en')} Copy it from the zone again, or remove it`,
    fr`l’inventaire à côté du reçu n’est pas utilisé : ${what('fr')} Copiez-le de nouveau depuis la zone, ou supprimez-le`,
  ];
}

/** The line about a receipt that was added. */
export function renderAdded({ receipt, isNew }: AddedReceipt, language: Language): string {
  const { zone, sequence, recipes } = receipt;
  const states = toStates(recipes, language);
  const sentence: Sentence = isNew
    ? [`receipt ${sequence} of zone ${zone}: ${states}`, fr`reçu ${sequence} de la zone ${zone} : ${states}`]
    : [`receipt ${sequence} of zone ${zone} is known`, fr`le reçu ${sequence} de la zone ${zone} est connu`];
  return `${escapeText(say(sentence, language))}\n`;
}

const nameOf = ({ name, version = '', digest }: ReceivedRecipe): string =>
  name === undefined ? digest : `${name} ${version}`.trimEnd();

/** The line of a recipe. @param all the recipes of its receipt, of which one may have displaced it */
export function renderRecipeState(
  one: ReceivedRecipe,
  all: readonly ReceivedRecipe[],
  language: Language,
): string {
  const { state, missing, code, displacedBy } = one;
  const text = speak(language);
  const named = nameOf(one);
  const states = {
    present: text('present', fr`présente`),
    incomplete: text('incomplete', fr`incomplète`),
    blocked: text('blocked', fr`bloquée`),
  };
  const lacks =
    missing === undefined
      ? []
      : [
          // the size of an absent manifest is not known
          count(missing.files, 'file', language) +
            (missing.bytes === 0 ? '' : `, ${formatByteSize(missing.bytes, language)}`),
        ];
  const other = displacedBy && all.find(({ digest }) => digest === displacedBy);
  const by =
    displacedBy && sayRule(rule(receipts.displaced, { by: other ? nameOf(other) : displacedBy }), language);
  const reason = [lacks, code ?? [], by ?? []]
    .flat()
    .map((one) => ` (${one})`)
    .join('');
  return `  ${escapeText(text(`${named}: ${states[state]}`, fr`${named} : ${states[state]}`) + reason)}\n`;
}

const sparseWords: Readonly<Record<ReadReceipt['receipt']['destination']['sparse'], Sentence>> = {
  accepted: ['accepted', fr`acceptés`],
  refused: ['refused', fr`refusés`],
  unknown: ['unknown', fr`inconnu`],
};

/** A whole receipt. */
export function renderReceipt(
  summary: ReceiptSummary,
  { receipt, subjects }: Pick<ReadReceipt, 'receipt' | 'subjects'>,
  { language, width, isChecked = true }: RenderOptions & { readonly isChecked?: boolean },
): string {
  const text = speak(language);
  const { previous, freshness, lastDelivery, destination } = receipt;
  const optional = (label: string, value: string | undefined): readonly Fact[] =>
    value === undefined ? [] : [[label, value]];
  const facts: readonly Fact[] = [
    [text('receipt', fr`reçu`), `${summary.sequence}, ${toBelief(summary, language, isChecked)}`],
    [text('zone', fr`zone`), summary.zone],
    [text('written', fr`écrit`), toTime(summary.issuedAt, language)],
    [
      text('evidence', fr`preuve`),
      receipt.evidence === 'deep'
        ? text('every blob was hashed', fr`chaque blob a été haché`)
        : text('the registry was asked for each blob', fr`le registre a été interrogé pour chaque blob`),
    ],
    ...optional(text('medium', fr`support`), freshness?.mediaId),
    ...optional(
      text('delivery', fr`livraison`),
      lastDelivery && `${lastDelivery.id}, ${text('part', fr`partie`)} ${lastDelivery.part}`,
    ),
    [text('sparse indexes', fr`index partiels`), say(sparseWords[destination.sparse], language)],
    [text('digest', fr`empreinte`), summary.digest],
    ...optional(text('contradicted by', fr`contredit par`), summary.fork?.refused),
    ...optional(text('refused receipt', fr`reçu refusé`), summary.lower?.refused),
    ...optional(text('previous', fr`précédent`), previous),
    ...subjects.map(
      ({ name, digest }): Fact => [text('file', fr`fichier`), `${name ?? ''} ${digest}`.trim()],
    ),
    [text('recipes', fr`recettes`), toStates(summary.recipes, language)],
  ];
  return (
    renderFacts(facts, width) +
    receipt.recipes.map((one) => renderRecipeState(one, receipt.recipes, language)).join('')
  );
}
