import type { Delivery } from '../../../../src/contract/delivery.ts';
import { actionGroups } from '../../../../src/contract/history.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { deliveries } from '../../../../src/text/words/delivering/deliveries.ts';
import { dossier } from '../../../../src/text/words/delivering/dossier.ts';
import { history } from '../../../../src/text/words/history.ts';
import { parts } from '../../../../src/text/words/parts.ts';
import {
  type DeliveryRecipe,
  findKnownDelivery,
  type KnownDelivery,
} from '../../../../src/view/delivered/known-deliveries.ts';
import { sayStanding } from '../../../../src/view/delivered/list-deliveries.ts';
import { standingOf } from '../../../../src/view/delivered/standing.ts';
import { findHistory } from '../../../../src/view/history.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { hasHistory } from '../../parts/history-link.ts';
import { pageField, selectRows } from '../../parts/pager.ts';
import { facts, table } from '../../parts/table.ts';
import { noValue, showActor, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { evidenceButton } from '../evidence.ts';
import { actorLink } from '../history/actor.ts';
import { subjectCell } from '../history/details.ts';
import { type HistoryEvent, toEvents } from '../history/events.ts';
import { outcomeBadge, showAction } from '../history/subject.ts';
import { arrivalRows, arrivedBadge, listRefusals, urgencyOf } from '../media/deliveries.ts';
import { stateMark } from '../receipts/marks.ts';
import { nameRecipes, recipeLink } from '../receipts/recipe-names.ts';
import {
  importOutcome,
  kindOf,
  partsCell,
  proofOutcome,
  provedCell,
  receiptCell,
  zoneLink,
} from './cells.ts';
import { awaitedOf, stepSection } from './steps.ts';

export const showQuery = pageField;
type Call = PageCall<QueryOf<typeof showQuery>, { readonly delivery: string }>;

/** Records that the page lists; the history has all. */
const mostRecords = 100;

const ofDeliveries: ReadonlySet<string> = new Set([
  ...actionGroups.media,
  ...actionGroups.records,
  'custody.approved',
]);

/** How far the delivery is, in one sentence. */
function answerOf(call: Call, delivery: KnownDelivery): Html {
  const { say } = call.words;
  const standing = standingOf(delivery);
  return answer({
    kind: kindOf(standing),
    mark: say(dossier.states[standing]),
    what: untrusted(sayStanding(call.words, delivery)),
    step: html`<div class="buttons">${evidenceButton(call, delivery.id)}<button type="button" class="button button-plain" data-print>${say(parts.printPage)}</button></div>`,
  });
}

/** @param codes why recipes were refused, by name and version */
function factsOf(call: Call, delivery: KnownDelivery, codes: ReadonlyMap<string, string>): Html {
  const { say, format } = call.words;
  const { zone, ledger, sent, arrival, receipt } = delivery;
  const some = <T>(label: string, value: T | undefined, show: (value: T) => Html | string) =>
    value === undefined ? [] : [[label, show(value)] as const];
  return facts([
    [say(dossier.zone), zoneLink(call, zone)],
    ...some(say(dossier.begun), sent?.startedAt, format.time),
    ...some(say(dossier.written), ledger?.written, (step) => timed(call, step)),
    ...(arrival === undefined
      ? [[say(dossier.parts), partsCell(call, delivery)] as const]
      : arrivalRows(call, arrival, codes)),
    ...some(say(dossier.bytes), sent?.bytes, format.size),
    ...some(say(dossier.peer), arrival?.peer, untrusted),
    ...some(say(dossier.folders), sent?.room?.folders, (folders) => untrusted(folders.join(', '))),
    ...some(say(dossier.base), sent?.base ?? arrival?.base, ({ sequence, zone: of }) =>
      untrusted(say(deliveries.baseLine, { zone: of, sequence: sequence || undefined })),
    ),
    ...(arrival === undefined ? [[say(dossier.proved), provedCell(call, delivery)] as const] : []),
    ...some(
      say(dossier.lastProof),
      ledger?.proved,
      (step) => html`${timed(call, step)} ${proofOutcome(call, step)}`,
    ),
    ...some(
      say(dossier.handedOver),
      ledger?.handedOver,
      (step) => html`${timed(call, step)}${step.text === '' ? '' : html` ${untrusted(step.text)}`}`,
    ),
    ...some(say(dossier.received), ledger?.received, (step) => timed(call, step)),
    ...some(
      say(dossier.imported),
      ledger?.imported,
      (step) => html`${timed(call, step)} ${importOutcome(call, step, delivery)}`,
    ),
    ...some(say(dossier.receipt), receipt, () => receiptCell(call, delivery)),
  ]);
}

/** When somebody did a step, to the second. */
function timed(call: Call, step: { readonly at: string; readonly by: string }): Html {
  return html`${call.words.format.time(step.at)} · ${showActor(call.words, step.by)}`;
}

/** The state of a recipe in the zone. */
function stateCell(call: Call, { arrived, confirmed }: DeliveryRecipe, delivery: Delivery | undefined): Html {
  if (arrived !== undefined && delivery !== undefined) return arrivedBadge(call, arrived, delivery);
  if (confirmed === undefined) return noValue;
  const { state, code } = confirmed;
  return html`${stateMark(call, state)}${code === undefined ? '' : html` <a href="/help#${code}">${code}</a>`}`;
}

/** The disks with content of a recipe, with those that are not known to be in the zone. */
function disksCell(
  { words: { say, format } }: Call,
  delivery: KnownDelivery,
  digest: DeliveryRecipe['digest'],
): Html {
  const own = (delivery.sent?.written ?? []).filter(({ recipes = [] }) => recipes.includes(digest));
  if (own.length === 0) return noValue;
  return html`${format.list(own.map(({ part }) => format.number(part)))}${awaitedOf(delivery, digest).length > 0 ? html` ${badge('warn', say(dossier.notArrived))}` : ''}`;
}

async function recipeSection(call: Call, delivery: KnownDelivery): Promise<Section> {
  const { recipes, arrival, lastReceipt, sent } = delivery;
  const { say } = call.words;
  const hasDisks = sent !== undefined && sent.parts > 1 && sent.written.some((one) => one.recipes);
  const isOpen = arrival !== undefined && !arrival.complete;
  const urgency = ({ arrived }: DeliveryRecipe): number => (arrived === undefined ? 0 : urgencyOf(arrived));
  const listed = isOpen ? [...recipes].sort((a, b) => urgency(a) - urgency(b)) : recipes;
  const { rows, pages } = selectRows(call, listed);
  const named = await nameRecipes(call, rows);
  return {
    id: 'recipes',
    html: html`<h2>${say(dossier.recipes)}</h2>${table<DeliveryRecipe>({
      caption: say(dossier.recipes),
      empty: html`<p>${say(dossier.noRecipes)}</p>`,
      rows,
      columns: [
        {
          label: say(dossier.recipe),
          isHeader: true,
          cell: ({ digest }) => recipeLink(call, digest, named.get(digest)),
        },
        {
          label: say(dossier.inZone, { sequence: arrival === undefined ? lastReceipt?.sequence : undefined }),
          isState: true,
          cell: (one) => stateCell(call, one, arrival),
        },
        ...(hasDisks
          ? [
              {
                label: say(dossier.disks),
                cell: ({ digest }: DeliveryRecipe) => disksCell(call, delivery, digest),
              },
            ]
          : []),
      ],
    })}${pages}`,
  };
}

/** The records about the delivery, the oldest first, for readers of the history. */
async function recordSection(call: Call, id: string): Promise<readonly Section[]> {
  if (!hasHistory(call)) return [];
  const { say, format } = call.words;
  const { found } = await findHistory(call.instance.context.config, {
    subject: id,
    order: 'asc',
    pageSize: mostRecords,
  });
  // an instance names its store in every record: only these are about a delivery, and a proof where a line says so
  const rows = toEvents(found).filter(
    ({ record: { action }, lines }) =>
      ofDeliveries.has(action) && (action !== 'media.prove' || lines !== undefined),
  );
  const pageOf = (record: string): string => toPath('/history/{record}', { record });
  return [
    {
      id: 'records',
      html: html`<h2>${say(dossier.records)}</h2>${table<HistoryEvent>({
        caption: say(dossier.records),
        empty: html`<p>${say(dossier.noRecords)}</p>`,
        rows,
        isBrief: true,
        columns: [
          {
            label: say(history.time),
            isHeader: true,
            isTime: true,
            fixedOrder: 'ascending',
            cell: ({ record: { ts }, id: record }) =>
              record === undefined
                ? format.time(ts)
                : html`<a href="${pageOf(record)}" title="${say(history.openRecord)}">${format.time(ts)}</a>`,
          },
          { label: say(history.actor), cell: ({ record }) => actorLink(call, record) },
          { label: say(history.action), isWhole: true, cell: ({ record }) => showAction(call, record) },
          {
            label: say(history.subject),
            cell: (event) => subjectCell(call, event, event.id === undefined ? undefined : pageOf(event.id)),
          },
          {
            label: say(history.outcome),
            isState: true,
            cell: ({ record }) => outcomeBadge(call, record),
          },
        ],
      })}<p class="way"><a href="${toPath('/history', {}, { subject: id })}">${say(dossier.allRecords)}</a></p>`,
    },
  ];
}

/** The page `/deliveries/{delivery}`: the records of one delivery, to be kept or printed. @throws SVC-REG-005 for one that no record names; as `showDeliveries` */
export async function showDelivery(call: Call): Promise<Page> {
  const { say } = call.words;
  const { delivery: id } = call.path;
  const delivery = await findKnownDelivery(call, id);
  const frame = { title: id, heading: untrusted(id), crumbs: [[say(dossier.title), '/deliveries']] as const };
  const codes = delivery.arrival === undefined ? new Map() : await listRefusals(call);
  return {
    ...frame,
    paper: [],
    sections: [
      { id: 'verdict', html: answerOf(call, delivery) },
      ...(await stepSection(call, delivery)),
      { id: 'delivery', html: factsOf(call, delivery, codes) },
      await recipeSection(call, delivery),
      ...(await recordSection(call, id)),
    ],
  };
}
