import type { Digest } from '../base/digest.ts';
import { toJsonPieces } from '../base/json/json-pieces.ts';
import { KeptWork } from '../base/kept-work.ts';
import { Pacer } from '../base/pacer.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { Manifest } from '../oci/manifest.ts';
import { parseManifestInTurns } from '../oci/parse-in-turns.ts';
import { formatPlatform, toPlatform } from '../oci/platform.ts';
import { attestedChild } from '../oci/select-children.ts';
import type { Store } from '../store/model.ts';
import { readStoredManifest } from '../store/read-stored-manifest.ts';

/** Bytes of manifests that are kept, of each store. */
const keptBytes = 32 << 20;
/** Bytes of a manifest besides its texts. */
const ownBytes = 256;

const keptOf = new WeakMap<object, KeptWork<Digest, Manifest>>();

/**
 * Reads and parses a manifest of the store, once for all that show it at the same time or soon after. Of the children of an
 * index, each is listed once for each platform. Returns undefined when the store does not have its bytes.
 *
 * @throws as `readStoredManifest`
 */
export async function readParsed(store: Store, digest: Digest): Promise<Manifest | undefined> {
  // content that is gone, or was found damaged, is not shown from memory
  if (store.index.sizeOf(digest) === undefined) return undefined;
  const kept = keptOf.get(store.index) ?? new KeptWork<Digest, Manifest>(keptBytes);
  keptOf.set(store.index, kept);
  return kept.run(digest, async () => {
    const content = await readStoredManifest(store, digest);
    if (content === undefined) return undefined;
    const { bytes, descriptor } = content;
    const parsed = await parseManifestInTurns(bytes, descriptor.mediaType);
    if (parsed.kind === 'image')
      return { value: parsed, bytes: bytes.length + ownBytes * (1 + parsed.layers.length) };
    const { manifests, texts } = await unite(parsed.manifests);
    const own = Math.min(bytes.length, await measureText({ ...parsed, manifests: [] }));
    return {
      value: { ...parsed, manifests },
      bytes: own + texts + ownBytes * (1 + manifests.length),
    };
  });
}

async function measureText(value: unknown): Promise<number> {
  const pacer = new Pacer();
  let length = 0;
  for (const piece of toJsonPieces(value)) {
    length += piece.length;
    if (pacer.isDue()) await pacer.rest();
  }
  return length;
}

/** Lists each digest once for each platform, with the members that are shown. */
async function unite(
  all: readonly Descriptor[],
): Promise<{ readonly manifests: readonly Descriptor[]; readonly texts: number }> {
  const pacer = new Pacer();
  const united = new Map<string, Descriptor>();
  let texts = 0;
  for (const child of all) {
    if (pacer.isDue()) await pacer.rest();
    const { mediaType, digest, size } = child;
    const platform = child.platform && toPlatform(child.platform);
    const attested = attestedChild(child);
    const name = platform === undefined ? '' : formatPlatform(platform);
    const key = `${digest} ${name} ${attested !== undefined}`;
    if (united.has(key)) continue;
    texts += key.length + mediaType.length;
    united.set(key, {
      mediaType,
      digest,
      size,
      ...(platform === undefined ? {} : { platform }),
      ...(attested === undefined ? {} : { annotations: child.annotations! }),
    });
  }
  return { manifests: [...united.values()], texts };
}
