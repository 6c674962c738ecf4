import type { Store } from '../../src/store/model.ts';
import { openVolumeLook, type VolumeLook } from './volume-look.ts';

/** Looks at the folder of the store that is open now: another disk may have taken the place of the first one. */
export async function openStoreLook(store: Pick<Store, 'root' | 'place'>): Promise<VolumeLook> {
  let { place } = store;
  let opened = await openVolumeLook(store.root);
  return {
    look: async () => {
      if (place !== store.place) {
        const now = store.place;
        // one that is gone already is away, as the former look finds too
        opened = await openVolumeLook(store.root).catch(() => opened);
        place = now;
      }
      return opened.look();
    },
  };
}
