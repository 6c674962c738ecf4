import { planMedia, writeMedia } from '../../../../src/contract/operations/media.ts';
import type { MediumWriting } from '../../../../src/contract/write-medium.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { plan as words } from '../../../../src/text/words/delivering/plan.ts';
import { listZones, planDelivery } from '../../../views/delivering.ts';
import { takesMedia } from '../../../views/media.ts';
import { type Html, html } from '../../html.ts';
import { errorBlock } from '../../parts/error.ts';
import { toPath } from '../../to-href.ts';
import { action, type Page, type PageCall, page, type Section, type UiRoute } from '../../ui-route.ts';
import { type Asked, type AskedDisk, deliverQuery, readAsked, toDisk, toPlanQuery } from './asked.ts';
import { planCommands, runBlock } from './commands.ts';
import { foldedForm, planForm } from './form.ts';
import { notesBlock, withheldNote } from './notes.ts';
import { resultBlock } from './result.ts';

/** A plan that was made, with its disks. */
interface Planned {
  readonly disk: AskedDisk;
  readonly plan: MediumWriting;
}

/** The plan that the form asks for; where it cannot be made, why. */
async function makePlan(call: PageCall, asked: Asked): Promise<Planned | Html> {
  const { words: spoken } = call;
  const { say } = spoken;
  try {
    const disk = toDisk(asked);
    return { disk, plan: await planDelivery(call, toPlanQuery(asked, disk)) };
  } catch (error) {
    if (!isSvcError(error)) throw error;
    if (error.code === 'SVC-MED-025')
      return html`<div class="empty"><p>${say(words.noRecipes)}</p><p class="way"><a href="/recipes">${say(words.toRecipes)}</a></p></div>`;
    const block = errorBlock({
      words: spoken,
      error,
      hasHelp: true,
      hasMedium: takesMedia(call),
      heading: html`<h2>${say(words.failed)}</h2>`,
      labelOf: (name) => {
        if (name === 'mounted' || name === 'folder') return say(words.folders);
        return name === 'size' || name === 'zone' ? say(words[name]) : undefined;
      },
    });
    return html`${block}${error.code === 'SVC-MED-032' ? withheldNote(call, asked) : ''}`;
  }
}

/** The sections of a plan. */
function planSections(call: PageCall, asked: Asked, made: Planned | Html): readonly Section[] {
  if (!('plan' in made)) return [{ id: 'plan', html: made }];
  const { disk, plan } = made;
  return [
    { id: 'plan', html: resultBlock(call, asked, plan) },
    { id: 'run', html: runBlock(call, asked, disk, plan) },
    { id: 'terminal', html: planCommands(call, asked, disk, plan.volumes.length) },
  ];
}

/** The page `/deliver`: the plan of a delivery to a zone. @throws SVC-CFG-001 without a state folder */
async function showDeliver(call: PageCall): Promise<Page> {
  const { say } = call.words;
  const asked = readAsked(call);
  const zones = await listZones(call);
  // without a known zone, its name is typed
  const typed = asked.zone === '' || zones.length === 0 ? [] : [{ name: asked.zone }];
  const named = [...zones, ...typed];
  const choices = named.filter(({ name }, i) => named.findIndex((other) => other.name === name) === i);
  const isKnown = zones.some(({ receipt }) => receipt !== undefined);
  const none = isKnown
    ? ''
    : html`<p class="muted">${say(words.noReceipts)} <a href="/receipts">${say(words.toReceipts)}</a></p>`;
  const [first] = choices;
  const made = asked.zone === '' ? undefined : await makePlan(call, asked);
  const isPlanned = made !== undefined && 'plan' in made;
  const filled = asked.zone === '' && first !== undefined ? { ...asked, zone: first.name } : asked;
  return {
    title: asked.zone === '' ? say(words.title) : `${asked.zone} · ${say(words.title)}`,
    heading: html`${say(words.title)}`,
    lead: say(words.lead),
    sections: [
      // the reason for which there is no plan stands above the form that is to be corrected
      ...(made === undefined || isPlanned ? [] : planSections(call, asked, made)),
      {
        id: 'ask',
        html: html`${none}${isPlanned ? foldedForm(call, filled, choices) : planForm(call, filled, choices)}`,
      },
      ...(made === undefined ? [] : [{ id: 'notes', html: await notesBlock(call, asked, zones) }]),
      ...(isPlanned ? planSections(call, asked, made) : []),
    ],
  };
}

export const deliverPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/deliver',
    floor: planMedia.floor,
    title: words.title,
    query: deliverQuery,
    page: showDeliver,
  }),
  action(writeMedia, {
    path: '/deliver/write',
    page: '/deliver',
    done: (_call, { task }) => ({ location: toPath('/tasks/{id}', { id: task.id }) }),
  }),
];
