import type { Digest } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { RemoteRepository } from '../../remote/model.ts';

/**
 * A view of a repository for pushing one artifact: each tag is resolved once, and a manifest found by its tag
 * is known to exist. This halves the requests to a destination that is up to date.
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
      // a failed request is not remembered
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
