import { createCipheriv, createHash } from 'node:crypto';
import type { Digest } from '../../src/base/digest.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import type { Artifact } from '../kit/content/content.ts';
import { type Origin, publishRecipe, putSignatures, type RecipeSpec } from '../kit/content/origin.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { createSigner, type Signer } from '../kit/content/signer.ts';
import type { Bench } from './bench.ts';
import { startDistributionServer } from './servers/distribution-server.ts';
import { startSvcServer } from './servers/svc-server.ts';

const mebibyte = 2 ** 20;
/** Where the same recipes lie without a signature; the others are in `cookbook`. */
export const unsignedCookbook = 'unsigned-cookbook';
const architectures = ['amd64', 'arm64', 's390x'] as const;

export interface CorpusImage {
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
}

/** The mirrored content: signed images of three platforms that share layers, and signed recipes that name them, in a registry. */
export interface Corpus {
  /** The registry: `127.0.0.1:<port>`. */
  readonly host: string;
  readonly images: readonly CorpusImage[];
  readonly recipes: readonly { readonly name: string; readonly version: string }[];
  readonly signer: Signer;
  /** Bytes of all blobs. */
  readonly bytes: number;
  readonly blobs: number;
  /** Requests that the registry has answered since this was asked last; logging them costs little, and all alike. */
  takeRequests(): readonly string[];
}

const describe = (mediaType: string, bytes: Buffer): Descriptor => ({
  mediaType,
  digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  size: bytes.length,
});

function noise(seed: string, size: number): Buffer {
  const key = createHash('sha256').update(seed).digest();
  return createCipheriv('aes-128-ctr', key.subarray(0, 16), key.subarray(16)).update(Buffer.alloc(size));
}

const toManifest = (document: { readonly mediaType: string } & Readonly<Record<string, unknown>>) => {
  const bytes = Buffer.from(JSON.stringify(document));
  return { bytes, descriptor: describe(document.mediaType, bytes) };
};

const oci = 'application/vnd.oci.image';

/** One image: for each platform a layer of its own and one that two images share. */
function makeImage(number: number, sizes: { readonly own: number; readonly shared: number }): Artifact {
  const children = architectures.map((architecture) => {
    // sizes differ, as those of layers do
    const own = noise(`own ${number} ${architecture}`, Math.round(sizes.own * (0.25 + (number % 7) / 4)));
    const shared = noise(`shared ${number >> 1} ${architecture}`, sizes.shared);
    const layers = [shared, own].map((bytes) => ({
      bytes,
      descriptor: describe(`${oci}.layer.v1.tar`, bytes),
    }));
    const configuration = Buffer.from(
      JSON.stringify({
        architecture,
        os: 'linux',
        rootfs: { type: 'layers', diff_ids: layers.map(({ descriptor }) => descriptor.digest) },
      }),
    );
    const config = { bytes: configuration, descriptor: describe(`${oci}.config.v1+json`, configuration) };
    const manifest = toManifest({
      schemaVersion: 2,
      mediaType: `${oci}.manifest.v1+json`,
      config: config.descriptor,
      layers: layers.map(({ descriptor }) => descriptor),
    });
    return {
      platform: `linux/${architecture}`,
      artifact: { manifest, children: [], blobs: [config, ...layers] },
    };
  });
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: `${oci}.index.v1+json`,
    manifests: children.map(({ artifact }, i) => ({
      ...artifact.manifest.descriptor,
      platform: { os: 'linux', architecture: architectures[i] },
    })),
  });
  return { manifest, children, blobs: [] };
}

async function openCorpus(bench: Bench): Promise<Corpus> {
  const count = bench.size(40, 8);
  const perRecipe = bench.size(5, 2);
  const sizes = { own: bench.size(8, 1) * mebibyte, shared: bench.size(18, 2) * mebibyte };
  const requests: string[] = [];
  const program = bench.peer('registry') ?? bench.peer('docker-registry');
  const folder = await bench.createFolder('source');
  // without another registry, the project's own is the source for everybody
  const server = bench.keep(
    program
      ? await startDistributionServer(program, folder, {
          onRequest: (request) => void requests.push(request),
        })
      : await startSvcServer(folder, { authentication: 'none' }),
  );
  const at = (repository: string) => ({ registry: `http://${server.host}`, repository });
  const origin: Origin = {
    host: server.host,
    put: async (repository, artifact, tag) => {
      for (const { artifact: child } of artifact.children) await origin.put(repository, child);
      await pushArtifactOverHttp(at(repository), artifact, tag);
    },
    putTag: (repository, tag, manifest) => pushArtifactOverHttp(at(repository), { manifest, blobs: [] }, tag),
  };
  const signer = createSigner();
  const images: CorpusImage[] = [];
  const blobs = new Map<Digest, number>();
  for (let i = 0; i < count; i += 1) {
    const image = makeImage(i, sizes);
    const repository = `library/image-${i}`;
    await origin.put(repository, image, '1.0.0');
    // some peers verify images one by one
    await putSignatures(origin, repository, image.manifest.descriptor, [{ signer }]);
    images.push({ repository, tag: '1.0.0', digest: image.manifest.descriptor.digest });
    for (const { artifact } of image.children)
      for (const { descriptor } of artifact.blobs) blobs.set(descriptor.digest, descriptor.size);
  }
  const recipes: RecipeSpec[] = [];
  for (let i = 0; i < count; i += perRecipe) {
    const ingredients = images.slice(i, i + perRecipe).map(({ repository, tag, digest }, n) => ({
      name: `image-${i + n}`,
      repository,
      version: tag,
      digest,
    }));
    const spec = { name: `recipe-${i / perRecipe}`, version: '1.0.0', ingredients, signatures: [{ signer }] };
    await publishRecipe(origin, spec);
    await publishRecipe(origin, { ...spec, cookbook: unsignedCookbook, signatures: [] });
    recipes.push(spec);
  }
  return {
    host: server.host,
    images,
    recipes,
    signer,
    bytes: [...blobs.values()].reduce((sum, size) => sum + size, 0),
    blobs: blobs.size,
    takeRequests: () => requests.splice(0),
  };
}

/** The corpus of this run, made when it is needed first. */
export function getCorpus(bench: Bench): Promise<Corpus> {
  return bench.share('corpus', async () => {
    const corpus = await openCorpus(bench);
    bench.tell(
      `corpus: ${corpus.images.length} images of ${architectures.length} platforms, ${corpus.blobs} blobs, ${Math.round(corpus.bytes / mebibyte)} MiB, ${corpus.recipes.length} signed recipes`,
    );
    return corpus;
  });
}
