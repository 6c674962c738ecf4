import type { Delivery } from '../../src/contract/delivery.ts';
import type { Task } from '../../src/contract/task.ts';
import { formatList } from '../../src/text/amount.ts';
import type { SvcError } from '../../src/text/error.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, speak } from '../../src/text/language.ts';
import { renderError } from '../../src/text/message.ts';
import { deliveries as words } from '../../src/text/words/delivering/deliveries.ts';
import { tasks } from '../../src/text/words/tasks.ts';
import { words as spoken } from '../../src/text/words/words.ts';
import { sayNoneWhole } from '../../src/view/medium-standing.ts';
import { isUnsure, listNeededParts, type NeededPart, sayNeeded } from '../../src/view/needed-parts.ts';
import { count } from '../render/count.ts';
import { toTime } from '../render/time.ts';

/** Most recipes of a delivery that are listed. */
const mostRecipes = 50;
/** Most parts that are listed with their recipes; the line above them names all. */
const mostParts = 20;

/** Renders deliveries with their parts; of an incomplete one also the recipes that are not in the zone. */
export function renderDeliveries(deliveries: readonly Delivery[], language: Language): string {
  const text = speak(language);
  if (deliveries.length === 0)
    return text('no delivery is recorded here\n', fr`aucune livraison n’est enregistrée ici\n`);
  return deliveries.map((delivery) => renderDelivery(delivery, language)).join('\n');
}

/** Renders one delivery. */
export function renderDelivery(delivery: Delivery, language: Language): string {
  const text = speak(language);
  const { say } = spoken[language];
  const { id, zone, peer, complete, overtakenBy, recipes } = delivery;
  const state = say(complete ? words.complete : overtakenBy ? words.overtaken : words.incomplete);
  const parts = listNeededParts(delivery);
  const lines = [
    `${id} (${escapeText(zone)})${text(':', fr` :`)} ${state}`,
    ...(peer === undefined ? [] : [`  ${say(words.peer)}${text(':', fr` :`)} ${escapeText(peer)}`]),
    `  ${toArrived(delivery, language)}`,
    ...(parts.length === 0 ? [] : [`  ${toNeeded(parts, language)}`]),
    ...(parts.length > 0 && isUnsure(delivery) ? [`  ${say(words.unsure)}`] : []),
    ...(overtakenBy === undefined
      ? []
      : [`  ${escapeText(say(words.overtakenLine, { medium: overtakenBy, id }))}`]),
  ];
  if (parts.length > 1 && !isUnsure(delivery))
    for (const one of parts.slice(0, mostParts)) lines.push(`    ${sayNeeded({ say }, one)}`);
  const open = recipes.filter(({ state }) => state !== 'landed');
  for (const one of open.slice(0, mostRecipes)) {
    const { name, version, state, parts: waits, baseDelivery = delivery.baseDelivery, blocked } = one;
    // its disk came, so that it waits for none
    const isRefused = blocked === true && overtakenBy === undefined;
    const standing = isRefused
      ? text('refused by the checks of the import', fr`refusée par les contrôles de l’import`)
      : say(overtakenBy === undefined ? words[state] : words.notLanded, {
          parts: waits,
          delivery: baseDelivery,
        });
    lines.push(`  ${escapeText(name)}@${escapeText(version)}${text(':', fr` :`)} ${standing}`);
  }
  for (const tag of (delivery.leftHolding ?? []).slice(0, mostRecipes))
    lines.push(`  ${escapeText(say(words.leftHolding, { tag }))}`);
  if (open.length > mostRecipes)
    lines.push(`  ${text('and', fr`et`)} ${count(open.length - mostRecipes, 'recipe', language)}`);
  return `${lines.join('\n')}\n`;
}

/** The disks that arrived. */
function toArrived(delivery: Delivery, language: Language): string {
  const text = speak(language);
  const { say } = spoken[language];
  const { parts, landed } = delivery;
  if (landed.length === 0) return sayNoneWhole({ say }, delivery);
  const time = lastTime(delivery, language);
  if (parts === 1) return text(`imported on ${time}`, fr`importée le ${time}`);
  const arrived = landed.map(({ part }) => part);
  return say(words.arrivedLine, { count: arrived.length, parts: arrived, total: parts, time });
}

/** The parts that recipes wait for; those that came before are named apart. */
function toNeeded(needed: readonly NeededPart[], language: Language): string {
  const text = speak(language);
  const list = (parts: readonly number[]): string =>
    formatList(parts, text('part …/parts …', fr`partie …/parties …`), language);
  const [missing, again] = [false, true].map((came) =>
    needed.filter(({ isAgain }) => isAgain === came).map(({ part }) => part),
  ) as [number[], number[]];
  const all = [
    ...(missing.length === 0 ? [] : [list(missing)]),
    ...(again.length === 0 ? [] : [`${list(again)} ${text('once more', fr`une nouvelle fois`)}`]),
  ];
  return `${text('still needed: ', fr`encore nécessaire : `)}${all.join(text('; ', fr` ; `))}`;
}

function lastTime({ landed }: Delivery, language: Language): string {
  const times = landed.map(({ importedAt }) => importedAt).sort();
  return toTime(times.at(-1)!, language);
}

/** Names the receipt that an import has written, and its place on the medium, with which it goes back. */
export function renderOwnReceipt(
  { zone, sequence, path, onMedium }: NonNullable<Task['receipt']>,
  language: Language,
): string {
  const text = speak(language);
  const place = onMedium === undefined ? '' : text(', on the medium', fr`, sur le support`);
  return text(
    `receipt ${sequence} of zone ${escapeText(zone)}${place}: ${escapeText(onMedium ?? path)}\n`,
    fr`reçu ${sequence} de la zone ${escapeText(zone)}${place} : ${escapeText(onMedium ?? path)}\n`,
  );
}

/** Renders why an import wrote no receipt, and the command that makes it. */
export function renderUnwritten(reason: SvcError, language: Language): string {
  const { what, action } = renderError(reason, language);
  return speak(language)(
    `no receipt was written: ${what} ${action} svc receipt write makes it (${reason.code})\n`,
    fr`aucun reçu n’a été écrit : ${what} ${action} svc receipt write l’établit (${reason.code})\n`,
  );
}

/** The tags that an import gave to other content, and those that stay, one a line. */
export const renderMovedTags = ({ movedTags = [] }: Pick<Task, 'movedTags'>, language: Language): string =>
  movedTags
    .map(({ kept, ...one }) => {
      const { movedTag, keptTag } = tasks;
      return `${escapeText(spoken[language].say(kept ? keptTag : movedTag, one))}\n`;
    })
    .join('');
