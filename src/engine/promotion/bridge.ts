import { Semaphore } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions, Source } from '../../oci/ports.ts';
import { type RepositoryReference, signatureTag } from '../../oci/reference.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import { collectSignatures, type FoundSignatures } from '../../trust/discover.ts';
import { judgeSignatures } from '../../trust/judge.ts';
import { carrySignatures } from '../carry-signatures.ts';
import type { CopyOptions } from '../copy-graph.ts';
import { askOnce } from './ask-once.ts';
import type { PromotionOptions } from './model.ts';

type Copying = Omit<CopyOptions, 'platforms' | 'tag' | 'beforeRoot'>;

/** The way into one destination, over which everything of a promotion goes; it remembers what went. */
export interface Bridge {
  open(place: RepositoryReference): RemoteRepository;
  /** How a graph is copied over it: a blob crosses once, and is mounted wherever else it is wanted. */
  copying(source: Source, target: RemoteRepository, reference: string): Copying;
  /** Carries the signatures of a subject. @returns what moved */
  carry(
    found: FoundSignatures,
    source: Source,
    target: RemoteRepository,
    subject: Digest,
    scopePath: string,
    reference: string,
  ): Promise<{ readonly bytes: number; readonly count: number }>;
}

export function openBridge(options: PromotionOptions): Bridge {
  const { registry, policy, report, signal, onBytes } = options;
  const call: CallOptions = signal ? { signal } : {};
  const lanes = options.lanes ?? new Semaphore(4);
  /** Repositories of the destination by blob that they are known to have. */
  const homes = new Map<Digest, string>();
  /** Blobs on their way. */
  const pushing = new Map<Digest, PromiseWithResolvers<void>>();

  const open = (place: RepositoryReference): RemoteRepository =>
    askOnce(registry.repository(place, { access: 'push', substitute: false }));

  const copying: Bridge['copying'] = (source, target, reference) => ({
    ...call,
    reference,
    lanes,
    foreignLayers: 'where-present' as const,
    ...(onBytes ? { onBytes } : {}),
    // what another ingredient is pushing just now is waited for and mounted: it crosses once
    mountFrom: async (digest: Digest) => {
      for (let crossing = pushing.get(digest); crossing; crossing = pushing.get(digest))
        await crossing.promise;
      const home = homes.get(digest);
      if (home !== undefined && home !== target.effective.repository) return home;
      pushing.set(digest, Promise.withResolvers<void>());
      return undefined;
    },
    onPut: ({ digest }: Descriptor) => {
      homes.set(digest, target.effective.repository);
    },
    // opened anew for each attempt, so that a broken upload is repeated
    moveBlob: async (blob: Descriptor, { onBytes: count }: { onBytes: (count: number) => void }) => {
      try {
        await target.pushBlob(blob, () => source.fetchBlob(blob, call), { ...call, onBytes: count });
        homes.set(blob.digest, target.effective.repository);
        return true;
      } finally {
        pushing.get(blob.digest)?.resolve();
        pushing.delete(blob.digest);
      }
    },
  });

  const carry: Bridge['carry'] = async (found, source, target, subject, scopePath, reference) => {
    const { moved } = await carrySignatures(found, source, target, subject, {
      ...call,
      reference,
      lanes,
      ...(onBytes ? { onBytes } : {}),
      keepsClassic: async () => {
        const standing = await collectSignatures(target, subject, call);
        const tag = signatureTag(subject);
        const classic = standing.evidence.filter((one) => one.layout === 'classic' && one.tag === tag);
        const isValid =
          judgeSignatures(subject, classic, policy, scopePath, { allowUnsigned: false }).outcome ===
          'verified';
        if (isValid)
          report.log('info', 'A signature at the destination differs and still verifies: left as it is', {
            destination: `${target.effective.host}/${target.effective.repository}`,
            digest: subject,
          });
        return isValid;
      },
      onRepoint: (tag, from, to) =>
        report.log('warn', 'A signature tag at the destination is re-pointed', {
          destination: `${target.effective.host}/${target.effective.repository}:${tag}`,
          from,
          digest: to,
        }),
      putFallback: (referrers) => target.putReferrerFallback(subject, referrers, call),
    });
    return moved;
  };

  return { open, copying, carry };
}
