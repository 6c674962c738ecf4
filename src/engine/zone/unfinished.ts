import { isSent, isWritten, type SentDelivery } from '../../contract/write-medium.ts';

/** A running task that writes disks, with the folders that it was given. */
export interface RunningWriting {
  readonly id: string;
  /** Separated by `, `. */
  readonly reference: string;
}

/** The running task that writes a delivery which is not written yet: the one into its folders, or into one above them. */
export function findWriting<T extends RunningWriting>(
  sent: SentDelivery,
  folders: readonly string[],
  running: readonly T[],
): T | undefined {
  if (isWritten(sent) || folders.length === 0) return undefined;
  return running.find(({ reference }) => {
    const places = reference.split(', ');
    return folders.every((folder) =>
      places.some((place) => folder === place || folder.startsWith(`${place}/`)),
    );
  });
}

/** The first delivery of these, the latest first, that was written and proved after another one, which was not. */
export function findReplacement(sent: SentDelivery, all: readonly SentDelivery[]): SentDelivery | undefined {
  return isSent(sent) ? undefined : all.findLast((one) => isSent(one) && one.sequence > sent.sequence);
}

/** Selects the deliveries to a zone whose writing broke off: no task writes them, and no later delivery replaced them. */
export const selectUnfinished = (
  deliveries: readonly SentDelivery[],
  running: readonly RunningWriting[],
): readonly SentDelivery[] =>
  deliveries.filter(
    (one) =>
      !isWritten(one) &&
      findReplacement(one, deliveries) === undefined &&
      findWriting(one, one.room?.folders ?? [], running) === undefined,
  );
