import { imageOf, splitId } from '../../scene/split-delivery.ts';
import type { HostilePart, HostileScene } from './hostile-part.ts';

const restore = ({ delivery, double }: HostileScene): void => delivery.putBase(double);

/** A registry that no longer has what it had when the delivery was made, or what an earlier part brought. */
export const bases: readonly HostilePart[] = [
  {
    name: 'a base that is gone before the last part',
    before: [1],
    part: 2,
    spoil: (_part, { double, delivery }) => double.remove(imageOf('yard'), delivery.layers.yard[0]),
    yard: 'SVC-MED-040',
    repair: restore,
  },
  {
    name: 'a base that is gone before the first part',
    part: 2,
    spoil: (_part, { double, delivery }) => double.remove(imageOf('yard'), delivery.layers.yard[0]),
    yard: 'SVC-MED-040',
    repair: restore,
  },
  {
    name: 'a base that is gone, and another part that is needed too',
    spoil: (_part, { double, delivery }) => double.remove(imageOf('yard'), delivery.layers.yard[0]),
    yard: 'SVC-MED-040',
    repair: restore,
  },
  {
    name: 'a base that has other bytes under the digest',
    part: 2,
    spoil: (_part, { double, delivery }) =>
      double.corrupt(imageOf('yard'), delivery.layers.yard[0], Buffer.alloc(7)),
    yard: 'SVC-MED-040',
    repair: restore,
  },
  {
    name: 'a holding manifest that somebody removed',
    before: [1],
    part: 2,
    spoil: (_part, { double }) => {
      const tag = `svc-holding-${splitId}`;
      double.remove(imageOf('shop'), double.manifest(imageOf('shop'), tag)!.digest);
      double.untag(imageOf('shop'), tag);
    },
  },
];
