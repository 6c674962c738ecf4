import { hashBytes } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { Manifest } from '../oci/manifest.ts';
import { mediaTypes } from '../oci/media-types.ts';
import type { ManifestContent } from '../oci/ports.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import type { Recipe } from './model.ts';
import { yamlLimits } from './read-yaml.ts';

interface RecipeArtifact {
  readonly manifest: ManifestContent;
  /** The empty config and the document, in the order in which they are pushed. */
  readonly blobs: readonly { readonly descriptor: Descriptor; readonly bytes: Buffer }[];
}

const emptyBytes = Buffer.from('{}');
const emptyConfig: Descriptor = {
  mediaType: mediaTypes.ociEmpty,
  digest: hashBytes(emptyBytes),
  size: emptyBytes.length,
};

/**
 * Wraps a recipe document, byte for byte, as its cookbook artifact. The same arguments give the same bytes.
 *
 * @param created RFC 3339 UTC time
 * @throws SVC-VAL-002 when the document is larger than 4 MiB
 */
export function toRecipeArtifact(document: Buffer, recipe: Recipe, created: string): RecipeArtifact {
  if (document.length > yamlLimits.bytes)
    throw svcError('SVC-VAL-002', { limit: yamlLimits.bytes, file: recipe.metadata.name });
  const layer: Descriptor = {
    mediaType: mediaTypes.recipe,
    digest: hashBytes(document),
    size: document.length,
  };
  const bytes = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      artifactType: mediaTypes.recipe,
      config: emptyConfig,
      layers: [{ ...layer, annotations: { 'org.opencontainers.image.title': 'recipe.yaml' } }],
      annotations: { 'org.opencontainers.image.created': created },
    }),
  );
  return {
    manifest: {
      descriptor: {
        mediaType: mediaTypes.ociManifest,
        digest: hashBytes(bytes),
        size: bytes.length,
        artifactType: mediaTypes.recipe,
      },
      bytes,
    },
    blobs: [
      { descriptor: emptyConfig, bytes: emptyBytes },
      { descriptor: layer, bytes: document },
    ],
  };
}

/**
 * Returns the only layer of a recipe artifact; its digest is the identity of the recipe. Ignores annotations, and does not
 * check the document itself.
 *
 * @throws SVC-SIG-003 when the manifest is not exactly a recipe artifact, or its layer is larger than 4 MiB
 */
export function selectRecipeLayer(manifest: Manifest): Descriptor {
  const refuse = (expected: Rule | string, actual: Rule | string) =>
    svcError('SVC-SIG-003', { expected, actual });
  if (manifest.mediaType !== mediaTypes.ociManifest || manifest.kind !== 'image')
    throw refuse(mediaTypes.ociManifest, manifest.mediaType);
  if (manifest.artifactType !== mediaTypes.recipe)
    throw refuse(`artifactType ${mediaTypes.recipe}`, manifest.artifactType ?? rule(['none', fr`aucun`]));
  const { config, layers } = manifest;
  if (
    config.mediaType !== emptyConfig.mediaType ||
    config.digest !== emptyConfig.digest ||
    config.size !== emptyConfig.size
  )
    throw refuse(
      `config ${emptyConfig.mediaType} ${emptyConfig.digest}`,
      `${config.mediaType} ${config.digest}`,
    );
  const [layer] = layers;
  if (layer === undefined || layers.length !== 1)
    throw refuse(
      rule(['exactly one layer', fr`exactement une couche`]),
      rule(['{count} layers', fr`{count} couches`], { count: layers.length }),
    );
  if (layer.mediaType !== mediaTypes.recipe) throw refuse(`layer ${mediaTypes.recipe}`, layer.mediaType);
  if (layer.size > yamlLimits.bytes)
    throw refuse(
      rule(['at most {bytes} bytes', fr`au plus {bytes} octets`], { bytes: yamlLimits.bytes }),
      rule(['{size} bytes', fr`{size} octets`], { size: layer.size }),
    );
  return layer;
}
