import type { DeliveryState } from '../../../../src/contract/delivery.ts';
import { dossier } from '../../../../src/text/words/delivering/dossier.ts';
import { zones } from '../../../../src/text/words/delivering/zones.ts';
import type { KnownDelivery } from '../../../../src/view/delivered/known-deliveries.ts';
import type { DeliveryStep, JudgedStep } from '../../../../src/view/delivered/ledger-deliveries.ts';
import { namesOf } from '../../../../src/view/delivered/list-deliveries.ts';
import { isDoubted, isProved, standingOf } from '../../../../src/view/delivered/standing.ts';
import { sayNoneWhole } from '../../../../src/view/medium-standing.ts';
import { type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { dayOf, noValue, showActor, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { codeLink } from '../zones/cells.ts';

const kinds: Readonly<Record<DeliveryState, BadgeKind>> = {
  unfinished: 'warn',
  unproved: 'warn',
  writing: 'running',
  overdue: 'warn',
  incomplete: 'warn',
  refused: 'warn',
  blocked: 'warn',
  overtaken: 'warn',
  partial: 'warn',
  forked: 'warn',
  unbelieved: 'warn',
  way: 'plain',
  replaced: 'plain',
  failed: 'plain',
  verified: 'plain',
  named: 'plain',
  inside: 'plain',
  confirmed: 'ok',
  complete: 'ok',
};

export const kindOf = (standing: DeliveryState): BadgeKind => kinds[standing];

export function standingBadge(call: PageCall, delivery: KnownDelivery): Html {
  const standing = standingOf(delivery);
  return badge(
    kinds[standing],
    call.words.say(dossier.states[standing], { names: namesOf(call.words, delivery) }),
  );
}

/** Whether a zone is configured, and so has a page. */
export const isConfigured = ({ instance }: PageCall, zone: string): boolean =>
  instance.context.config.zones.some(({ name }) => name === zone);

/** A zone, which leads to its page where it has one. */
export function zoneLink(call: PageCall, zone: string | undefined): Html {
  if (zone === undefined) return noValue;
  return isConfigured(call, zone)
    ? html`<a href="${toPath('/zones/{zone}', { zone })}">${untrusted(zone)}</a>`
    : untrusted(zone);
}

/** The time and the actor of a step. */
export function stepCell({ words }: PageCall, step: DeliveryStep | undefined): Html {
  if (step === undefined) return noValue;
  return html`${dayOf(words, step.at)} <span class="muted">${words.say(dossier.by)} ${showActor(words, step.by)}</span>`;
}

const outcome = (isGood: boolean, text: string, { codes }: JudgedStep): Html =>
  html`${badge(isGood ? 'ok' : 'warn', text)}${[...new Set(codes)].map((code) => html` <a href="/help#${code}">${code}</a>`)}`;

/** The outcome of a proof with the codes of its findings, which lead to their help. */
export const proofOutcome = ({ words: { say } }: PageCall, step: JudgedStep): Html =>
  outcome(step.isGood, say(step.isGood ? dossier.isProved : dossier.notProved), step);

/**
 * The same of an import. What is in the zone by the record of arrivals counts: another disk, or a later import, can have brought the recipes that
 * this one did not.
 */
export function importOutcome(
  { words: { say } }: PageCall,
  step: JudgedStep,
  { arrival }: Pick<KnownDelivery, 'arrival'>,
): Html {
  if (arrival === undefined)
    return outcome(step.isGood, say(step.isGood ? dossier.importedWhole : dossier.importedInPart), step);
  const { landed, parts, complete } = arrival;
  if (landed.length === 0) return outcome(complete, sayNoneWhole({ say }, arrival), step);
  return outcome(
    complete,
    complete ? say(dossier.importedWhole) : say(dossier.partsHere, { count: landed.length, total: parts }),
    step,
  );
}

export function provedCell({ words: { say } }: PageCall, delivery: KnownDelivery): Html {
  const proved = isProved(delivery);
  if (proved === undefined) return noValue;
  if (isDoubted(delivery)) return badge('warn', say(dossier.doubted));
  return badge(proved ? 'ok' : 'warn', say(proved ? dossier.isProved : dossier.notProved));
}

/** The parts, with those that are written or imported so far. */
export function partsCell({ words: { say, format } }: PageCall, delivery: KnownDelivery): Html | string {
  const { parts, sent, arrival } = delivery;
  if (parts === undefined) return noValue;
  const count = arrival?.landed.length ?? sent?.written.length ?? parts;
  if (count === parts) return format.number(parts);
  if (arrival !== undefined && count === 0) return sayNoneWhole({ say }, arrival);
  return say(arrival === undefined ? dossier.partsWritten : dossier.partsHere, { count, total: parts });
}

/** The receipt that names a delivery. */
export function receiptCell({ words }: PageCall, { receipt, doubt }: KnownDelivery): Html {
  if (receipt === undefined) return noValue;
  const { zone, sequence, at } = receipt;
  const mark =
    doubt === undefined
      ? ''
      : doubt === 'forked'
        ? html` ${badge('bad', words.say(zones.forkedShort))} ${codeLink('SVC-RCP-003')}`
        : html` ${badge('bad', words.say(zones.unbelievedShort))} ${codeLink('SVC-RCP-001')}`;
  return html`<a href="${toPath('/receipts/{zone}', { zone })}">${words.say(dossier.receiptOf, { sequence })}</a> <span class="muted">${dayOf(words, at)}</span>${mark}`;
}
