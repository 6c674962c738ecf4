import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { diffRecipes, openRecipeDocument } from '../../../src/authoring/door.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import type { ManifestContent, Source } from '../../../src/oci/ports.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { svcError } from '../../../src/text/error.ts';
import { toBlob, toManifest } from '../../kit/content/content.ts';
import { pushArtifact } from '../../kit/content/push-artifact.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { type HostileContent, requireCost } from './hostile-cost.ts';
import type { Draw } from './run-histories.ts';

/** Half of it is room. */
const loop = 10_000;
const name = 'hostile/content';

/** Registries that have nothing. */
const nothing = {
  fetchManifest: async () => undefined,
  fetchBlob: () => Promise.reject(svcError('SVC-REG-005', { reference: 'x' })),
} as unknown as Source;

async function start(folder: string): Promise<TestServer> {
  const remote = { registry: { repository: () => nothing } } as unknown as Parameters<
    typeof openRecipeDocument
  >[0];
  return startTestServer({
    folder,
    operations: {
      diffSides: async (_view, { old, new: now, signal }) => {
        const open = (side: typeof old) =>
          openRecipeDocument(remote, { document: (side as { document: Buffer }).document, file: 'x' });
        return diffRecipes(await open(old), await open(now), signal);
      },
    },
  });
}

/** Sends a request, and reads the answer without looking at it. */
async function send(server: TestServer, method: string, path: string, body?: string): Promise<void> {
  const headers = {
    authorization: server.as.operator,
    accept: 'text/html',
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  const sent = request(`${server.url}${path}`, { method, headers });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
}

interface Requests {
  /** Bytes that are hostile. */
  readonly bytes: number;
  /** Puts them where the requests find them. */
  seed?(put: (manifest: ManifestContent, tag?: string) => Promise<void>): Promise<void>;
  /** Each is measured by itself. */
  readonly requests: readonly (readonly [method: string, path: string, body?: string])[];
  readonly perByte: number;
}

const config = toBlob('{}', mediaTypes.ociConfig);
const toImage = (further: Readonly<Record<string, unknown>> = {}): ManifestContent =>
  toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers: [],
    ...further,
  });

const ingredient = (i: number, digest: string, version: string): string =>
  `  - {name: i${i}, kind: ContainerImage, ref: r.example/a, version: ${version}, digest: "sha256:${digest}"}\n`;
const toRecipe = (count: number, toLine: (i: number) => string): string =>
  `apiVersion: recipe.tobby.dev/v1alpha1\nkind: Recipe\nmetadata: {name: hostile, version: 1.0.0}\nspec:\n  ingredients:\n${Array.from({ length: count }, (_, i) => toLine(i)).join('')}`;
const toDigest = (i: number): string => i.toString(16).padStart(64, '0');

/** Manifests by the place of their annotations; `each` makes those of one of several places. */
const annotated: Readonly<Record<string, (each: (part: number) => object) => ManifestContent>> = {
  'an image': (each) => toImage({ annotations: each(1) }),
  'its config': (each) => toImage({ config: { ...config.descriptor, annotations: each(1) } }),
  'its subject': (each) => toImage({ subject: { ...toImage().descriptor, annotations: each(1) } }),
  layers: (each) =>
    toImage({ layers: Array.from({ length: 8 }, () => ({ ...config.descriptor, annotations: each(8) })) }),
  'an index': (each) =>
    toManifest({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [], annotations: each(1) }),
  children: (each) =>
    toManifest({
      schemaVersion: 2,
      mediaType: mediaTypes.ociIndex,
      manifests: Array.from({ length: 8 }, () => ({ ...toImage().descriptor, annotations: each(8) })),
    }),
};

const texts: Readonly<Record<string, (bytes: number) => string>> = {
  tabs: (n) => '\t'.repeat(n),
  'line feeds': (n) => '\n'.repeat(n),
  'a long line': (n) => 'a'.repeat(n),
  backslashes: (n) => '\\'.repeat(n),
  flows: (n) => `a: {${Array.from({ length: n / 8 }, (_, i) => `k${i}`).join(', ')}}`,
};

const kinds: Readonly<Record<string, (draw: Draw, bytes: number) => Requests>> = {
  children: (draw, bytes) => {
    const isNamed = draw.chance(0.5);
    const isSame = draw.chance(0.5);
    const image = toImage();
    const manifests = Array.from({ length: Math.min(bytes / 160, 10_000) }, (_, i) => ({
      ...image.descriptor,
      ...(isSame || i === 0 ? {} : { digest: `sha256:${toDigest(i)}` }),
      ...(isNamed ? { platform: { os: 'linux', architecture: `a${isSame ? 0 : i}` } } : {}),
    }));
    const index = toManifest({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests });
    return {
      bytes: index.bytes.length,
      seed: async (put) => {
        await put(image);
        await put(index, 'i1');
      },
      requests: [
        ['GET', `/api/v1/content/${name}/-/tags/i1`],
        ['GET', `/api/v1/content/${name}`],
        ['GET', `/content/${name}/-/tags/i1`],
        ['GET', `/content/${name}`],
      ],
      perByte: 0.3,
    };
  },
  annotations: (draw, bytes) => {
    const place = draw.pick(Object.keys(annotated));
    // up to the most that a manifest may have; all besides is refused
    const perAnnotation = draw.pick([12, 40, 1000, 100_000]);
    const each = (part: number) =>
      Object.fromEntries(
        Array.from(
          { length: Math.ceil(Math.min((2 * bytes) / perAnnotation, 11_000 * part) / part) },
          (_, i) => [`k${i}`, 'v'.repeat(perAnnotation - 11)],
        ),
      );
    const manifest = annotated[place]!(each);
    return {
      bytes: manifest.bytes.length,
      seed: (put) => put(toImage()),
      requests: [
        ['PUT', `/v2/${name}/manifests/many`, manifest.bytes.toString()],
        ['GET', `/content/${name}/-/tags/many`],
        ['GET', `/api/v1/content/${name}/-/tags/many`],
        ['GET', `/content/${name}`],
        ['GET', `/v2/${name}/referrers/${toImage().descriptor.digest}`],
      ],
      perByte: 1,
    };
  },
  referrers: (draw, bytes) => {
    const subject = toImage();
    const size = draw.pick([300, 3000]);
    const count = Math.min(bytes / (size + 500), 600);
    const referrers = Array.from({ length: count }, (_, i) =>
      toImage({
        artifactType: 'a/b',
        subject: subject.descriptor,
        annotations: { i: `${i}${'x'.repeat(size)}` },
      }),
    );
    return {
      bytes: count * (size + 500),
      seed: async (put) => {
        for (const one of [subject, ...referrers]) await put(one);
      },
      requests: [['GET', `/v2/${name}/referrers/${subject.descriptor.digest}`]],
      perByte: 1,
    };
  },
  lint: (draw, bytes) => {
    const version = draw.pick(['latest', '1.0.0']);
    const document = toRecipe(Math.min(bytes / 140, 10_000), (i) => ingredient(i, toDigest(1), version));
    return {
      bytes: document.length,
      requests: [['POST', '/api/v1/recipes/lint', JSON.stringify({ document })]],
      perByte: 25,
    };
  },
  diff: (_draw, bytes) => {
    const count = 2 * Math.floor(Math.min(bytes / 560, 5000));
    const [old, now] = [0, count].map((from) =>
      toRecipe(count, (i) => ingredient(i + (from > 0 ? count / 2 : 0), toDigest(i + from), '1.0.0')),
    );
    return {
      bytes: 2 * now!.length,
      requests: [
        ['POST', '/api/v1/recipes/diff', JSON.stringify({ old: { document: old }, new: { document: now } })],
      ],
      perByte: 30,
    };
  },
  bodies: (draw, bytes) => {
    const kind = draw.pick(Object.keys(texts));
    const document = texts[kind]!(Math.min(2 * bytes, 4_194_304));
    const body = JSON.stringify({ document });
    return { bytes: body.length, requests: [['POST', '/api/v1/recipes/lint', body]], perByte: 15 };
  },
  fixed: () => ({
    bytes: 0,
    requests: ['/help', '/about', '/api-docs', '/api/v1/tasks?pageSize=200', '/api/v1/openapi.yaml'].map(
      (path) => ['GET', path] as const,
    ),
    perByte: 0,
  }),
};

function toContent(kind: string, made: Requests): HostileContent {
  return {
    name: `requests of ${kind}, ${made.bytes} bytes`,
    run: async () => {
      await using folder = await openTempFolder();
      await using server = await start(folder.path);
      const repository = openRepository(server.store, name, { owner: { provenance: 'import' } });
      await made.seed?.(async (manifest, tag) =>
        pushArtifact(repository, { manifest, blobs: [config] }, tag),
      );
      for (const [method, path, body] of made.requests)
        await requireCost(made.bytes, { held: loop, base: 400_000, perByte: made.perByte }, () =>
          send(server, method, path, body),
        );
    },
  };
}

/** Draw requests that are hostile, or that ask for something hostile, by their subject. */
export const requestMakes: Readonly<Record<string, (draw: Draw, bytes: number) => HostileContent>> =
  Object.fromEntries(
    Object.entries(kinds).map(([kind, make]) => [
      `requests of ${kind}`,
      (draw: Draw, bytes: number) => toContent(kind, make(draw, bytes)),
    ]),
  );
