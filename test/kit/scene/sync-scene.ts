import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Digest } from '../../../src/base/digest.ts';
import type { Config } from '../../../src/config/model.ts';
import type { ConfigWith } from '../../../src/config/requirements.ts';
import type { PlanAnswer } from '../../../src/contract/plan.ts';
import type { PrunePreview } from '../../../src/contract/recipe.ts';
import type { Task } from '../../../src/contract/task.ts';
import type { SyncOutcome } from '../../../src/engine/sync/run-sync.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { type Context, openContext, selectPrune } from '../../../src/operation/context.ts';
import { planSync } from '../../../src/operation/plan-sync.ts';
import { previewPrune } from '../../../src/operation/prune-preview.ts';
import { sync } from '../../../src/operation/sync.ts';
import { toRecipeArtifact } from '../../../src/recipe/artifact.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import type { OpenStoreOptions, Store } from '../../../src/store/model.ts';
import { openStore, peekStore } from '../../../src/store/opening/open-store.ts';
import { writeRetriever } from '../content/retriever.ts';
import {
  createSigner,
  type SignatureArtifact,
  type SignatureLayout,
  type Signer,
  type SignOptions,
} from '../content/signer.ts';
import { openMemoryFolder } from '../instance/memory-folder.ts';
import { createMemoryJournal } from '../instance/memory-journal.ts';
import { createRecordingReport, type RecordingReport } from '../instance/recording-report.ts';
import { openTempFolder } from '../instance/temp-folder.ts';
import {
  createRegistryDouble,
  type RegistryDouble,
  type RegistryDoubleOptions,
} from '../result/registry-double.ts';

type Deep<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[]
    ? T[K]
    : T[K] extends object | undefined
      ? Deep<NonNullable<T[K]>>
      : T[K];
};

export interface IngredientInput {
  readonly name: string;
  readonly kind?: string;
  /** Repository at the origin. */
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
  readonly platforms?: readonly string[];
  readonly artifactType?: string;
  /** Host written in the recipe; the origin's by default. */
  readonly host?: string;
}

export interface PublishOptions {
  readonly sign?: SignatureLayout | 'none';
  readonly signer?: Signer;
  readonly signing?: SignOptions;
  readonly host?: string;
  readonly cookbook?: string;
  /** Rewrites the document after it was validated: an author need not hold to any rule. */
  readonly rewrite?: (document: string) => string;
}

export interface SyncScene extends AsyncDisposable {
  readonly folder: string;
  readonly origin: RegistryDouble;
  readonly signer: Signer;
  readonly report: RecordingReport;
  readonly storeRoot: string;
  config(change?: Deep<Config>): ConfigWith<'storage.root'>;
  /** An image; with platforms an index of one image each. Layers are random, besides those given. */
  putImage(
    repository: string,
    tag: string,
    options?: { platforms?: readonly string[]; layers?: readonly Buffer[]; registry?: RegistryDouble },
  ): Descriptor;
  publish(
    name: string,
    version: string,
    ingredients: readonly IngredientInput[],
    options?: PublishOptions,
  ): Descriptor;
  pushSignature(repository: string, artifact: SignatureArtifact, registry?: RegistryDouble): void;
  /** Writes the Retriever: `name` → version or constraint. */
  setRetriever(
    recipes: readonly (readonly [name: string, version: string])[],
    options?: { host?: string; name?: string; cookbook?: string },
  ): Promise<void>;
  openStore(options?: Partial<OpenStoreOptions>): Promise<Store>;
  run(options?: {
    change?: Deep<Config>;
    prune?: boolean;
    /** Of the preview of the prune that was confirmed. */
    pruneFingerprint?: string;
    before?: Task;
    signal?: AbortSignal;
    context?: Context;
  }): Promise<{
    readonly outcome: SyncOutcome;
    readonly task: Task;
    readonly lines: readonly string[];
  }>;
  plan(options?: {
    change?: Deep<Config>;
    document?: Buffer;
    skipDestination?: boolean;
  }): Promise<PlanAnswer>;
  preview(change?: Deep<Config>): Promise<PrunePreview>;
  /** Looks into the store without a lock. */
  peek<T>(look: (store: Store) => T | Promise<T>): Promise<T>;
}

function merge(base: unknown, change: unknown): unknown {
  if (change === undefined) return base;
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return change;
  const merged: Record<string, unknown> = { ...(base as Record<string, unknown>) };
  for (const [key, value] of Object.entries(change)) merged[key] = merge(merged[key], value);
  return merged;
}

/** An origin with a cookbook, and a zone that synchronizes from it: real registry, real store, real signatures. */
export async function openSyncScene(
  options: {
    readonly origin?: RegistryDoubleOptions;
    /** The files are in memory, where the machine has such a folder: syncs to the disk cost nothing. */
    readonly inMemory?: boolean;
  } = {},
): Promise<SyncScene> {
  const temporary = await (options.inMemory ? openMemoryFolder : openTempFolder)('svc-sync-');
  const folder = temporary.path;
  const origin = await createRegistryDouble(options.origin);
  const signer = createSigner();
  const report = createRecordingReport();
  const storeRoot = join(folder, 'store');
  const stateRoot = join(folder, 'state');
  const retriever = join(folder, 'retriever.yaml');
  await mkdir(stateRoot);

  const config = (change?: Deep<Config>): ConfigWith<'storage.root'> =>
    merge(
      {
        mode: 'mirror',
        storage: { root: storeRoot },
        state: { root: stateRoot },
        server: { addr: ':0', secureCookies: false, trustedProxies: [], tls: { enabled: false, hosts: [] } },
        auth: { disabled: true, sessionTTL: 1 },
        network: { proxy: { noProxy: [] }, tls: { caFiles: [], exclusiveTrust: false } },
        registries: { insecure: [origin.host], substitutions: {} },
        retriever: { source: retriever },
        destination: { cookbook: 'cookbook' },
        sync: { parallelism: 3, retries: 0, interval: 0, prune: false },
        import: { inspectTimeout: 1000 },
        transfer: { resumeThreshold: 0 },
        preflight: { safetyMarginPercent: 10, disabled: false },
        tasks: { keepFinished: 10 },
        trust: { roots: [{ name: 'ours', key: signer.publicKeyPem }], scopes: [] },
        signing: {},
        peers: [],
        files: { packRoots: [], filesets: [], views: [] },
        zones: [],
        custody: { enabled: false },
        ui: { showUpcoming: false },
        logging: {
          level: 'info',
          media: { file: '_svc/logs/operations.log', maxSize: 1 << 20, keep: 1, disabled: true },
        },
        shutdown: { gracePeriod: 1000 },
      },
      change,
    ) as ConfigWith<'storage.root'>;

  const putOne = (
    registry: RegistryDouble,
    repository: string,
    platform: string | undefined,
    layers: readonly Buffer[],
    tag?: string,
  ) => {
    const [os = 'linux', architecture = 'amd64', variant] = platform?.split('/') ?? [];
    const configuration = registry.putBlob(
      repository,
      JSON.stringify({
        os,
        architecture,
        ...(variant ? { variant } : {}),
        salt: randomBytes(4).toString('hex'),
      }),
      'application/vnd.oci.image.config.v1+json',
    );
    const own = registry.putBlob(
      repository,
      randomBytes(2000),
      'application/vnd.oci.image.layer.v1.tar+gzip',
    );
    const shared = layers.map((bytes) =>
      registry.putBlob(repository, bytes, 'application/vnd.oci.image.layer.v1.tar+gzip'),
    );
    return registry.putManifest(
      repository,
      {
        schemaVersion: 2,
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        config: configuration,
        layers: [...shared, own],
      },
      tag === undefined ? {} : { tag },
    );
  };

  const pushSignature: SyncScene['pushSignature'] = (repository, artifact, registry = origin) => {
    for (const { descriptor, bytes } of artifact.blobs)
      registry.putBlob(repository, bytes, descriptor.mediaType);
    const { manifest, tag, fallback } = artifact;
    registry.putManifest(repository, manifest.bytes, {
      mediaType: manifest.descriptor.mediaType,
      ...(tag === undefined ? {} : { tag }),
    });
    if (fallback && registry.options.referrers === false)
      registry.putManifest(repository, fallback.manifest.bytes, {
        mediaType: fallback.manifest.descriptor.mediaType,
        tag: fallback.tag,
      });
  };

  const openHere = (more: Partial<OpenStoreOptions> = {}): OpenStoreOptions => ({
    root: storeRoot,
    stateRoot,
    mode: 'mirror',
    access: 'write',
    producer: { version: '0.0.0-test' },
    report,
    ...more,
  });

  return {
    folder,
    origin,
    signer,
    report,
    storeRoot,
    config,
    pushSignature,
    putImage: (repository, tag, { platforms, layers = [], registry = origin } = {}) => {
      if (!platforms) return putOne(registry, repository, undefined, layers, tag);
      const manifests = platforms.map((platform) => {
        const [os, architecture, variant] = platform.split('/');
        const descriptor = putOne(registry, repository, platform, layers);
        return { ...descriptor, platform: { os, architecture, ...(variant ? { variant } : {}) } };
      });
      return registry.putManifest(
        repository,
        { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests },
        { tag },
      );
    },
    publish: (
      name,
      version,
      ingredients,
      { sign = 'classic', signer: by = signer, signing, cookbook = 'cookbook', rewrite = String } = {},
    ) => {
      const document = Buffer.from(
        JSON.stringify({
          apiVersion: 'recipe.tobby.dev/v1alpha1',
          kind: 'Recipe',
          metadata: { name, version },
          spec: {
            ingredients: ingredients.map(
              ({ repository, tag, host = origin.host, kind = 'ContainerImage', ...rest }) => ({
                ...rest,
                kind,
                ref: `${host}/${repository}`,
                version: tag,
              }),
            ),
          },
        }),
      );
      const artifact = toRecipeArtifact(
        Buffer.from(rewrite(document.toString())),
        parseRecipe(document, 'recipe'),
        '2026-01-01T00:00:00Z',
      );
      const repository = `${cookbook}/${name}`;
      for (const { descriptor, bytes } of artifact.blobs)
        origin.putBlob(repository, bytes, descriptor.mediaType);
      const descriptor = origin.putManifest(repository, artifact.manifest.bytes, {
        tag: version,
        mediaType: artifact.manifest.descriptor.mediaType,
      });
      if (sign !== 'none') pushSignature(repository, by.sign(descriptor, sign, signing));
      return descriptor;
    },
    setRetriever: async (recipes, { host = origin.host, name = 'zone-a', cookbook = 'cookbook' } = {}) => {
      await writeRetriever(
        retriever,
        {
          cookbook: `${host}/${cookbook}`,
          recipes: recipes.map(([one, version]) => ({ name: one, version })),
        },
        name,
      );
    },
    openStore: (more) => openStore(openHere(more)),
    run: async ({ change, prune, pruneFingerprint, before, signal, context: given } = {}) => {
      await using store = await openStore(openHere());
      await using context =
        given ?? (await openContext(config(change), { report, version: '0.0.0-test', spool: true }));
      const { journal, task, lines } = createMemoryJournal(before);
      const order = selectPrune(context.config, prune, pruneFingerprint === undefined ? undefined : 'shown');
      const outcome = await sync(context, { store, task, journal, prune: order, pruneFingerprint, signal });
      return { outcome, task: journal.task, lines };
    },
    plan: async ({ change, document, skipDestination } = {}) => {
      await using store = await peekStore(openHere());
      await using context = await openContext(config(change), { report, version: '0.0.0-test' });
      return await planSync(context, { store, document, skipDestination });
    },
    preview: async (change) => {
      await using store = await openStore(openHere());
      await using context = await openContext(config(change), { report, version: '0.0.0-test' });
      return await previewPrune(context, store);
    },
    peek: async (look) => {
      await using store = await peekStore(openHere());
      return await look(store!);
    },
    [Symbol.asyncDispose]: async () => {
      await origin.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

/** The digest of a descriptor as an ingredient wants it. */
export function toIngredient(
  name: string,
  repository: string,
  tag: string,
  descriptor: { readonly digest: Digest },
  more: Partial<IngredientInput> = {},
): IngredientInput {
  return { name, repository, tag, digest: descriptor.digest, ...more };
}
