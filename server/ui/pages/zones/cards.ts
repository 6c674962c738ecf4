import type { ZoneBoard, ZoneBoardRecipe } from '../../../../src/contract/zone-board.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { zones as text } from '../../../../src/text/words/delivering/zones.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import { toForkError } from '../../../../src/zone/receipts.ts';
import { type Html, html } from '../../html.ts';
import { deliveryLink } from '../../parts/delivery-link.ts';
import { shortHex } from '../../parts/digest.ts';
import { errorBlock, errorLine } from '../../parts/error.ts';
import { untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';
import { listFaults } from '../receipts/marks.ts';
import { nameFew } from './words.ts';

/** Recipes that have a card of their own; the list has all. */
const mostCards = 3;

/** The reasons why the state of a zone, or of some of its recipes, is unknown: each with its cause and its remedy. */
export function listCards(call: PageCall, board: ZoneBoard): Html {
  const { words } = call;
  const { name, receipt, unbelieved, wanted, recipes } = board;
  const hasHelp = true;
  const unresolved = recipes.filter(({ wanted: version, error }) => version === undefined && error);
  return html`${receipt?.fork === undefined ? '' : errorBlock({ words, error: toForkError(name, receipt.fork, { last: receipt.sequence }), hasHelp })}
${unbelieved === undefined ? '' : listFaults(call, { zone: name, sequence: unbelieved.sequence, verified: false })}
${wanted.error === undefined || wanted.reading ? '' : errorBlock({ words, error: fromErrorRecord(wanted.error), hasHelp })}
${unresolved.slice(0, mostCards).map((one) =>
  errorBlock({
    words,
    error: fromErrorRecord(one.error!),
    hasHelp,
    heading: html`<h2>${untrusted(`${one.name} ${one.requested ?? ''}`)}</h2>`,
  }),
)}`;
}

/** How many of the wanted names cannot be resolved, and which. */
export function sayUnresolved({ words: { say, format } }: PageCall, { recipes }: ZoneBoard): string {
  const names = recipes.filter(({ error }) => error !== undefined).map(({ name }) => name);
  return names.length === 0
    ? ''
    : say(text.namesUnresolved, {
        count: names.length,
        total: recipes.length,
        names: nameFew(format, names),
      });
}

/** The key that signed a recipe that its zone refused, and the zone that must take it into its trust. */
function signerLine({ words, instance }: PageCall, zone: string, signer: string): Html {
  const { say } = words;
  const root = instance.context.policy.roots.find(({ fingerprint }) => fingerprint === signer)?.name;
  const step = say(text.toTrust, { zone, root });
  return html`<div>${untrusted(step)}${say(parts.colon)} ${shortHex(words, signer, say(text.signerKey))}</div>`;
}

/** Notes on a recipe beside its state: each in a line. */
export function recipeNotes(call: PageCall, zone: string, recipe: ZoneBoardRecipe): Html {
  const { words } = call;
  const { say } = words;
  const { error, signer, unproved, unsigned } = recipe;
  return html`${error === undefined ? '' : html`<div>${errorLine(words, error)}</div>`}${
    unproved === undefined ? '' : html`<div>${say(text.unprovedRecipe)} ${deliveryLink(call, unproved)}</div>`
  }${unsigned ? html`<div class="item-warning">${say(text.unsigned)}</div>` : ''}${
    signer === undefined ? '' : signerLine(call, zone, signer)
  }`;
}
