import type { Delivery } from '../../src/contract/delivery.ts';
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
    return text(
      'no delivery of several disks was imported here\n',
      fr`aucune livraison de plusieurs disques n’a été importée ici\n`,
    );
  return deliveries.map((delivery) => renderDelivery(delivery, language)).join('\n');
}

/** Renders one delivery. */
export function renderDelivery(delivery: Delivery, language: Language): string {
  const text = speak(language);
  const { id, zone, parts, complete, landed, needed, recipes } = delivery;
  const state = complete ? text('complete', fr`complète`) : text('incomplete', fr`incomplète`);
  const arrived = landed.map(({ part }) => part).join(', ');
  const lines = [
    `${id} (${escapeText(zone)})${text(':', fr` :`)} ${state}`,
    landed.length === 0
      ? text(`  none of ${parts} parts imported whole`, fr`  aucune des ${parts} parties importée entière`)
      : text(
          `  parts ${arrived} of ${parts} imported, the last on ${lastTime(delivery, language)}`,
          fr`  parties ${arrived} sur ${parts} importées, la dernière le ${lastTime(delivery, language)}`,
        ),
    ...(needed.length === 0
      ? []
      : [
          text(
            `  still needed: part ${needed.join(', ')}`,
            fr`  encore nécessaire : partie ${needed.join(', ')}`,
          ),
        ]),
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

/** The parts that a recipe needs, after its state. */
function toWaits(state: Delivery['recipes'][number]['state'], parts: readonly number[]): string {
  if (parts.length === 0) return '';
  return state === 'failed' ? ` (${parts.join(', ')})` : ` ${parts.join(', ')}`;
}

function lastTime({ landed }: Delivery, language: Language): string {
  const times = landed.map(({ importedAt }) => importedAt).sort();
  return toTime(times.at(-1)!, language);
}
