import type { Gate } from '../../../server/gate.ts';
import type { Digest } from '../../../src/base/digest.ts';

/** The gate of an instance whose store is its own, or that has no zone to guard. */
export function createOpenGate(options: {
  readonly rehash: boolean;
  onAltered?(digest: Digest): void;
}): Gate {
  return {
    guarded: false,
    mark: {},
    rehash: options.rehash,
    refusal: () => undefined,
    allowsRepository: () => true,
    allowsTag: () => true,
    allowsManifest: () => true,
    allowsBlob: () => true,
    isVerifiedFile: () => !options.rehash,
    onAltered: (digest) => options.onAltered?.(digest),
  };
}
