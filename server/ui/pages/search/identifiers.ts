import { selectNearest } from '../../../../src/base/nearest.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { errorCodes } from '../../../../src/text/errors/codes.ts';
import { listLedgerDeliveries } from '../../../../src/view/delivered/ledger-deliveries.ts';
import { findRecord, showHistory } from '../../../../src/view/history.ts';
import { findCarriedBeginning, findDelivery, findMedium } from '../../../views/find/find-named.ts';
import { takesMedia } from '../../../views/media.ts';
import { listTaskSummaries, showTask } from '../../../views/tasks.ts';
import { hasZones, mostShown, peekZones } from '../../../views/zones.ts';
import { toDeliveryPage } from '../../parts/delivery-link.ts';
import { hasHistory } from '../../parts/history-link.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { families } from '../help.ts';

/** The page of a medium or of a delivery, for readers who may open it. */
async function findCarried(call: PageCall, q: string): Promise<string | undefined> {
  const delivery = toDeliveryPage(call, q);
  if (delivery !== undefined) {
    const isKnown =
      (await findDelivery(call, q)) ?? (await listLedgerDeliveries(call)).find(({ id }) => id === q);
    return isKnown && delivery;
  }
  const found = call.can('operator') ? await findMedium(call, q) : undefined;
  return found === undefined || found === 'medium' ? found && '/media' : toDeliveryPage(call, found.id);
}

/** An identifier with the page that it leads to. */
export interface FoundIdentifier {
  readonly id: string;
  readonly path: string;
}

/** The identifiers that begin with a text and that only records of the history name, with these records. */
async function findRecorded(call: PageCall, q: string): Promise<readonly FoundIdentifier[]> {
  if (!hasHistory(call) || !/^(?:dlv|med)_[0-9a-f]{2,16}$/.test(q)) return [];
  const { records } = await showHistory(call.instance.context.config, { subject: q });
  const ids = new Set(records.flatMap(({ target = '' }) => (target.startsWith(q) ? [target] : [])));
  return [...ids].map((id) => ({
    id,
    path: toDeliveryPage(call, id) ?? toPath('/history', {}, { subject: id }),
  }));
}

/** The deliveries on their way to a zone whose identifier begins with a text, as the boards of the zones name them. */
async function findAwaited(call: PageCall, q: string): Promise<readonly FoundIdentifier[]> {
  if (!hasZones(call) || !/^dlv_[0-9a-f]{2,16}$/.test(q)) return [];
  const boards = [...(await peekZones(call, mostShown)).values()];
  return boards.flatMap(({ name: zone, deliveries }) =>
    deliveries
      .filter(({ id }) => id.startsWith(q))
      .map(({ id }) => ({ id, path: toDeliveryPage(call, id) ?? toPath('/zones/{zone}', { zone }) })),
  );
}

/** The delivery that the name of one of its disks, or the beginning of that name, has in it; other texts as they are. */
const toDelivery = (q: string): string => q.replace(/^dlv-([0-9a-f]{2,12})(?:-[0-9]{1,6})?$/, 'dlv_$1');

/** The deliveries and media whose identifier begins with a text, for readers who may open their pages. */
export async function findIdentifiers(call: PageCall, text: string): Promise<readonly FoundIdentifier[]> {
  const q = toDelivery(text);
  const recorded = [...(await findAwaited(call, q)), ...(await findRecorded(call, q))];
  if (!call.can('operator')) return recorded;
  const { deliveries, media } = await findCarriedBeginning(call, q);
  const found = [
    ...deliveries.map((one) => ({ id: one.id, path: toDeliveryPage(call, one.id) })),
    ...media.map(({ id, delivery }) => ({
      id,
      path: delivery === undefined ? '/media' : toDeliveryPage(call, delivery.id),
    })),
  ].flatMap(({ id, path }) => (path === undefined ? [] : [{ id, path }]));
  return [...found, ...recorded.filter(({ id }) => !found.some((other) => other.id === id))];
}

async function findAudited(call: PageCall, q: string): Promise<string | undefined> {
  if (!hasHistory(call) || !/^[ac][0-9]{1,15}-[0-9]{1,15}$/.test(q)) return undefined;
  const record = await findRecord(call.instance.context.config, q);
  return record && toPath('/history/{record}', { record: q });
}

/** Where a text that names one thing leads; undefined when it is a text to look for. */
export async function findOne(call: PageCall, q: string): Promise<string | undefined> {
  const code = errorCodes.find((each) => each === q.toUpperCase() || each === `SVC-${q.toUpperCase()}`);
  if (code !== undefined) return `/help#${code}`;
  if (q === call.store.mediaId) return takesMedia(call) && call.can('operator') ? '/media' : '/about';
  const known = (await findCarried(call, toDelivery(q))) ?? (await findAudited(call, q));
  if (known !== undefined) return known;
  if (/^tsk_[0-9a-f]+$/.test(q)) {
    try {
      return toPath('/tasks/{id}', { id: (await showTask(call, call.identity, q)).id });
    } catch (error) {
      if (!isSvcError(error, 'SVC-TSK-001')) throw error;
    }
  }
  // the correlation identifier of a task, or of the request that started it, as an error and the page of the task print it
  const [first, ...others] = listTaskSummaries(call, call.identity, { q, pageSize: 2 }).tasks;
  if (
    first !== undefined &&
    others.length === 0 &&
    (first.runId === q.toLowerCase() || first.requestId === q)
  )
    return toPath('/tasks/{id}', { id: first.id });
  return undefined;
}

/** The error code that a text is meant to be: `SIG-1`, `svc sig 1`, or the nearest one of its family. */
export function findMeantCode(q: string): string | undefined {
  const [, prefix = '', family = '', number = ''] =
    /^(svc[-_ ]?)?([a-z]{2,8})[-_ ]?([0-9]{1,4})$/i.exec(q) ?? [];
  const isFamily = (families as readonly string[]).includes(family.toUpperCase());
  if (number === '' || !(isFamily || prefix !== '')) return undefined;
  const written = `SVC-${family.toUpperCase()}-${String(Number(number)).padStart(3, '0')}`;
  return errorCodes.find((each) => each === written) ?? selectNearest(written, errorCodes);
}
