import { isSvcError } from '../../src/text/error.ts';
import { lastPlanOf } from '../views/plan.ts';
import { showVolume } from '../views/volume.ts';
import type { PageCall } from './ui-route.ts';

const numbers = new WeakMap<object, number>();
let last = 0;

/** Names an object that is replaced and never changed, without looking into it. */
function numberOf(object: object | undefined): number {
  if (object === undefined) return 0;
  const known = numbers.get(object);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(object, last);
  return last;
}

/** The state of the medium; undefined while it is read, because that changes all the time. */
async function mediumState({ operations: { media } }: PageCall): Promise<unknown[] | undefined> {
  if (media === undefined) return [];
  const { running, report, failure, ...rest } = media.verification();
  if (running !== undefined) return undefined;
  return [rest, numberOf(report), numberOf(failure), await media.state()];
}

/**
 * Everything of the instance that a live section may show, as one text: where two polls have the same, the section is the
 * same for the same reader. It says too much rather than too little: a section of which nothing changed is then made, and
 * found to be the same by its hash.
 *
 * @param more what only this page shows, of which the state changes all the time while others do not care
 * @returns undefined while something runs whose state changes all the time, or that cannot be asked
 */
export async function shownState(call: PageCall, more: readonly unknown[] = []): Promise<string | undefined> {
  const { store, gate, operations, tasks } = call;
  if (tasks.activity().running !== undefined) return undefined;
  try {
    const volume = await showVolume(call);
    // a volume that is away is asked nothing more: the process would wait for it
    if (volume === undefined) return undefined;
    const medium = await mediumState(call);
    if (medium === undefined) return undefined;
    const { scrub: _scrub, ...retriever } = operations.retriever();
    // the moment of the sample is that of the call, and no live section shows it
    const { sampledAt: _, ...occupancy } = operations.occupancy();
    return JSON.stringify([
      // recipes, repositories and their sizes
      store.head,
      store.mediaId,
      store.readOnly !== undefined,
      tasks.revision,
      gate.refusal()?.code ?? '',
      gate.guarded,
      numberOf(gate.mark),
      retriever,
      occupancy,
      operations.preflightDisabled,
      numberOf(lastPlanOf(call)),
      volume,
      medium,
      more,
    ]);
  } catch (error) {
    // the page words it
    if (isSvcError(error)) return undefined;
    throw error;
  }
}
