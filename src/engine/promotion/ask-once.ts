import type { Digest } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { RemoteRepository } from '../../remote/model.ts';

/**
 * The repository as one crossing sees it: where a tag leads is asked once, and a manifest that a tag leads to is there.
 * Against a destination that has everything this is half of the requests.
 */
export function askOnce(target: RemoteRepository): RemoteRepository {
  const tags = new Map<string, Promise<Descriptor | undefined>>();
  const found = new Set<Digest>();
  return {
    ...target,
    resolve(reference, options) {
      const known = tags.get(reference);
      if (known) return known;
      const asked = target.resolve(reference, options).then((descriptor) => {
        if (descriptor) found.add(descriptor.digest);
        return descriptor;
      });
      tags.set(reference, asked);
      // what could not be asked may be asked again
      asked.catch(() => tags.delete(reference));
      return asked;
    },
    hasManifest: async (digest, options) => found.has(digest) || target.hasManifest(digest, options),
    pushManifest(reference, manifest, options) {
      tags.delete(reference);
      return target.pushManifest(reference, manifest, options);
    },
  };
}
