import { Readable } from 'node:stream';
import type { Layout } from '../../../src/archive/model.ts';
import type { Digest } from '../../../src/base/digest.ts';
import { documentOf, includesSignatures } from '../../../src/catalog/tag-rules.ts';
import type { Owner } from '../../../src/contract/content.ts';
import { importLayout } from '../../../src/engine/layout/import-layout.ts';
import { openOwnCookbook } from '../../../src/engine/publish/own-cookbook.ts';
import { publishRecipe } from '../../../src/engine/publish/publish-recipe.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { kindOf } from '../../../src/oci/kind.ts';
import { type Manifest, parseManifest } from '../../../src/oci/manifest.ts';
import { bundleTypePrefix, mediaTypes } from '../../../src/oci/media-types.ts';
import type { ManifestContent } from '../../../src/oci/ports.ts';
import { toRecipeArtifact } from '../../../src/recipe/artifact.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { collectGarbage } from '../../../src/store/collect.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { putManifest } from '../../../src/store/put-manifest.ts';
import { putTags } from '../../../src/store/put-tags.ts';
import { readStoredManifest } from '../../../src/store/read-stored-manifest.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { type Blob, toBlob, toManifest } from '../../kit/content/content.ts';
import { uploadAsClient } from '../../kit/content/push-as-client.ts';
import type { TestServer } from '../../kit/instance/server.ts';

/** Repositories `<name>/<host>/app` are those of recipes of this cookbook. */
export const cookbookHost = 'book.example';

/** The tag that every history is about. */
export const tag = '1.0.0';

/** A manifest with the blobs that it needs. */
export interface Piece {
  readonly content: ManifestContent;
  readonly blobs: readonly Blob[];
  readonly document?: Buffer;
}

const empty = toBlob('{}', mediaTypes.ociEmpty);

/** Recipes of one name and version: other documents, each in manifests of two times. */
export const recipes: readonly Piece[] = [0, 1, 2].flatMap((n) =>
  ['2026-01-01T00:00:00Z', '2026-02-02T00:00:00Z'].map((created): Piece => {
    const ingredient = { name: 'x', kind: 'ContainerImage', ref: 'registry.example/x', version: `${n}` };
    const document = Buffer.from(
      JSON.stringify({
        apiVersion: 'recipe.tobby.dev/v1alpha1',
        kind: 'Recipe',
        metadata: { name: 'app', version: tag },
        spec: { ingredients: [{ ...ingredient, digest: `sha256:${'a'.repeat(64)}` }] },
      }),
    );
    const { manifest, blobs } = toRecipeArtifact(document, parseRecipe(document, 'recipe'), created);
    return { content: manifest, blobs, document };
  }),
);
const config = toBlob('{"i":1}', mediaTypes.ociConfig);
export const image: Piece = {
  content: toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers: [],
  }),
  blobs: [config],
};

const payload = toBlob('{"critical":1}', mediaTypes.simpleSigning);
/** A signature manifest of the classic layout, with these signatures. */
export function toSignature(...signatures: string[]): Piece {
  return toPadded(0, ...signatures);
}

/** More signatures than a client may add to those of a recorded recipe. */
export const crowd: readonly string[] = Array.from({ length: 300 }, (_, i) => `theirs ${i}`);

/** Signatures with an annotation of so many bytes each. */
export function toPadded(bytes: number, ...signatures: string[]): Piece {
  const layers = signatures.map((signature) => ({
    ...payload.descriptor,
    annotations: {
      'dev.cosignproject.cosign/signature': signature,
      ...(bytes > 0 ? { padding: 'x'.repeat(bytes) } : {}),
    },
  }));
  const document = { schemaVersion: 2, mediaType: mediaTypes.ociManifest, config: empty.descriptor, layers };
  return { content: toManifest(document), blobs: [empty, payload] };
}

export function toBundle({ content: { descriptor } }: Piece): Piece {
  const { mediaType, digest, size } = descriptor;
  const document = {
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    artifactType: `${bundleTypePrefix}3+json`,
    config: empty.descriptor,
    layers: [],
    subject: { mediaType, digest, size },
  };
  return { content: toManifest(document), blobs: [empty] };
}

/** The signature tag of a recipe. */
export function signatureOf({ content }: Piece): string {
  return `${content.descriptor.digest.replace(':', '-')}.sig`;
}

function isRefusal(error: unknown): boolean {
  return isSvcError(error) && error.class === 'policy';
}

/** One repository of a running instance, and everything that writes its tags. */
export interface TagWorld extends AsyncDisposable {
  /** The work of a client of the registry; true if the instance accepted it. */
  push(piece: Piece, at: string): Promise<boolean>;
  remove(reference: string): Promise<boolean>;
  publish(piece: Piece): Promise<boolean>;
  /** As an import of one artifact, and of a layout. */
  importUnit(piece: Piece, at: string): Promise<boolean>;
  importLayout(piece: Piece, at: string): Promise<boolean>;
  /** As a synchronization brings a recipe with its signatures, and records it. */
  sync(piece: Piece): Promise<boolean>;
  /** As a synchronization brings an ingredient of another recipe. */
  syncIngredient(piece: Piece, at: string): Promise<boolean>;
  collect(): Promise<void>;
  /** Throws when a tag that may not change has changed. */
  check(): Promise<void>;
}

export function openTagWorld(server: TestServer, repository: string): TagWorld {
  const { store } = server;
  /** The published document, and the author of its first record. */
  let published: { readonly document: Digest; readonly isRecorded: boolean } | undefined;
  const recorded = new Map<string, { readonly signature: Manifest; readonly bundle: Digest }>();

  const taken = async (work: Promise<unknown>): Promise<boolean> => {
    try {
      await work;
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  };
  const parse = ({ content }: Piece): Manifest => parseManifest(content.bytes, content.descriptor.mediaType);
  const bring = async (
    { content, blobs }: Piece,
    by: 'app@1.0.0' | 'other@1.0.0' | 'import',
    at?: string,
  ) => {
    const owner: Owner =
      by === 'import' ? { provenance: by } : { provenance: 'recipe', recipe: by, cookbook: cookbookHost };
    const target = openRepository(store, repository, { owner });
    for (const { descriptor, bytes } of blobs)
      if (!(await target.hasBlob(descriptor))) await target.pushBlob(descriptor, Readable.from([bytes]));
    await putManifest(store, repository, content, { owner, ...(at === undefined ? {} : { tag: at }) });
    return owner;
  };
  const manifestAt = async (at: string): Promise<Manifest | undefined> => {
    const known = store.index.tag(repository, at);
    const content = known && (await readStoredManifest(store, known.digest));
    return content && parseManifest(content.bytes, content.descriptor.mediaType);
  };

  return {
    push: async ({ content, blobs }, at) => {
      for (const blob of blobs) await uploadAsClient(store, repository, blob);
      const { status } = await server.fetch(`/v2/${repository}/manifests/${at}`, {
        method: 'PUT',
        headers: { 'content-type': content.descriptor.mediaType, authorization: server.as.operator },
        body: content.bytes as never,
      });
      // a delete beside it may have taken the blobs
      if (![201, 403, 404].includes(status)) throw new Error(`PUT ${at} answers ${status}`);
      return status === 201;
    },
    remove: async (reference) => {
      const { status } = await server.fetch(`/v2/${repository}/manifests/${reference}`, {
        method: 'DELETE',
        headers: { authorization: server.as.operator },
      });
      if (![202, 403, 404].includes(status)) throw new Error(`DELETE ${reference} answers ${status}`);
      return status === 202;
    },
    publish: ({ document }) =>
      taken(
        publishRecipe(() => openOwnCookbook(store, repository, 'operator'), {
          document: document!,
          file: 'recipe.yaml',
          reference: { host: 'here.example', repository, tag },
          created: '2026-03-03T00:00:00Z',
        }),
      ),
    importUnit: (piece, at) =>
      taken(
        bring(piece, 'import', at).then((owner) => {
          const { digest } = piece.content.descriptor;
          return putTags(store, [{ repository, tag: at, digest, kind: kindOf(parse(piece)), owner }]);
        }),
      ),
    importLayout: async ({ content, blobs }, at) => {
      const known = new Map(blobs.map(({ descriptor, bytes }) => [descriptor.digest, bytes]));
      const entry: Descriptor = {
        ...content.descriptor,
        annotations: { 'org.opencontainers.image.ref.name': `${repository}:${at}` },
      };
      const layout: Layout = {
        path: '/nowhere',
        format: 'directory',
        entries: [entry],
        lost: [],
        source: {
          resolve: async () => undefined,
          fetchManifest: async (digest) => (digest === content.descriptor.digest ? content : undefined),
          fetchBlob: async ({ digest }) => Readable.from([known.get(digest)!]),
          hasBlob: async ({ digest }) => known.has(digest),
          hasManifest: async (digest) => digest === content.descriptor.digest,
        },
        locate: () => undefined,
        blobs: known.keys(),
        [Symbol.asyncDispose]: async () => {},
      };
      const { entries } = await importLayout({ layout, store, target: {} });
      const { error } = entries[0]!;
      if (error && !isRefusal(error)) throw error;
      return error === undefined;
    },
    sync: async (piece) => {
      const signature = toSignature('ours');
      const bundle = toBundle(piece);
      const at = signatureOf(piece);
      const by = 'app@1.0.0';
      const isTaken = await taken(
        (async () => {
          const owner = await bring(signature, by, at);
          await bring(bundle, by);
          await bring(piece, by, tag);
          const { digest } = store.index.tag(repository, at)!;
          await putTags(store, [{ repository, tag: at, digest, kind: 'OCIArtifact', owner }]);
        })(),
      );
      if (!isTaken) return false;
      if (published?.isRecorded && published.document !== documentOf(parse(piece)))
        throw new Error(`a recorded recipe was replaced: ${published.document}`);
      published = { document: documentOf(parse(piece))!, isRecorded: true };
      recorded.set(at, { signature: parse(signature), bundle: bundle.content.descriptor.digest });
      return true;
    },
    syncIngredient: (piece, at) => taken(bring(piece, 'other@1.0.0', at)),
    collect: async () => void (await collectGarbage(store)),
    check: async () => {
      const now = documentOf(await manifestAt(tag));
      const isThere = store.index.tag(repository, tag) !== undefined;
      if (published?.isRecorded && now === undefined) throw new Error('a recorded recipe has lost its tag');
      if (published && isThere && now !== published.document)
        throw new Error(`a published recipe changed from ${published.document} to ${now ?? 'no recipe'}`);
      if (now !== undefined && published === undefined) published = { document: now, isRecorded: false };
      for (const [at, { signature, bundle }] of recorded) {
        if (!includesSignatures(await manifestAt(at), signature)) throw new Error(`${at} lost a signature`);
        if (!store.index.isManifestIn(repository, bundle)) throw new Error(`a bundle is gone: ${bundle}`);
      }
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
