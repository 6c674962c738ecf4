import type { WayOn } from '../../../../src/contract/delivery.ts';
import { forgetDelivery, planMedia, proveMedium } from '../../../../src/contract/operations/media.ts';
import { addReceipt } from '../../../../src/contract/operations/receipts.ts';
import { toShellWord } from '../../../../src/text/shell-word.ts';
import { deliveries } from '../../../../src/text/words/delivering/deliveries.ts';
import { inZone } from '../../../../src/text/words/delivering/in-zone.ts';
import { steps as text } from '../../../../src/text/words/delivering/next-steps.ts';
import { parts as common } from '../../../../src/text/words/parts.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import {
  type DeliveryRecipe,
  foldersOf,
  type KnownDelivery,
} from '../../../../src/view/delivered/known-deliveries.ts';
import type { JudgedStep } from '../../../../src/view/delivered/ledger-deliveries.ts';
import { isRefusedIn, nextStepOf } from '../../../../src/view/delivered/next-step.ts';
import { missingOf, standingOf } from '../../../../src/view/delivered/standing.ts';
import { listNeededParts } from '../../../../src/view/needed-parts.ts';
import { listRecipes } from '../../../../src/view/recipes.ts';
import { takesMedia } from '../../../views/media.ts';
import { readImports } from '../../../views/zone/imports.ts';
import { type Html, html } from '../../html.ts';
import { command } from '../../parts/copy.ts';
import { deliveryLink } from '../../parts/delivery-link.ts';
import { configNote, toConfigFlag } from '../../parts/terminal.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall, Section } from '../../ui-route.ts';
import { listRefusals } from '../media/deliveries.ts';
import { stateMark } from '../receipts/marks.ts';
import { nameRecipes, recipeLink } from '../receipts/recipe-names.ts';
import { blockedLine, codeLink } from '../zones/cells.ts';
import { isConfigured } from './cells.ts';

/** Recipes that are named; a link has all of them up to its own limit. */
const most = { named: 5, linked: 100 } as const;

/** A page with the way on, and the words of its button. */
type Way = readonly [text: Sentence, path: string];

const keepsLedger = ({ instance }: PageCall): boolean => instance.context.config.custody.enabled;

/** The next step in two words. */
export function briefStep(call: PageCall, delivery: KnownDelivery): string | undefined {
  const step = nextStepOf(delivery, keepsLedger(call));
  return step && call.words.say(text.brief[step]);
}

/** `name@version` of the recipes of these that the store of this instance has. */
async function listHere(call: PageCall, recipes: readonly DeliveryRecipe[]): Promise<readonly string[]> {
  const digests = new Set<string>(recipes.map(({ digest }) => digest));
  return (await listRecipes(call)).flatMap((one) =>
    'digest' in one && 'version' in one && digests.has(one.digest) ? [`${one.name}@${one.version}`] : [],
  );
}

/** The plan of some recipes for the zone of a delivery; where none of them is here, of those that the zone lacks. */
async function toPlan(
  call: PageCall,
  { zone, sent, recipes }: KnownDelivery,
  chosen: readonly DeliveryRecipe[],
): Promise<string> {
  const names = await listHere(call, chosen);
  const isSame = chosen === recipes;
  // for discs that are burnt, the folder is that of all parts
  const folders = isSame && sent?.room?.bytes.length ? sent.room.folders : undefined;
  const base = sent?.base === undefined ? 'none' : sent.base.sequence === 0 ? 'sent' : undefined;
  const isNamed = names.length > 0 && names.length <= most.linked;
  return toPath(
    '/deliver',
    {},
    {
      zone,
      ...(isSame ? { base } : {}),
      ...(isNamed ? { recipes: names.join('\n') } : { wanted: 'true' }),
      ...(folders === undefined ? {} : { disk: 'mounted', mounted: folders.join('\n') }),
    },
  );
}

const toProof = (delivery: KnownDelivery): string =>
  toPath('/deliver/proof', {}, { folders: foldersOf(delivery).join('\n'), zone: delivery.zone });

/** The buttons of a step that the reader may follow. */
async function waysOf(call: PageCall, delivery: KnownDelivery, step: WayOn): Promise<readonly Way[]> {
  const { id, zone = '', recipes, arrival } = delivery;
  const may = (floor: Parameters<PageCall['can']>[0], ...ways: readonly Way[]) =>
    call.can(floor) ? ways : [];
  const again = async (): Promise<Way> => [text.writeAgain, await toPlan(call, delivery, recipes)];
  const prove: Way = [text.proveNow, toProof(delivery)];
  switch (step) {
    case 'resume':
    case 'restore':
      return may(planMedia.floor, await again());
    case 'rewrite':
      return [...may(planMedia.floor, await again()), ...may(proveMedium.floor, prove)];
    case 'prove':
      return [...may(proveMedium.floor, prove), ...may(planMedia.floor, await again())];
    case 'disks':
    case 'carry': {
      const missing = missingOf(delivery).filter((one) => !isRefusedIn(one));
      const carry: Way = [text.deliverMissing, await toPlan(call, delivery, missing)];
      return [
        ...(step === 'disks' ? may(addReceipt.floor, [text.addReceipt, '/receipts']) : []),
        ...may(planMedia.floor, carry),
      ];
    }
    case 'cause':
      return isConfigured(call, zone) ? [[text.openZone, toPath('/zones/{zone}', { zone })]] : [];
    case 'hand':
    case 'await':
    case 'ask':
    case 'renew':
    case 'believe':
      return may(addReceipt.floor, [text.addReceipt, '/receipts']);
    case 'home': {
      const zone = delivery.zone;
      return zone === undefined ? [] : [[text.openReceipt, toPath('/receipts/{zone}', { zone })]];
    }
    default:
      return [
        ...(takesMedia(call) ? may('operator', [text.openMedium, '/media']) : []),
        ...(arrival === undefined || arrival.complete || step === 'sender'
          ? []
          : may(forgetDelivery.floor, [
              deliveries.forget,
              toPath('/media/deliveries/{delivery}/forget', { delivery: id }),
            ])),
      ];
  }
}

/** Codes behind a sentence, which lead to their help. */
const withCodes = ({ words: { say } }: PageCall, sentence: string, codes: readonly string[]): Html => {
  const links = [...new Set(codes)].map((code, i) => html`${i === 0 ? '' : ', '}${codeLink(code)}`);
  return links.length === 0 ? html`${sentence}.` : html`${sentence}${say(common.colon)} ${links}.`;
};

/** Why the writing has not ended, and the folders that it leaves. */
function writingLines(call: PageCall, delivery: KnownDelivery): readonly Html[] {
  const { say, format } = call.words;
  const { sent, ledger, parts } = delivery;
  const folders = foldersOf(delivery);
  const left =
    folders.length === 0
      ? []
      : [untrusted(say(text.leftovers, { count: folders.length, folders: format.list(folders) }))];
  const { unended } = ledger ?? {};
  const time = format.time(unended?.at ?? sent!.startedAt);
  const named = { time, done: sent?.written.length ?? 0, parts };
  const why =
    unended === undefined
      ? html`${say(text.noEnd, named)}`
      : unended.how === 'failed'
        ? withCodes(call, say(text.failed, named), unended.code === undefined ? [] : [unended.code])
        : html`${say(text[unended.how], named)}`;
  const whole = sent?.written.map(({ part }) => format.number(part)) ?? [];
  if (sent?.lost !== undefined) return [why, html`${say(text.lost, { parts: whole.join(', ') })}`, ...left];
  return [why, html`${say(text.resume)}`, ...left];
}

/** The end of the last proof. */
export function proofLine(call: PageCall, proved: JudgedStep | undefined): Html {
  const { say, format } = call.words;
  if (proved === undefined) return html`${say(text.proofUnknown)}`;
  const time = format.time(proved.at);
  if (proved.isGood) return html`${say(text.provedSince, { time })}`;
  return withCodes(call, say(text.proofFailed, { time }), proved.codes);
}

/** The disks with content of a recipe that are not known to be in the zone. */
export const awaitedOf = (
  { sent, awaited = [] }: KnownDelivery,
  digest: DeliveryRecipe['digest'],
): readonly number[] =>
  (sent?.written ?? []).flatMap(({ part, recipes = [] }) =>
    recipes.includes(digest) && awaited.includes(part) ? [part] : [],
  );

/** Recipes that are not in the zone, each with the reason. */
async function recipeLines(
  call: PageCall,
  recipes: readonly DeliveryRecipe[],
  reasonOf: (recipe: DeliveryRecipe) => {
    readonly mark: Html | string;
    readonly code?: string | undefined;
    readonly why: Html | string;
  },
): Promise<Html> {
  const { say } = call.words;
  const shown = recipes.slice(0, most.named);
  const named = await nameRecipes(call, shown);
  const more = recipes.length - shown.length;
  return html`<ul>${shown.map((one) => {
    const { mark, code, why } = reasonOf(one);
    return html`<li>${recipeLink(call, one.digest, named.get(one.digest))} ${mark}${code === undefined ? '' : html` ${codeLink(code)}`}${why}</li>`;
  })}${more > 0 ? html`<li>${say(text.moreRecipes, { count: more })}</li>` : ''}</ul>`;
}

/** Why a recipe is not in the zone: a check of the zone, or a disk that did not come. */
function whyMissing(
  { words }: PageCall,
  confirmed: DeliveryRecipe['confirmed'],
  awaited: readonly number[],
): Html | string {
  if (confirmed?.state === 'blocked' || confirmed?.code !== undefined)
    return blockedLine(words, confirmed.code);
  return awaited.length === 0 ? '' : html`<div>${words.say(text.recipeAwaited, { awaited })}</div>`;
}

/** Why the zone does not have all of a delivery, by its last receipt. */
async function missingLines(call: PageCall, delivery: KnownDelivery): Promise<readonly Html[]> {
  const { say } = call.words;
  const { lastReceipt } = delivery;
  const missing = missingOf(delivery);
  const list = await recipeLines(call, missing, ({ confirmed, digest }) => ({
    mark:
      confirmed === undefined
        ? html`<span class="muted">${say(text.notListed)}</span>`
        : stateMark(call, confirmed.state),
    code: confirmed?.code,
    why: whyMissing(call, confirmed, awaitedOf(delivery, digest)),
  }));
  return [html`${say(text.lacks, { sequence: lastReceipt?.sequence })}`, list];
}

/** The recipes that the zone refused, with the codes of the last import. */
async function refusedLines(call: PageCall, { recipes }: KnownDelivery): Promise<readonly Html[]> {
  const codes = await listRefusals(call);
  const refused = recipes.filter(({ arrived }) => arrived?.blocked);
  const list = await recipeLines(call, refused, ({ name, version }) => {
    const code = codes.get(`${name}@${version}`);
    return { mark: '', code, why: blockedLine(call.words, code) };
  });
  return [html`${call.words.say(text.refused)}`, list, html`${call.words.say(text.sender)}`];
}

/** The disks to import, and why the last import failed. */
function importLines(call: PageCall, { arrival, ledger }: KnownDelivery): readonly Html[] {
  const { say, format } = call.words;
  const { imported } = ledger ?? {};
  const failed =
    imported === undefined || imported.isGood
      ? []
      : [withCodes(call, say(text.importFailed, { time: format.time(imported.at) }), imported.codes)];
  if (arrival === undefined) return [...failed, html`${say(text.importAgain)}`];
  const needed = listNeededParts(arrival).map(({ part }) => part);
  return [
    ...failed,
    html`${needed.length === 0 ? say(text.importEarlier) : say(text.import, { needed })}`,
    ...(needed.length === 0 ? [] : [html`${say(text.orForget)}`]),
  ];
}

/** The file of the receipt to carry to the source, and what is done with it there. */
async function homeLines(call: PageCall): Promise<readonly Html[]> {
  const { receipt } = await readImports(call, {});
  return receipt === undefined ? [] : [untrusted(call.words.say(inZone.carryReceipt, { ...receipt }))];
}

/** The findings of the last verification, and the way on from the first of them. */
function verifiedLines(call: PageCall, { zone }: KnownDelivery, { at, codes }: JudgedStep): readonly Html[] {
  const { say, format } = call.words;
  const [first] = codes;
  return [
    withCodes(call, say(text.verified, { time: format.time(at) }), codes),
    first === 'SVC-MED-006' && zone !== undefined
      ? untrusted(say(text.otherZone, { zone }))
      : blockedLine(call.words, first),
  ];
}

/** The reason of a step, and the way on in words. */
async function linesOf(call: PageCall, delivery: KnownDelivery, step: WayOn): Promise<readonly Html[]> {
  const { say, format } = call.words;
  const { id, zone, ledger, arrival, namedPart, parts, awaited } = delivery;
  const { handedOver, proved } = ledger ?? {};
  const handed =
    handedOver === undefined ? [] : [html`${say(text.handed, { time: format.time(handedOver.at) })}`];
  const since = delivery.sent?.written.findLast((one) => one.provedSince !== undefined)?.provedSince;
  const later = since === undefined ? [] : [html`${say(text.noPassport, { time: format.time(since) })}`];
  switch (step) {
    case 'resume':
    case 'restore':
      return writingLines(call, delivery);
    case 'rewrite':
      return [proofLine(call, proved), html`${say(text.rewrite)}`];
    case 'prove':
      return [proofLine(call, proved), html`${say(text.keepBack)}`];
    case 'hand': {
      const note = `svc custody note --delivery ${id} --type handed-over --text ${toShellWord('…')}`;
      const line = `${note}${toConfigFlag(call)}`;
      const config = configNote(call.words, line);
      return [
        ...later,
        html`${say(text.hand)}`,
        command(call.words, line),
        ...(config === '' ? [] : [html`<p class="hint">${config}</p>`]),
        html`${say(text.await)}`,
      ];
    }
    case 'await':
      return [...later, ...handed, html`${say(text.await)}`];
    case 'ask':
      return [...handed, untrusted(say(text.ask, { zone }))];
    case 'renew':
      return [untrusted(say(text.renew, { zone }))];
    case 'believe':
      return [untrusted(say(text.believe, { zone }))];
    case 'disks':
      return [
        ...(await missingLines(call, delivery)),
        untrusted(
          awaited?.length
            ? say(text.awaited, { awaited, zone })
            : say(text.disks, { part: namedPart, parts }),
        ),
      ];
    case 'cause':
      return [...(await missingLines(call, delivery)), html`${say(text.cause)}`];
    case 'carry':
      return [...(await missingLines(call, delivery)), html`${say(text.carry)}`];
    case 'sender':
      return [...(await refusedLines(call, delivery)), ...(delivery.isNamed ? await homeLines(call) : [])];
    case 'import':
      return importLines(call, delivery);
    case 'home':
      return homeLines(call);
    case 'read':
      return verifiedLines(call, delivery, ledger!.verified!);
    case 'open':
      return [html`${say(text.verifiedWhole, { time: format.time(ledger!.verified!.at) })}`];
    case 'forget':
      return [untrusted(say(text.forget, { medium: arrival!.overtakenBy }))];
  }
}

/** The section of the page with the way on from a delivery; none where nothing is to be done. */
export async function stepSection(call: PageCall, delivery: KnownDelivery): Promise<readonly Section[]> {
  const { say } = call.words;
  const { writing, replacedBy } = delivery;
  const section = (lines: readonly Html[], ways: readonly Way[]): readonly Section[] => [
    {
      id: 'steps',
      html: html`<h2>${say(text.title)}</h2>${lines.map((line) => html`<div>${line}</div>`)}${
        ways.length === 0
          ? ''
          : html`<p class="buttons">${ways.map(([label, path], i) => html`<a class="button button-${i === 0 ? 'primary' : 'plain'}" href="${path}">${say(label)}</a>`)}</p>`
      }`,
    },
  ];
  if (writing !== undefined)
    return section([html`${say(text.runs)}`], [[text.openTask, toPath('/tasks/{id}', { id: writing })]]);
  if (standingOf(delivery) === 'replaced' && replacedBy !== undefined)
    return section([html`${say(text.replaced)} ${deliveryLink(call, replacedBy)}`], []);
  const step = nextStepOf(delivery, keepsLedger(call));
  if (step === undefined) return [];
  return section(await linesOf(call, delivery, step), await waysOf(call, delivery, step));
}
