import { isSvcError } from '../../src/base/error.ts';
import { inspectVolume } from '../../src/disk/volume.ts';
import type { ViewParts } from './parts.ts';

/** Room on the volume of the store, in bytes. */
export interface VolumeView {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Shows the room on the volume of the store; undefined when the volume cannot be asked. */
export async function showVolume({ store }: Pick<ViewParts, 'store'>): Promise<VolumeView | undefined> {
  try {
    const { freeBytes, totalBytes } = await inspectVolume(store.root);
    return { freeBytes, totalBytes };
  } catch (error) {
    if (isSvcError(error)) return undefined;
    throw error;
  }
}
