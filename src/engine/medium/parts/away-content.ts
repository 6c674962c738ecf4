import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { forEachBounded } from '../../../base/concurrency.ts';
import { type Digest, digestAlgorithm, toDigest } from '../../../base/digest.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import type { CallOptions } from '../../../oci/ports.ts';
import type { RepositoryReference } from '../../../oci/reference.ts';
import type { RemoteRegistry, RemoteRepository } from '../../../remote/model.ts';
import { svcError } from '../../../text/error.ts';
import type { Destination } from '../../promotion/model.ts';
import { toDestination } from '../../sync/recipe-places.ts';
import type { AwayBlob } from '../judge-file.ts';
import type { ClearedRecipe } from '../judge-recipe.ts';
import {
  findMisfit,
  joinRanges,
  type Origin,
  type Range,
  requireListed,
  type SegmentSpool,
  toKeeper,
  toRange,
} from './segment-spool.ts';

interface AwayContentOptions extends CallOptions {
  /** Real path of the medium. */
  readonly root: string;
  readonly registry: RemoteRegistry;
  readonly destination: Destination;
  /** Absent: only segments of this medium are used. */
  readonly spool?: SegmentSpool | undefined;
  /** The peer whose passport vouches for this medium, if one does. */
  readonly peer?: string | undefined;
  /**
   * Repositories of the destination by the digests of blobs that they have, from recipes with a valid signature. Called once,
   * and only for blobs that are not in their final repository. Default: none are known.
   */
  readonly homes?: (() => Promise<ReadonlyMap<Digest, readonly string[]>>) | undefined;
}

/** Blobs that recipes of a medium need, and that are not whole on it. */
export interface AwayContent {
  /** A repository of the destination for each blob that was found there; promotion mounts from it. */
  readonly holders: Map<Digest, string>;
  /**
   * Looks for the blobs: in the final repositories, elsewhere at the destination, and in segments.
   *
   * @returns those that are not found
   */
  find(recipe: ClearedRecipe): Promise<readonly AwayBlob[]>;
  /** Whether a blob was found. */
  has(digest: Digest): boolean;
  /**
   * Opens a found blob. Bytes of the registry are not verified.
   *
   * @throws SVC-REG-005 when it was not found, errors of the registry; the stream ends with SVC-MED-047 when segments do
   *   not make the blob
   */
  open(blob: Descriptor, options?: CallOptions): Promise<Readable>;
  /** Keeps the segments of this medium until the other ones arrive. @throws errors of the spool */
  keep(blobs: readonly AwayBlob[], origin?: Origin): Promise<void>;
  /** The parts of a delivery whose segments of a blob are kept, in ascending order. @throws SVC-STO-001, SVC-STO-014 */
  keptParts(blob: AwayBlob, delivery: string): Promise<readonly number[]>;
  /**
   * Forgets kept segments of a delivery that do not fit together: the one beside the others, where it can be told. All of them,
   * where every part that has one brought it, and they still do not make the blob.
   *
   * @returns the parts that brought them; none while a segment may still come
   */
  forgetMisfits(blob: AwayBlob, delivery: string): Promise<readonly number[]>;
  /** Removes the kept segments of a blob that arrived. */
  drop(digest: Digest): Promise<void>;
  /**
   * Removes kept segments of a blob that they do not make: those without a passport, where there are any. Else those of the
   * peer of this medium.
   *
   * @returns the parts that brought them, and whether others stay that may make the blob
   */
  dropMixed(digest: Digest): Promise<{ readonly parts: readonly number[]; readonly isOthers: boolean }>;
}

const requestsAtOnce = 8;

/** Opens the content that a medium lacks: in the registry of the zone, and in segments of several disks. */
export function openAwayContent(options: AwayContentOptions): AwayContent {
  const { root, registry, destination, spool, peer, signal } = options;
  const call: CallOptions = { signal };
  const holders = new Map<Digest, string>();
  const chains = new Map<Digest, Chain>();
  let homes: Promise<ReadonlyMap<Digest, readonly string[]>> | undefined;

  const at = (place: RepositoryReference): RemoteRepository =>
    registry.repository(place, { access: 'push', substitute: false });

  const listKept = async (digest: Digest): Promise<readonly Range[]> =>
    (await spool?.list(digest, peer)) ?? [];

  const findHome = async (blob: AwayBlob): Promise<string | undefined> => {
    homes ??= options.homes?.() ?? Promise.resolve(new Map());
    for (const repository of (await homes).get(blob.digest) ?? [])
      if (await hasBlob({ host: destination.registry, repository }, blob)) return repository;
    return undefined;
  };

  const hasBlob = (place: RepositoryReference, { digest, size }: AwayBlob): Promise<boolean> =>
    at(place).hasBlob({ mediaType: '', digest, size }, call);

  const isFound = async (blob: AwayBlob, places: readonly RepositoryReference[]): Promise<boolean> => {
    const { digest, size } = blob;
    if (holders.has(digest) || chains.has(digest)) return true;
    for (const place of places) {
      if (!(await hasBlob(place, blob))) continue;
      holders.set(digest, place.repository);
      return true;
    }
    const kept = blob.at === 'base' ? [] : await listKept(digest);
    const chain = joinRanges([...blob.segments.map((segment) => toRange(root, segment)), ...kept], size);
    if (chain !== undefined && size > 0) {
      chains.set(digest, { ranges: chain, blob });
      return true;
    }
    // the sender knows of no copy in the zone of content that it puts on another disk
    const home = blob.at === 'base' ? await findHome(blob) : undefined;
    if (home !== undefined) holders.set(digest, home);
    return home !== undefined;
  };

  const keptParts: AwayContent['keptParts'] = async ({ digest }, delivery) => {
    const kept = await listKept(digest);
    const parts = kept.flatMap(({ origin }) => (origin?.delivery === delivery ? [origin.part] : []));
    return [...new Set(parts)].sort((a, b) => a - b);
  };

  const dropMixed: AwayContent['dropMixed'] = async (digest) => {
    chains.delete(digest);
    const kept = await listKept(digest);
    const strange = kept.filter(({ origin }) => origin?.peer === undefined);
    const wrong = strange.length > 0 ? strange : peer === undefined ? [] : kept;
    for (const range of wrong) await spool?.drop(digest, range);
    const parts = [...new Set(wrong.flatMap(({ origin }) => origin?.part ?? []))];
    return { parts, isOthers: peer !== undefined && strange.length > 0 };
  };

  return {
    holders,
    has: (digest) => holders.has(digest) || chains.has(digest),
    find: async ({ recipe, away }) => {
      const places = new Map(
        recipe.ingredients.map(({ name, ref }) => [name, toDestination(destination, ref)]),
      );
      const missing: AwayBlob[] = [];
      await forEachBounded([...away.values()], requestsAtOnce, async (blob) => {
        signal?.throwIfAborted();
        if (
          !(await isFound(
            blob,
            blob.of.map((name) => places.get(name)!),
          ))
        )
          missing.push(blob);
      });
      return missing;
    },
    open: async (blob, { signal: asked } = {}) => {
      const chain = chains.get(blob.digest);
      if (chain !== undefined) return Readable.from(joined(root, chain), asked ? { signal: asked } : {});
      const repository = holders.get(blob.digest);
      if (repository === undefined) throw svcError('SVC-REG-005', { reference: blob.digest });
      return at({ host: destination.registry, repository }).fetchBlob(blob, { signal: asked });
    },
    keep: async (blobs, origin) => {
      for (const blob of blobs)
        if (blob.segments.length > 0) await spool?.keep(root, blob.segments, blob, origin);
    },
    keptParts,
    forgetMisfits: async (blob, delivery) => {
      const { digest, size, at: places } = blob;
      // of the others, none is known to be of the delivery
      const own = (await listKept(digest)).filter(({ origin }) => origin?.peer === toKeeper(peer));
      const misfit = findMisfit(own, delivery, size);
      if (misfit !== undefined) {
        await spool?.drop(digest, misfit);
        return misfit.origin === undefined ? [] : [misfit.origin.part];
      }
      const kept = new Set(await keptParts(blob, delivery));
      const isComplete = typeof places !== 'string' && places.every((part) => kept.has(part));
      if (!isComplete) return [];
      const { parts } = await dropMixed(digest);
      return parts;
    },
    dropMixed,
    drop: async (digest) => {
      chains.delete(digest);
      await spool?.drop(digest);
    },
  };
}

/** Ranges that make a blob, by their lengths. */
interface Chain {
  readonly ranges: readonly Range[];
  readonly blob: AwayBlob;
}

/**
 * The bytes of the ranges.
 *
 * @throws SVC-MED-011 where a file has another size than its range; after the last one, when they are not those of the blob,
 *   SVC-MED-012 for a segment of this medium that changed, else SVC-MED-047
 */
async function* joined(root: string, { ranges, blob }: Chain): AsyncGenerator<Buffer> {
  const { digest, at, segments } = blob;
  const hash = createHash(digestAlgorithm(digest));
  for (const { open } of ranges)
    for await (const chunk of await open()) {
      hash.update(chunk);
      yield chunk;
    }
  if (toDigest(digestAlgorithm(digest), hash) === digest) return;
  for (const segment of segments) await requireListed(root, segment);
  const parts = typeof at === 'string' ? undefined : at.map(String);
  throw svcError('SVC-MED-047', { digest, ...(parts ? { parts } : {}) });
}
