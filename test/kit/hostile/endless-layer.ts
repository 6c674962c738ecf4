import { statfsSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { hashBytes } from '../../../src/base/digest.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { type Artifact, buildImage, toManifest } from '../content/content.ts';
import { putHole } from '../content/put-holes.ts';
import { type CarriedMedium, carry } from '../scene/carried-medium.ts';
import { type BuiltMedium, buildMedium, type MediumRecipe } from '../scene/medium.ts';

const { blocks, bsize } = statfsSync(tmpdir());
/** A layer that takes longer to read than a test lasts. A file larger than its volume would not be read. */
const size = Math.floor(blocks * 0.9) * bsize;
const hole = { mediaType: mediaTypes.ociLayer, digest: hashBytes('endless'), size };

/** An image whose last layer has no end. */
export function buildEndlessImage(): Artifact {
  const [config] = buildImage('endless').blobs;
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config!.descriptor,
    layers: [hole],
  });
  return { manifest, children: [], blobs: [config!] };
}

/** A carried medium whose walk is under way until its instance stops: a recipe of it has an image without end. */
export interface EndlessMedium extends AsyncDisposable {
  readonly made: BuiltMedium;
  readonly carried: CarriedMedium;
}

/** @param signer of its recipes, which the instance trusts: untrusted content is not read */
export async function carryEndless(
  recipes: readonly MediumRecipe[],
  signer: BuiltMedium['signer'],
): Promise<EndlessMedium> {
  const made = await buildMedium({
    signer,
    before: (store) => putHole(store, hole.digest, hole.size),
    recipes,
  });
  // nothing that copies the medium reads a hole; the copy gets it back
  const [, hex] = hole.digest.split(':');
  await truncate(`${made.root}/blobs/sha256/${hex}`, 0);
  const carried = await carry(made);
  await truncate(carried.blob(hole.digest), hole.size);
  return { made, carried, [Symbol.asyncDispose]: () => made[Symbol.asyncDispose]() };
}
