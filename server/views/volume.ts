import type { Volume } from '../../src/contract/status.ts';
import type { Store } from '../../src/store/model.ts';
import type { ViewParts } from './parts.ts';

const shown = new WeakMap<Store, Volume>();

/**
 * Keeps the figures shown before while they are right to one per cent of the free space. Others write to the volume all
 * the time, and a page must not be sent again for each of their bytes. The less is free, the more exact they are.
 */
export function selectShown(before: Volume | undefined, now: Volume): Volume {
  if (before?.totalBytes !== now.totalBytes) return now;
  return Math.abs(now.freeBytes - before.freeBytes) <= now.freeBytes / 100 ? before : now;
}

/** Shows the room on the volume of the store; undefined when the volume is away or cannot be asked. */
export async function showVolume({
  store,
  volumes,
}: Pick<ViewParts, 'store' | 'volumes'>): Promise<Volume | undefined> {
  const found = await volumes.store.look();
  if (found.state !== 'present') return undefined;
  const { freeBytes, totalBytes } = found;
  const view = selectShown(shown.get(store), { freeBytes, totalBytes });
  shown.set(store, view);
  return view;
}
