import { orAfter } from '../../src/base/within.ts';
import type { ConditionName, Readiness } from './readiness.ts';

/** Reads the conditions of the instance now, as `/readyz` reports them. Never rejects. */
export type ReadConditions = () => Promise<ReadonlySet<ConditionName>>;

/** Milliseconds for which a reading is used: a page looks at the volumes at most once in this time. */
const life = 1000;
/** Milliseconds that a page waits for a reading. A volume that hangs must not hold up every page. */
const defaultPatience = 100;

/**
 * Makes the function by which pages and the API read the conditions of the instance. A reading is shared by all that ask
 * within a second. When it takes too long, the one before it is returned; the next request finds its result.
 *
 * @param read see `createReadiness`
 * @param patience milliseconds
 */
export function createConditions(read: () => Promise<Readiness>, patience = defaultPatience): ReadConditions {
  let latest: ReadonlySet<ConditionName> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;

  const refresh = async (): Promise<void> => {
    try {
      latest = new Set((await read()).conditions.map(({ name }) => name));
    } catch {
      // `/readyz` answers with this error; a page shows the last known conditions
    } finally {
      readAt = performance.now();
      underWay = undefined;
    }
  };

  return async () => {
    if (underWay === undefined && performance.now() - readAt >= life) underWay = refresh();
    if (underWay === undefined) return latest;
    await orAfter(patience, underWay, undefined);
    return latest;
  };
}
