import type { PackedFileset } from '../../contract/fileset.ts';
import { type PackFilesetInput, packFileset } from '../pack-fileset.ts';
import type { Instance } from './instance.ts';

/**
 * Packs a folder below `files.packRoots`, and reviews the served FileSets.
 *
 * @throws the reason of the signal, SVC-FIL-001…003, SVC-POL-002, SVC-SRV-007 and the errors of the store
 */
export function packBelowRoots(
  { context, store, filesets, packs }: Pick<Instance, 'context' | 'store' | 'filesets' | 'packs'>,
  input: Omit<PackFilesetInput, 'store' | 'within' | 'look' | 'onBytes'>,
): Promise<PackedFileset> {
  return packs.run(async () => {
    input.signal?.throwIfAborted();
    const within = context.config.files.packRoots;
    const packed = await packFileset(context, { ...input, store: async () => store, within });
    filesets.review(input.actor, input.origin);
    return packed.fileset;
  });
}
