import { requireAbsolutes } from '../../../../src/base/require-absolute.ts';
import { breaksZoneName } from '../../../../src/config/keys/instance.ts';
import { planMedia, writeMedia } from '../../../../src/contract/operations/media.ts';
import type { MediumWriting } from '../../../../src/contract/write-medium.ts';
import { isSvcError, type SvcError, svcError } from '../../../../src/text/error.ts';
import { plan as words } from '../../../../src/text/words/delivering/plan.ts';
import { listZones, planDelivery } from '../../../views/delivering.ts';
import { namedField, noteFaults, toRefused } from '../../faults.ts';
import { type Html, html } from '../../html.ts';
import { fieldOf } from '../../read-form.ts';
import { toPath } from '../../to-href.ts';
import {
  action,
  type FaultyFields,
  type Page,
  type PageCall,
  page,
  type Section,
  type UiRoute,
} from '../../ui-route.ts';
import { peekBoards } from '../zones/of-recipe.ts';
import {
  type Asked,
  type AskedDisk,
  type DeliverCall,
  deliverQuery,
  readAsked,
  toDisk,
  toPlanQuery,
} from './asked.ts';
import { planCommands, runBlock } from './commands.ts';
import { foldedForm, planForm } from './form.ts';
import { notesBlock, withheldNote } from './notes.ts';
import { planAnswer, resultBlock } from './result.ts';
import { chooseWanted } from './wanted.ts';

/** A plan that was made, with its disks. */
interface Planned {
  readonly disk: AskedDisk;
  readonly plan: MediumWriting;
}

/** Notes a wrong zone beside a wrong disk: a plan, which would judge the zone, is asked for only for a sound disk. */
function noteZone({ zone }: Asked, error: SvcError): SvcError {
  const broken = breaksZoneName(zone);
  if (broken === undefined) return error;
  const ofZone = svcError('SVC-VAL-001', { file: 'form', path: '/zone', rule: broken });
  return noteFaults(
    error,
    new Map([
      ['zone', ofZone],
      [namedField(error), error],
    ]),
  );
}

/** The plan that the form asks for, or the error for which there is none. */
async function makePlan(call: PageCall, asked: Asked): Promise<Planned | SvcError> {
  let disk: AskedDisk | undefined;
  try {
    disk = toDisk(asked);
    return { disk, plan: await planDelivery(call, toPlanQuery(asked, disk)) };
  } catch (error) {
    if (!isSvcError(error)) throw error;
    return disk === undefined ? noteZone(asked, error) : error;
  }
}

/** The way on where there is no plan. */
function withoutPlan(call: PageCall, asked: Asked, { code }: SvcError): Html | string {
  const { say } = call.words;
  if (code === 'SVC-MED-032') return withheldNote(call, asked);
  return code === 'SVC-MED-025'
    ? html`<div class="empty"><p>${say(words.noRecipes)}</p><p class="way"><a href="/recipes">${say(words.toRecipes)}</a></p></div>`
    : '';
}

/** The sections of a plan. */
function planSections(call: DeliverCall, asked: Asked, { disk, plan }: Planned): readonly Section[] {
  return [
    { id: 'plan', html: resultBlock(call, asked, plan) },
    { id: 'run', html: runBlock(call, asked, disk, plan) },
    { id: 'terminal', html: planCommands(call, asked, disk, plan.volumes.length) },
  ];
}

const faulty: FaultyFields = {
  'SVC-FIL-003': 'mounted',
  'SVC-FIL-005': 'mounted',
  'SVC-MED-046': (fields) => {
    const disk = fieldOf(fields, 'disk');
    const isSized = (fieldOf(fields, 'size') ?? '').trim() !== '';
    return disk === 'own' || isSized ? 'size' : disk === 'mounted' ? disk : 'disk';
  },
  'SVC-REG-001': 'recipes',
  'SVC-REG-005': 'recipes',
};

/** The page `/deliver`: the plan of a delivery to a zone. @throws SVC-CFG-001 without a state folder */
async function showDeliver(call: DeliverCall): Promise<Page> {
  const { say } = call.words;
  const asked = readAsked(call);
  const zones = await listZones(call);
  // without a known zone, its name is typed
  const typed = asked.zone === '' || zones.length === 0 ? [] : [{ name: asked.zone }];
  const boards = await peekBoards(call);
  const places = new Map(boards.map(({ name }, i) => [name, i]));
  const placeOf = ({ name }: { readonly name: string }): number => places.get(name) ?? boards.length;
  // the most urgent first
  const ranked = zones
    .map((one) => ({ ...one, board: boards[placeOf(one)] }))
    .sort((a, b) => placeOf(a) - placeOf(b));
  const named = [...ranked, ...typed];
  const choices = named.filter(({ name }, i) => named.findIndex((other) => other.name === name) === i);
  const isKnown = zones.some(({ receipt }) => receipt !== undefined);
  const none = isKnown
    ? ''
    : html`<p class="muted">${say(words.noReceipts)} <a href="/receipts">${say(words.toReceipts)}</a></p>`;
  const [first] = choices;
  const chosen = await chooseWanted(call, asked);
  const planned = { ...asked, recipes: chosen?.recipes ?? asked.recipes };
  const isNothing = chosen?.recipes?.length === 0;
  const made = asked.zone === '' || isNothing ? undefined : await makePlan(call, planned);
  const isPlanned = made !== undefined && 'plan' in made;
  const error = isPlanned ? undefined : made;
  const isWrong = error !== undefined && error.code !== 'SVC-MED-025';
  const refused = isWrong ? toRefused(call, error, faulty) : undefined;
  const form = { ...call, posted: call.posted ?? refused };
  const filled =
    asked.zone === '' && first !== undefined ? { ...asked, zone: first.name, wanted: true } : asked;
  return {
    title: asked.zone === '' ? say(words.title) : `${asked.zone} · ${say(words.title)}`,
    heading: html`${say(words.title)}`,
    lead: say(words.lead),
    paper: [],
    refused,
    sections: [
      ...(isPlanned ? [{ id: 'verdict', html: planAnswer(call, made.plan, chosen?.isInPart) }] : []),
      ...(error === undefined ? [] : [{ id: 'plan', html: html`${withoutPlan(call, planned, error)}` }]),
      ...(chosen === undefined || error !== undefined ? [] : [{ id: 'chosen', html: chosen.note }]),
      {
        id: 'ask',
        html: html`${none}${isPlanned ? foldedForm(call, filled, { zones: choices, made: made.plan }) : planForm(form, filled, choices)}`,
      },
      ...(made === undefined ? [] : [{ id: 'notes', html: await notesBlock(call, planned, zones) }]),
      ...(isPlanned ? planSections(call, planned, made) : []),
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
    faulty: { 'SVC-FIL-003': 'folders', 'SVC-FIL-005': 'folders' },
    checks: () => ({ folders: (_text, items) => requireAbsolutes(items, 'folders') }),
    done: (_call, { task }) => ({ location: toPath('/tasks/{id}', { id: task.id }) }),
  }),
];
