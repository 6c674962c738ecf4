import type { Store } from '../../src/store/model.ts';
import { openVolumeLook, type VolumeLook } from './volume-look.ts';

/** Looks at the folder of the store that is open now: another disk may have taken the place of the first one. */
export async function openStoreLook(store: Pick<Store, 'root' | 'place'>): Promise<VolumeLook> {
  let { place } = store;
  let opened = await openVolumeLook(store.root);
  /** Remembers the folder of a store that was opened again, unless another one is in its place already. */
  const follow = async (): Promise<void> => {
    const now = store.place;
    const found = await openVolumeLook(store.root);
    await now.requireInPlace();
    opened = found;
    place = now;
  };
  return {
    look: async () => {
      // the former look finds a disk that is gone away too
      if (place !== store.place) await follow().catch(() => {});
      return opened.look();
    },
  };
}
