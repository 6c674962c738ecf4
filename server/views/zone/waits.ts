import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { listReceived } from '../../../src/view/received-deliveries.ts';
import type { Run } from '../../../src/view/runs.ts';
import { listWaits, type Waits } from '../../../src/view/zone/waits.ts';
import { takesMedia } from '../media.ts';
import type { Viewer, ViewParts } from '../parts.ts';
import { listRuns } from '../runs.ts';

type Parts = Pick<ViewParts, 'instance' | 'tasks' | 'conditions'>;

/** Milliseconds after which the records are read again although their folders did not change. */
const freshFor = 10_000;
/** Milliseconds after a change of a folder in which another change can leave its time as it is. */
const unsettledFor = 1000;

interface Known {
  readonly at: number;
  /** Times of the folders of the records. */
  readonly marks: string;
  readonly waits: Promise<Waits | undefined>;
}
/** By the list of runs, which is another one after each run. */
const known = new WeakMap<readonly Run[], Known>();

/**
 * Lists the recipes that the zone still waits for, independent of the last medium. Undefined without a zone or a state, while the
 * state does not answer, and where a record cannot be read. Most calls cost a look at two folders.
 */
export async function listWaitsNow(parts: Parts, viewer: Viewer): Promise<Waits | undefined> {
  const {
    state: { root },
    zone,
  } = parts.instance.context.config;
  if (!takesMedia(parts) || root === undefined || zone === undefined) return undefined;
  if ((await parts.conditions()).has('state-away')) return undefined;
  const runs = await listRuns(parts, viewer);
  // records are replaced, so that the time of their folder changes
  const folders = ['media', 'media/deliveries'];
  const times = await Promise.all(folders.map((folder) => timeOf(join(root, folder))));
  const marks = times.join(' ');
  const now = performance.now();
  const before = known.get(runs);
  if (before?.marks === marks && now - before.at < freshFor) return before.waits;
  const waits = readWaits(parts, zone, root, runs);
  if (times.every((time) => systemClock.wall() - time > unsettledFor))
    known.set(runs, { at: now, marks, waits });
  waits.catch(() => known.delete(runs));
  return waits;
}

const timeOf = (folder: string): Promise<number> =>
  stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

async function readWaits(
  { instance }: Parts,
  zone: string,
  stateRoot: string,
  runs: readonly Run[],
): Promise<Waits | undefined> {
  try {
    const [received, freshness, landings] = await Promise.all([
      listReceived(stateRoot),
      instance.freshness?.get(zone),
      instance.freshness?.landings.get(zone),
    ]);
    const hasSource = instance.context.config.retriever.source !== undefined;
    return listWaits({ received, runs, freshest: freshness?.runId, hasSource, highest: landings?.recipes });
  } catch (error) {
    // the page of the medium reports a record that cannot be read
    if (isSvcError(error)) return undefined;
    throw error;
  }
}
