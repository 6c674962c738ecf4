import { stringify } from 'yaml';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { toRecipeArtifact } from '../../../src/recipe/artifact.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import type { Instance } from '../instance/instance.ts';
import type { RegistryDouble } from '../result/registry-double.ts';
import type { Artifact } from './content.ts';
import { pushArtifactOverHttp } from './push-artifact.ts';
import type { SignatureLayout, Signer, Tamper } from './signer.ts';

/** A registry of any kind that content is published in. */
export interface Origin {
  /** `127.0.0.1:<port>`, as references name it. */
  readonly host: string;
  /** Puts an artifact with all it reaches; without a tag, by its digest. */
  put(repository: string, artifact: Artifact, tag?: string): Promise<void>;
  putTag(repository: string, tag: string, manifest: Artifact['manifest']): Promise<void>;
}

export interface IngredientSpec {
  readonly name: string;
  /** Default `ContainerImage`. */
  readonly kind?: 'ContainerImage' | 'HelmChart' | 'OCIArtifact' | 'FileSet';
  /** Repository at the origin; another host where `host` says so. */
  readonly repository: string;
  readonly host?: string;
  readonly version: string;
  readonly digest: string;
  readonly platforms?: readonly string[];
}

export interface RecipeSpec {
  readonly name: string;
  readonly version: string;
  readonly ingredients: readonly IngredientSpec[];
  /** Repository path of the cookbook. Default `cookbook`. */
  readonly cookbook?: string;
  readonly signatures?: readonly {
    readonly signer: Signer;
    /** Default `classic`. */
    readonly layout?: SignatureLayout;
    readonly tamper?: Tamper;
  }[];
}

/** The origin's view of a `svc serve`, pushed to as any client would, or of a registry in memory. */
export function toOrigin(registry: Instance | RegistryDouble): Origin {
  const { host } = registry;
  if ('configPath' in registry) {
    const at = (repository: string) => ({
      registry: registry.url,
      repository,
      authorization: registry.authorization,
    });
    const put: Origin['put'] = async (repository, artifact, tag) => {
      for (const { artifact: child } of artifact.children) await put(repository, child);
      await pushArtifactOverHttp(at(repository), artifact, tag);
    };
    return {
      host,
      put,
      putTag: (repository, tag, manifest) =>
        pushArtifactOverHttp(at(repository), { manifest, blobs: [] }, tag),
    };
  }
  const put: Origin['put'] = async (repository, artifact, tag) => {
    for (const { artifact: child } of artifact.children) await put(repository, child);
    for (const { bytes } of artifact.blobs) registry.putBlob(repository, bytes);
    const { descriptor, bytes } = artifact.manifest;
    registry.putManifest(repository, bytes, {
      mediaType: descriptor.mediaType,
      ...(tag === undefined ? {} : { tag }),
    });
  };
  return {
    host,
    put,
    putTag: async (repository, tag, { descriptor, bytes }) => {
      registry.putManifest(repository, bytes, { mediaType: descriptor.mediaType, tag });
    },
  };
}

/** The document of a cooked recipe. */
export function toRecipeDocument(host: string, spec: RecipeSpec): string {
  return stringify({
    apiVersion: 'recipe.tobby.dev/v1alpha1',
    kind: 'Recipe',
    metadata: { name: spec.name, version: spec.version },
    spec: {
      ingredients: spec.ingredients.map(
        ({ name, kind = 'ContainerImage', repository, version, digest, platforms, host: own = host }) => ({
          name,
          kind,
          ref: `${own}/${repository}`,
          version,
          digest,
          ...(platforms === undefined ? {} : { platforms }),
        }),
      ),
    },
  });
}

/** Signs the content of a repository, in the layouts asked for. */
export async function putSignatures(
  origin: Origin,
  repository: string,
  subject: Descriptor,
  signatures: NonNullable<RecipeSpec['signatures']>,
): Promise<void> {
  for (const { signer, layout = 'classic', tamper } of signatures) {
    const { manifest, blobs, tag } = signer.sign(subject, layout, tamper === undefined ? {} : { tamper });
    await origin.put(repository, { manifest, blobs, children: [] }, tag);
  }
}

/** Publishes a recipe with its signatures, as `svc recipe push` and a signer would. */
export async function publishRecipe(
  origin: Origin,
  spec: RecipeSpec,
): Promise<{ readonly descriptor: Descriptor; readonly document: Buffer }> {
  const document = Buffer.from(toRecipeDocument(origin.host, spec));
  const { manifest, blobs } = toRecipeArtifact(
    document,
    parseRecipe(document, 'recipe.yaml'),
    '2026-01-01T00:00:00Z',
  );
  const repository = `${spec.cookbook ?? 'cookbook'}/${spec.name}`;
  await origin.put(repository, { manifest, blobs, children: [] }, spec.version);
  await putSignatures(origin, repository, manifest.descriptor, spec.signatures ?? []);
  return { descriptor: manifest.descriptor, document };
}
