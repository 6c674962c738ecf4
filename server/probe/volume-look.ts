import { stat } from 'node:fs/promises';
import { orAfter } from '../../src/base/within.ts';
import { openDeviceLook } from '../../src/disk/place/block-device.ts';
import { isSameNode, type Node } from '../../src/disk/place/same-node.ts';
import { isOutOfResources } from '../../src/disk/read-error.ts';
import { inspectVolume } from '../../src/disk/volume.ts';

/** State of a folder and its volume. Sizes in bytes. */
export type VolumeState =
  | { readonly state: 'present'; readonly freeBytes: number; readonly totalBytes: number }
  /** The folder is absent, another one is in its place, its disk was pulled out, or it did not answer. */
  | { readonly state: 'away' }
  /** It could not be asked, for a reason that says nothing about it. */
  | { readonly state: 'unknown' };

/** Looks at a folder that the instance opened, and at the volume that it is on. */
export interface VolumeLook {
  look(): Promise<VolumeState>;
}

/** Milliseconds after which a volume counts as away: a server or disk that hangs does not fail. */
const defaultPatience = 2000;

/**
 * Remembers a folder and makes the function that looks at it. Looks at the same time share one, so that a volume that
 * hangs takes one thread of the process and not all of them.
 *
 * @param options for tests: `ask` identifies the folder, `patience` in milliseconds, `devices` as `openDeviceLook` has it
 * @throws the operating system's error when the folder is absent
 */
export async function openVolumeLook(
  path: string,
  options: {
    readonly ask?: (path: string) => Promise<Node<number>>;
    readonly patience?: number;
    readonly devices?: string;
  } = {},
): Promise<VolumeLook> {
  const { ask = stat, patience = defaultPatience } = options;
  const opened = await ask(path);
  const isDeviceGone = await openDeviceLook(opened.dev, options.devices);
  let underWay: Promise<VolumeState> | undefined;

  const inspect = async (): Promise<VolumeState> => {
    try {
      if (!isSameNode(opened, await ask(path), path) || (await isDeviceGone())) return { state: 'away' };
      const { freeBytes, totalBytes } = await inspectVolume(path);
      return { state: 'present', freeBytes, totalBytes };
    } catch (error) {
      return { state: isOutOfResources(error) ? 'unknown' : 'away' };
    }
  };

  return {
    look: () => {
      underWay ??= inspect().finally(() => {
        underWay = undefined;
      });
      return orAfter<VolumeState>(patience, underWay, { state: 'away' });
    },
  };
}
