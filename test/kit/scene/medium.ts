import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecipeRecord } from '../../../src/catalog/model.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import type { ContentKind } from '../../../src/oci/kind.ts';
import { parseRepositoryReference } from '../../../src/oci/reference.ts';
import { toRecipeArtifact } from '../../../src/recipe/artifact.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { localRepository, recipeRepository } from '../../../src/recipe/relocation.ts';
import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { type Artifact, buildImage, buildIndex, pushArtifact } from '../content/content.ts';
import { buildHelmChart } from '../content/helm-chart.ts';
import { pushArtifact as pushSignature } from '../content/push-artifact.ts';
import {
  createSigner,
  type SignatureArtifact,
  type SignatureLayout,
  type Signer,
} from '../content/signer.ts';
import { openMemoryFolder } from '../instance/memory-folder.ts';
import { openStoreAt } from '../instance/open-store-at.ts';
import { openTempFolder } from '../instance/temp-folder.ts';

export interface MediumIngredient {
  readonly name: string;
  readonly kind: ContentKind;
  readonly ref: string;
  readonly tag: string;
  readonly artifact: Artifact;
  readonly platforms?: readonly string[];
}

export interface MediumRecipe {
  readonly name: string;
  readonly version: string;
  readonly layout: SignatureLayout;
  readonly ingredients: readonly MediumIngredient[];
  /** Default: the medium's signer. */
  readonly signer?: Signer;
  readonly unsigned?: boolean;
  /** When its manifest was made, RFC 3339: another time gives the same document another manifest. */
  readonly created?: string;
  /** Its cookbook. Default: {@link cookbook}. */
  readonly cookbook?: string;
  /** Signs in a way of its own; default: once, in `layout`. */
  readonly sign?: (signer: Signer, subject: Descriptor) => readonly SignatureArtifact[];
}

export interface BuiltMedium extends AsyncDisposable {
  readonly folder: string;
  /** The store at rest, as it would be carried. */
  readonly root: string;
  readonly signer: Signer;
  readonly zone: string;
  readonly records: readonly RecipeRecord[];
  /** A copy of the medium, as a disk that was carried. */
  carry(): Promise<string>;
}

export const cookbook = 'origin.example:5000/cookbook';

/** A recipe of one image, whose blobs a bundle carries. */
export function toImageRecipe(name: string, artifact: Artifact): MediumRecipe {
  const image = {
    name: 'image',
    kind: 'ContainerImage',
    ref: `origin.example/${name}`,
    tag: '1.0.0',
  } as const;
  return { name, version: '1.0.0', layout: 'bundle', ingredients: [{ ...image, artifact }] };
}

/** Two recipes with nothing in common but a base layer: an image with a chart, and a multi-platform image. */
export function defaultRecipes(): MediumRecipe[] {
  const web = buildImage('web', { ownLayers: 2 });
  const worker = buildIndex('worker', ['linux/amd64', 'linux/arm64'], { layers: [web.blobs[1]!] });
  return [
    {
      name: 'shop',
      version: '1.4.0',
      layout: 'classic',
      ingredients: [
        {
          name: 'web',
          kind: 'ContainerImage',
          ref: 'origin.example:5000/shop/web',
          tag: '1.4.0',
          artifact: web,
        },
        {
          name: 'chart',
          kind: 'HelmChart',
          ref: 'origin.example:5000/charts/shop',
          tag: '1.4.0',
          artifact: buildHelmChart('shop', '1.0.0'),
        },
      ],
    },
    {
      name: 'depot',
      version: '2.0.0',
      layout: 'bundle',
      ingredients: [
        {
          name: 'worker',
          kind: 'ContainerImage',
          ref: 'origin.example:5000/depot/worker',
          tag: '2.0.0',
          artifact: worker,
        },
      ],
    },
  ];
}

function toDocument(recipe: MediumRecipe): Buffer {
  const ingredients = recipe.ingredients.map(({ name, kind, ref, tag, artifact, platforms }) => ({
    name,
    kind,
    ref,
    version: tag,
    digest: artifact.manifest.descriptor.digest,
    ...(platforms ? { platforms } : {}),
  }));
  const { name, version } = recipe;
  // JSON is YAML
  const document = {
    apiVersion: 'recipe.tobby.dev/v1alpha1',
    kind: 'Recipe',
    metadata: { name, version },
    spec: { ingredients },
  };
  return Buffer.from(JSON.stringify(document));
}

async function putRecipe(
  store: Store,
  recipe: MediumRecipe,
  signer: Signer,
  run: { readonly zone: string; readonly runId: string; readonly resolvedAt: string },
): Promise<RecipeRecord> {
  const from = recipe.cookbook ?? cookbook;
  const owner = {
    provenance: 'recipe',
    recipe: `${recipe.name}@${recipe.version}`,
    cookbook: from,
  } as const;
  const ingredients: RecipeRecord['ingredients'][number][] = [];
  for (const { name, kind, ref, tag, artifact, platforms } of recipe.ingredients) {
    const repository = localRepository(parseRepositoryReference(ref));
    await pushArtifact(openRepository(store, repository, { owner, kind }), artifact, tag);
    const { digest } = artifact.manifest.descriptor;
    ingredients.push({ name, kind, ref, repository, tag, digest, ...(platforms ? { platforms } : {}) });
  }
  const document = toDocument(recipe);
  const parsed = parseRecipe(document, `${recipe.name}.yaml`);
  const { manifest, blobs } = toRecipeArtifact(document, parsed, recipe.created ?? '2026-01-01T00:00:00Z');
  const repository = localRepository(recipeRepository(parseRepositoryReference(from), recipe.name));
  const target = openRepository(store, repository, { owner, kind: 'Recipe' });
  const by = recipe.signer ?? signer;
  if (!recipe.unsigned) {
    const sign = recipe.sign ?? ((one, subject) => [one.sign(subject, recipe.layout)]);
    for (const signature of sign(by, manifest.descriptor))
      await pushSignature(target, signature, signature.tag);
  }
  await pushSignature(target, { manifest, blobs }, recipe.version);
  return {
    name: recipe.name,
    version: recipe.version,
    cookbook: from,
    repository,
    tag: recipe.version,
    digest: manifest.descriptor.digest,
    documentDigest: blobs[1]!.descriptor.digest,
    ...run,
    verified: true,
    keyFingerprint: by.fingerprint,
    ingredients,
  };
}

/**
 * Makes a medium as a mirror leaves it at rest: a store under its maker's own key, two recipes signed in both layouts.
 * A verification uses another state root: the store is foreign there.
 */
export async function buildMedium(
  options: {
    /** Default: one of its own. */
    readonly signer?: Signer;
    readonly recipes?: readonly MediumRecipe[];
    readonly zone?: string;
    /** RFC 3339 UTC. */
    readonly resolvedAt?: string;
    /** Content that is there before the recipes. */
    readonly before?: (store: Store) => Promise<void>;
    /** Content beside the recipes' before the medium comes to rest. */
    readonly also?: (store: Store) => Promise<void>;
    /** The record in the recipe ledger, when it shall lie. */
    readonly record?: (record: RecipeRecord) => RecipeRecord;
    /** The files are in memory, where the machine has such a folder. */
    readonly inMemory?: boolean;
  } = {},
): Promise<BuiltMedium> {
  const { zone = 'zone-b', resolvedAt = '2026-01-02T03:04:05.000Z' } = options;
  const temporary = await (options.inMemory ? openMemoryFolder : openTempFolder)('svc-medium-');
  const folder = temporary.path;
  const root = join(folder, 'medium');
  const signer = options.signer ?? createSigner();
  const run = { zone, runId: 'run-of-the-maker', resolvedAt };
  const records: RecipeRecord[] = [];
  const store = await openStoreAt({ root, stateRoot: join(folder, 'maker') });
  try {
    await options.before?.(store);
    for (const recipe of options.recipes ?? defaultRecipes()) {
      const record = await putRecipe(store, recipe, signer, run);
      records.push(options.record?.(record) ?? record);
    }
    await options.also?.(store);
    await recordSync(store, run, records);
  } finally {
    await store[Symbol.asyncDispose]();
  }
  let copies = 0;
  return {
    folder,
    root,
    signer,
    zone,
    records,
    carry: async () => {
      copies += 1;
      const copy = join(folder, `carried-${copies}`);
      await cp(root, copy, { recursive: true });
      return copy;
    },
    [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
  };
}
