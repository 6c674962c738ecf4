import { forEachBounded } from '../../base/concurrency.ts';
import { type Digest, digestAlgorithm, isDigest } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { fallbackTag } from '../../oci/reference.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

/** A repository of the destination, for pushing one artifact. */
export interface PushTarget extends RemoteRepository {
  /**
   * Asks the destination for everything that it accepted since the last call: an answer of 201 alone does not show
   * that it keeps the content. One HEAD for each blob, tag and manifest.
   *
   * @throws SVC-REG-007, in later calls too, for the first content that the destination does not have, errors of the client
   */
  confirm(options?: CallOptions): Promise<void>;
}

const requestsAtOnce = 8;

/** Opens the view of a repository through which one artifact is pushed. */
export function openPushTarget(repository: RemoteRepository): PushTarget {
  const target = askOnce(repository);
  const { host, repository: path } = repository.effective;
  const blobs = new Map<Digest, Descriptor>();
  /** Digests by tag or digest; undefined where the registry client chose the content. */
  const manifests = new Map<string, Digest | undefined>();
  let asked: Promise<unknown> = Promise.resolve();

  const requireBlob = async (blob: Descriptor, options?: CallOptions): Promise<void> => {
    if (await repository.lacksBlob(blob, options)) throw toForgotten(`${host}/${path}@${blob.digest}`);
  };

  const requireManifest = async (
    reference: string,
    digest?: Digest,
    options?: CallOptions,
  ): Promise<void> => {
    if (isDigest(reference)) {
      if (await repository.hasManifest(reference, options)) return;
      throw toForgotten(`${host}/${path}@${reference}`);
    }
    const found = (await repository.resolve(reference, options))?.digest;
    // registries name tagged content by sha256, also when its pin uses another algorithm
    const isOther =
      digest !== undefined &&
      found !== undefined &&
      found !== digest &&
      digestAlgorithm(found) === digestAlgorithm(digest);
    if (found === undefined || isOther) throw toForgotten(`${host}/${path}:${reference}`);
  };

  return {
    ...target,
    async pushBlob(blob, from, options) {
      await target.pushBlob(blob, from, options);
      blobs.set(blob.digest, blob);
    },
    async mountBlob(blob, from, options) {
      const isMounted = await target.mountBlob(blob, from, options);
      if (isMounted) blobs.set(blob.digest, blob);
      return isMounted;
    },
    async pushManifest(reference, manifest, options) {
      await target.pushManifest(reference, manifest, options);
      manifests.set(reference, manifest.descriptor.digest);
    },
    async putReferrerFallback(subject, referrers, options) {
      await target.putReferrerFallback(subject, referrers, options);
      manifests.set(fallbackTag(subject), undefined);
    },
    async confirm(options) {
      const pushed = [
        ...[...blobs.values()].map((blob) => () => requireBlob(blob, options)),
        ...[...manifests].map(
          ([reference, digest]) =>
            () =>
              requireManifest(reference, digest, options),
        ),
      ];
      blobs.clear();
      manifests.clear();
      // parallel copies of one artifact share its blobs: each waits for the questions that another one asks
      asked = Promise.all([asked, forEachBounded(pushed, requestsAtOnce, (check) => check())]);
      asked.catch(() => {});
      await asked;
    },
  };
}

function toForgotten(reference: string): Error {
  return svcError('SVC-REG-007', {
    reference,
    detail: rule([
      'the registry accepted it and does not have it',
      fr`le registre l’a accepté et ne l’a pas`,
    ]),
  });
}

/**
 * A view of a repository for pushing one artifact: each tag is resolved once, and a manifest found by its tag
 * is known to exist. This halves the requests to a destination that is up to date.
 */
function askOnce(target: RemoteRepository): RemoteRepository {
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
