import { Semaphore } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { Once } from '../../base/once.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions, Source } from '../../oci/ports.ts';
import type { RepositoryReference } from '../../oci/reference.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import type { SvcError } from '../../text/error.ts';
import type { FoundSignatures } from '../../trust/discover.ts';
import { listSound } from '../../trust/judge.ts';
import { carrySignatures } from '../copy/carry-signatures.ts';
import type { BlobQuestion, CopyOptions } from '../copy/copy-graph.ts';
import type { PromotionOptions } from './model.ts';
import { openPushTarget, type PushTarget } from './push-target.ts';

type Copying = Omit<CopyOptions, 'platforms' | 'tag' | 'beforeRoot'>;

/** Shared state of all pushes of a promotion into one destination. */
export interface PushSession {
  open(place: RepositoryReference): PushTarget;
  /** Options to copy a graph: a blob is uploaded once, and mounted in the other repositories that need it. */
  copying(source: Source, target: PushTarget, reference: string): Copying;
  /**
   * Carries the signatures of a subject.
   *
   * @param scopePath path of the subject for trust scopes; decides which signatures are sound
   * @param need `one`: a signature that verifies must be listed at the destination; `none`: signatures that cannot be
   *   listed there are only logged
   * @returns numbers of bytes and of artifacts that moved
   */
  carry(
    found: FoundSignatures,
    source: Source,
    target: PushTarget,
    subject: Digest,
    reference: string,
    scopePath: string,
    need: 'one' | 'none',
  ): Promise<{ readonly bytes: number; readonly count: number }>;
}

/** Blobs that the destination is asked for at the same time, below manifests that it has. */
const questionsAtOnce = 8;

export function openPushSession(options: PromotionOptions): PushSession {
  const { registry, policy, report, signal, onBytes } = options;
  const call: CallOptions = { signal };
  const limiter = options.limiter ?? new Semaphore(4);
  /** A repository of the destination that has the blob, by digest. */
  const holders = options.holders ?? new Map<Digest, string>();
  /** Whether a host has the referrers API. */
  const apis = new Once<string, boolean>();
  /** Blobs that are being uploaded. */
  const pushing = new Map<Digest, PromiseWithResolvers<void>>();

  const questions = new Semaphore(questionsAtOnce);
  /** Whether a repository lacks a blob: artifacts share their blobs. */
  const lost = new Once<string, boolean>();
  /** Whether a blob was found in a repository, or uploaded, in this promotion: it is not asked for again. */
  const isHolder = ({ effective: { repository } }: RemoteRepository, digest: Digest): boolean =>
    holders.get(digest) === repository;
  const toQuestion = (target: PushTarget): BlobQuestion | undefined => {
    if (options.asksForBlobs !== true) return undefined;
    return async (blob) =>
      !isHolder(target, blob.digest) &&
      lost.run(`${target.effective.repository}@${blob.digest}`, () =>
        questions.run(() => target.lacksBlob(blob, call)),
      );
  };

  const open = (place: RepositoryReference): PushTarget => {
    const target = openPushTarget(registry.repository(place, { access: 'push', substitute: false }));
    return {
      ...target,
      hasBlob: async (blob, at) => isHolder(target, blob.digest) || target.hasBlob(blob, at),
    };
  };

  const copying: PushSession['copying'] = (source, target, reference) => ({
    ...call,
    reference,
    limiter,
    // a manifest shows its blobs to be there: the next run of a synchronization does not look below it
    check: () => target.confirm(call),
    isLost: toQuestion(target),
    foreignLayers: 'where-present' as const,
    ...(onBytes ? { onBytes } : {}),
    // waits for an upload of the same blob to another repository, then mounts it
    mountFrom: async (digest: Digest) => {
      for (let upload = pushing.get(digest); upload; upload = pushing.get(digest)) await upload.promise;
      const holder = holders.get(digest);
      if (holder !== undefined && holder !== target.effective.repository) return holder;
      pushing.set(digest, Promise.withResolvers<void>());
      return undefined;
    },
    onPut: ({ digest }: Descriptor) => {
      holders.set(digest, target.effective.repository);
    },
    // each attempt opens the source again, so that a broken upload can be repeated
    moveBlob: async (blob: Descriptor, { onBytes: count }: { onBytes: (count: number) => void }) => {
      try {
        await target.pushBlob(blob, () => source.fetchBlob(blob, call), { ...call, onBytes: count });
        holders.set(blob.digest, target.effective.repository);
        return true;
      } finally {
        pushing.get(blob.digest)?.resolve();
        pushing.delete(blob.digest);
      }
    },
  });

  const carry: PushSession['carry'] = async (found, source, target, subject, reference, scopePath, need) => {
    const unlisted = new Map<'classic' | 'bundle', SvcError>();
    const place = `${target.effective.host}/${target.effective.repository}`;
    const { moved } = await carrySignatures(found, source, target, subject, {
      ...call,
      reference,
      place,
      trust: { policy, scopePath },
      limiter,
      isLost: toQuestion(target),
      check: () => target.confirm(call),
      ...(onBytes ? { onBytes } : {}),
      onLeftOut: (tag, count) =>
        report.log(
          'warn',
          'Signatures at the destination that do not verify are left out: not all signatures fit',
          { destination: `${place}:${tag}`, count },
        ),
      onRepoint: (tag, from, to) =>
        report.log('info', 'Signatures at the destination are merged', {
          destination: `${place}:${tag}`,
          from,
          digest: to,
        }),
      onUnlisted: (layout, error) => unlisted.set(layout, error),
      hasReferrersApi: () => {
        const { host } = target.effective;
        return apis.run(host, () => target.hasReferrersApi(subject, call));
      },
      putFallback: (referrers) => target.putReferrerFallback(subject, referrers, call),
    });
    for (const [layout, error] of unlisted) {
      const isListed = layout === 'bundle' && !unlisted.has('classic');
      const sound = isListed ? await listSound(subject, found.evidence, policy, scopePath) : new Set();
      if (need === 'one' && sound.size === 0) throw error;
      report.log('warn', 'Signatures are not listed at the destination', { destination: place, error });
    }
    return moved;
  };

  return { open, copying, carry };
}
