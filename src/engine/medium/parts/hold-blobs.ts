import { Readable } from 'node:stream';
import { forEachBounded, KeyedSerial, Semaphore } from '../../../base/concurrency.ts';
import { type Digest, hashBytes } from '../../../base/digest.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import { parseManifest } from '../../../oci/manifest.ts';
import { mediaTypes } from '../../../oci/media-types.ts';
import type { CallOptions, Source } from '../../../oci/ports.ts';
import { formatReference, type RepositoryReference } from '../../../oci/reference.ts';
import type { RemoteRegistry, RemoteRepository } from '../../../remote/model.ts';
import type { MediumHeader } from '../../../store/rest/media-manifest.ts';
import { isSvcError } from '../../../text/error.ts';
import { readGraph } from '../../copy/read-graph.ts';
import type { Destination } from '../../promotion/model.ts';
import { openPushTarget } from '../../promotion/push-target.ts';
import { toDestination } from '../../sync/recipe-places.ts';
import type { ClearedRecipe } from '../judge-recipe.ts';

/** Type of the manifest that keeps blobs of an incomplete delivery from being collected. */
const holdingType = 'application/vnd.svc.holding.v1+json';
const blobsAtOnce = 4;
const empty = Buffer.from('{}');
const emptyConfig: Descriptor = {
  mediaType: mediaTypes.ociEmpty,
  digest: hashBytes(empty),
  size: empty.length,
};

interface HoldOptions extends CallOptions {
  readonly registry: RemoteRegistry;
  readonly destination: Destination;
  /** The delivery of the medium. */
  readonly delivery: MediumHeader['delivery'];
  /** Opens the content of a recipe on the medium by its local repository. */
  readonly source: (repository: string) => Source;
  /** A repository of the destination for blobs that it has. Blobs that are pushed here are added. */
  readonly holders: Map<Digest, string>;
  readonly onBytes?: ((count: number) => void) | undefined;
}

/**
 * Puts blobs of recipes that wait for another disk into their final repositories. Registries remove blobs that no
 * manifest names, so each repository gets a manifest `svc-holding-<delivery>` that names them as its layers.
 */
export interface HeldBlobs {
  /**
   * Pushes the blobs of a recipe that are here, and names all that the destination has in the holding manifest.
   *
   * @param isHere whether a blob can be read from this medium
   * @param missing blobs that were looked for, and are neither here nor at the destination
   * @returns bytes that moved
   * @throws errors of the destination
   */
  hold(
    recipe: ClearedRecipe,
    isHere: (digest: Digest) => boolean,
    missing: ReadonlySet<Digest>,
  ): Promise<number>;
  /**
   * Removes the holding manifests of a recipe that landed from repositories that no waiting recipe needs.
   *
   * @returns references that the registry does not remove
   */
  release(recipe: ClearedRecipe): Promise<readonly string[]>;
}

/** @returns undefined for a medium that is not one of several: nothing waits for another one */
export function openHeldBlobs(options: HoldOptions): HeldBlobs | undefined {
  const { registry, destination, holders, signal, onBytes } = options;
  if (options.delivery === undefined || options.delivery.parts === 1) return undefined;
  const { id: delivery } = options.delivery;
  const call: CallOptions = { signal };
  const tag = `svc-holding-${delivery}`;
  const serial = new KeyedSerial();
  /** Of all recipes together: each upload has buffers of its own. */
  const uploads = new Semaphore(blobsAtOnce);
  /** The holding manifest of a repository, and the blobs that it names. */
  const named = new Map<string, { digest: Digest | undefined; readonly blobs: Map<Digest, Descriptor> }>();
  const waiting = new Set<string>();

  const open = (place: RepositoryReference) =>
    registry.repository(place, { access: 'push', substitute: false });

  /** The manifest under the tag, and the blobs that it names; none for other content under this tag. */
  const readNamed = async (place: RepositoryReference) => {
    const current = await open(place).fetchManifest(tag, call);
    const manifest = current && parseManifest(current.bytes);
    const isOwn = manifest?.kind === 'image' && manifest.artifactType === holdingType;
    const blobs = new Map((isOwn ? manifest.layers : []).map((layer) => [layer.digest, layer]));
    return { digest: current?.descriptor.digest, isOwn, blobs };
  };

  /** @returns false when the registry refuses the work */
  const isDone = async (work: Promise<unknown>): Promise<boolean> => {
    try {
      await work;
      return true;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isSvcError(error)) throw error;
      return false;
    }
  };
  const remove = (place: RepositoryReference, digest: Digest): Promise<boolean> =>
    isDone(open(place).deleteManifest(digest, call));
  /** @returns false when the registry does not show or not remove it */
  const removeNamed = (place: RepositoryReference): Promise<boolean> =>
    isDone(
      readNamed(place).then(async ({ digest, isOwn }) => {
        if (digest !== undefined && isOwn) await open(place).deleteManifest(digest, call);
      }),
    );

  const mount = async (target: RemoteRepository, blob: Descriptor): Promise<boolean> => {
    const holder = holders.get(blob.digest);
    return holder !== undefined && (await target.mountBlob(blob, holder, call));
  };

  const listGone = async (
    target: RemoteRepository,
    blobs: readonly Descriptor[],
  ): Promise<readonly Descriptor[]> => {
    const gone: Descriptor[] = [];
    await forEachBounded(blobs, blobsAtOnce, async (blob) => {
      if (!(await target.hasBlob(blob, call))) gone.push(blob);
    });
    return gone;
  };

  const name = (place: RepositoryReference, blobs: readonly Descriptor[]): Promise<void> => {
    const reference = formatReference(place);
    return serial.run([reference], async () => {
      let known = named.get(reference);
      if (known === undefined) {
        const { isOwn, ...found } = await readNamed(place);
        // not ours to replace
        if (found.digest !== undefined && !isOwn) return;
        known = found;
      }
      named.set(reference, known);
      const before = known.blobs.size;
      for (const { digest, size } of blobs)
        known.blobs.set(digest, { mediaType: 'application/octet-stream', digest, size });
      if (known.blobs.size === before) return;
      const target = open(place);
      if (!(await target.hasBlob(emptyConfig, call)))
        await target.pushBlob(emptyConfig, () => Readable.from([empty]), call);
      const put = async (): Promise<Digest> => {
        const bytes = toHoldingManifest(delivery, [...known.blobs.values()]);
        const descriptor = {
          mediaType: mediaTypes.ociManifest,
          digest: hashBytes(bytes),
          size: bytes.length,
        };
        await target.pushManifest(tag, { descriptor, bytes }, call);
        return descriptor.digest;
      };
      const former = known.digest;
      try {
        known.digest = await put();
      } catch (error) {
        signal?.throwIfAborted();
        // the registry lost a blob that an earlier part brought: its recipe waits for that part again
        const gone = await listGone(target, [...known.blobs.values()]);
        if (gone.length === 0) throw error;
        for (const { digest } of gone) known.blobs.delete(digest);
        known.digest = await put();
      }
      // without a tag, nothing would remove it later
      if (former !== undefined && former !== known.digest) await remove(place, former);
    });
  };

  return {
    hold: async ({ record, recipe }, isHere, missing) => {
      const repositories = new Map(record.ingredients.map((one) => [one.name, one.repository]));
      let moved = 0;
      for (const { name: ingredient, ref, version, digest, platforms } of recipe.ingredients) {
        const place = toDestination(destination, ref);
        const source = options.source(repositories.get(ingredient)!);
        const reference = `${formatReference(ref)}:${version}`;
        const { blobs } = await readGraph(source, digest, { ...call, reference, platforms });
        const target = openPushTarget(open(place));
        const there: Descriptor[] = [];
        const { repository } = target.effective;
        await forEachBounded(blobs, blobsAtOnce, async (blob) => {
          if (missing.has(blob.digest)) return;
          const isThere = holders.get(blob.digest) === repository || (await target.hasBlob(blob, call));
          if (!isThere && isHere(blob.digest) && !(await mount(target, blob))) {
            // opened only where the target reads it, and again when an upload breaks
            const from = () => source.fetchBlob(blob, call);
            await uploads.run(() => target.pushBlob(blob, from, { ...call, onBytes }));
            holders.set(blob.digest, repository);
            moved += blob.size;
          }
          if (isThere || isHere(blob.digest)) there.push(blob);
        });
        await target.confirm(call);
        waiting.add(formatReference(place));
        if (there.length > 0)
          await name(
            place,
            there.sort((a, b) => (a.digest < b.digest ? -1 : 1)),
          );
      }
      return moved;
    },
    release: async ({ recipe }) => {
      const places = new Map(
        recipe.ingredients.map(({ ref }) => {
          const place = toDestination(destination, ref);
          return [formatReference(place), place];
        }),
      );
      const kept = new Set<string>();
      await forEachBounded([...places], blobsAtOnce, async ([reference, place]) => {
        if (!waiting.has(reference) && !(await removeNamed(place))) kept.add(reference);
      });
      return [...places.keys()].filter((reference) => kept.has(reference)).map((one) => `${one}:${tag}`);
    },
  };
}

/** The manifest that names blobs as its layers. It differs for each delivery: deletion by digest removes all its tags. */
function toHoldingManifest(delivery: string, layers: readonly Descriptor[]): Buffer {
  return Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      artifactType: holdingType,
      config: emptyConfig,
      layers,
      annotations: { 'svc.delivery': delivery },
    }),
  );
}
