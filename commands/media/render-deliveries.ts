import type { Delivery } from '../../src/contract/delivery.ts';
import type { Task } from '../../src/contract/task.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, speak } from '../../src/text/language.ts';
import { count } from '../render/count.ts';
import { toTime } from '../render/time.ts';

/** Most recipes of a delivery that are listed. */
const mostRecipes = 50;

/** Renders deliveries with their parts; of an incomplete one also the recipes that are not in the zone. */
export function renderDeliveries(deliveries: readonly Delivery[], language: Language): string {
  const text = speak(language);
  if (deliveries.length === 0)
    return text('no delivery was imported here\n', fr`aucune livraison n’a été importée ici\n`);
  return deliveries.map((delivery) => renderDelivery(delivery, language)).join('\n');
}

/** Renders one delivery. */
export function renderDelivery(delivery: Delivery, language: Language): string {
  const text = speak(language);
  const { id, zone, complete, needed, recipes } = delivery;
  const state = complete ? text('complete', fr`complète`) : text('incomplete', fr`incomplète`);
  const lines = [
    `${id} (${escapeText(zone)})${text(':', fr` :`)} ${state}`,
    `  ${toArrived(delivery, language)}`,
    ...(needed.length === 0 ? [] : [`  ${toNeeded(delivery, language)}`]),
  ];
  const open = recipes.filter(({ state }) => state !== 'landed');
  const states = {
    landed: text('in the zone', fr`dans la zone`),
    waiting: text('waits for part', fr`attend la partie`),
    held: text(
      'needs content that the registry no longer has',
      fr`nécessite un contenu que le registre n’a plus`,
    ),
    failed: text('failed in the last import', fr`a échoué au dernier import`),
  };
  for (const { name, version, state, parts: waits = [] } of open.slice(0, mostRecipes))
    lines.push(
      `  ${escapeText(name)}@${escapeText(version)}${text(':', fr` :`)} ${states[state]}${toWaits(state, waits)}`,
    );
  if (open.length > mostRecipes)
    lines.push(`  ${text('and', fr`et`)} ${count(open.length - mostRecipes, 'recipe', language)}`);
  return `${lines.join('\n')}\n`;
}

/** The disks that arrived. */
function toArrived(delivery: Delivery, language: Language): string {
  const text = speak(language);
  const { parts, landed } = delivery;
  if (landed.length === 0)
    return parts === 1
      ? text('its disk was not imported whole', fr`son disque n’a pas été importé entier`)
      : text(`none of ${parts} parts imported whole`, fr`aucune des ${parts} parties importée entière`);
  const time = lastTime(delivery, language);
  if (parts === 1) return text(`imported on ${time}`, fr`importée le ${time}`);
  const arrived = landed.map(({ part }) => part).join(', ');
  return text(
    `parts ${arrived} of ${parts} imported, the last on ${time}`,
    fr`parties ${arrived} sur ${parts} importées, la dernière le ${time}`,
  );
}

/** The parts that recipes wait for. Those that arrived before are named apart: something of them is gone again. */
function toNeeded({ landed, needed }: Delivery, language: Language): string {
  const text = speak(language);
  const arrived = new Set(landed.map(({ part }) => part));
  const list = (parts: readonly number[]): string =>
    text(`part ${parts.join(', ')}`, fr`partie ${parts.join(', ')}`);
  const missing = needed.filter((part) => !arrived.has(part));
  const again = needed.filter((part) => arrived.has(part));
  const all = [
    ...(missing.length === 0 ? [] : [list(missing)]),
    ...(again.length === 0 ? [] : [`${list(again)} ${text('once more', fr`une nouvelle fois`)}`]),
  ];
  return `${text('still needed: ', fr`encore nécessaire : `)}${all.join(text('; ', fr` ; `))}`;
}

/** The parts that a recipe needs, after its state. */
function toWaits(state: Delivery['recipes'][number]['state'], parts: readonly number[]): string {
  if (parts.length === 0) return '';
  return state === 'failed' ? ` (${parts.join(', ')})` : ` ${parts.join(', ')}`;
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
