import { type Digest, digestAlgorithm, hashBytes } from '../../src/base/digest.ts';
import { isSvcError, svcError } from '../../src/base/error.ts';
import {
  effectiveArtifactType,
  type Manifest,
  ManifestError,
  manifestLimits,
  parseManifest,
} from '../../src/oci/manifest.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import type { ManifestContent } from '../../src/oci/ports.ts';
import { isAttachmentTag, isTag } from '../../src/oci/reference.ts';
import type { TagRecord } from '../../src/store/model.ts';
import { readBody } from '../body.ts';
import type { ManifestRoute } from './pull-manifest.ts';
import { type RegistryCall, sendEmpty } from './registry-call.ts';
import { wireError } from './wire-error.ts';

const push = { provenance: 'push' } as const;
/** Tags that one PUT by digest may set (`?tag=`). */
const tagParameters = 64;

/** Digest of the recipe document of a recipe artifact; undefined for everything else. */
function documentOf(manifest: Manifest): Digest | undefined {
  if (manifest.kind !== 'image' || effectiveArtifactType(manifest) !== mediaTypes.recipe) return undefined;
  return (
    manifest.layers.find((layer) => layer.mediaType === mediaTypes.recipe)?.digest ??
    manifest.layers[0]?.digest
  );
}

/** Names of the recipes that own a tag. */
export function owningRecipes(tag: TagRecord | undefined): readonly string[] {
  return (tag?.owners ?? []).flatMap((owner) =>
    owner.provenance === 'recipe' ? [owner.recipe ?? 'unknown'] : [],
  );
}

/**
 * What a PUT does to one tag: set it, or leave it where it is because it already holds the same recipe document.
 *
 * @throws SVC-POL-004 when a published recipe would change, SVC-POL-002 when a recipe owns the tag
 */
async function judgeTag(
  call: RegistryCall,
  repository: string,
  tag: string,
  candidate: { readonly digest: Digest; readonly manifest: Manifest },
): Promise<'set' | 'leave'> {
  const { store } = call;
  const current = store.index.tag(repository, tag);
  if (current === undefined || current.digest === candidate.digest) return 'set';
  const reference = `${repository}:${tag}`;
  if (current.kind === 'Recipe') {
    const published = await store.readManifest(current.digest);
    const document = published && documentOf(parseManifest(published.bytes, published.descriptor.mediaType));
    if (document !== undefined && document === documentOf(candidate.manifest)) return 'leave';
    throw svcError('SVC-POL-004', {
      reference,
      published: document ?? current.digest,
      candidate: documentOf(candidate.manifest) ?? candidate.digest,
    });
  }
  const recipes = owningRecipes(current);
  if (recipes.length > 0 && !isAttachmentTag(tag)) throw svcError('SVC-POL-002', { repository, recipes });
  return 'set';
}

function announcedType(call: RegistryCall): string | undefined {
  const type = call.exchange.req.headers['content-type']?.split(';')[0]?.trim();
  return type === '' ? undefined : type;
}

/** What announces itself as something else than a manifest we take is refused, whatever it looks like inside. */
function parse(bytes: Buffer, announced: string | undefined): Manifest {
  const manifest = parseManifest(bytes, announced);
  const neutral =
    announced === undefined || announced === 'application/json' || announced === 'application/octet-stream';
  if (!neutral && announced !== manifest.mediaType) {
    throw new ManifestError(`media type ${announced.slice(0, 128)} is not an image manifest or an index`);
  }
  return manifest;
}

async function readManifestBody(call: RegistryCall): Promise<Buffer> {
  try {
    return await readBody(call.exchange.req, call.exchange.res, manifestLimits.bytes);
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-002')) throw error;
    throw wireError(413, 'MANIFEST_INVALID', `a manifest has at most ${manifestLimits.bytes} bytes`);
  }
}

/**
 * PUT of a manifest by tag or by digest, with further tags as `?tag=` (distribution specification, Pushing Manifests).
 * The 201 says that the manifest and all it reaches are durable.
 */
export async function pushManifest(call: RegistryCall, route: ManifestRoute): Promise<void> {
  const { store } = call;
  const { repository } = route;
  const bytes = await readManifestBody(call);
  const expected = 'tag' in route ? undefined : route.digest;
  const digest = hashBytes(bytes, expected === undefined ? 'sha256' : digestAlgorithm(expected));
  if (expected !== undefined && expected !== digest) {
    throw wireError(400, 'DIGEST_INVALID', 'the manifest does not have the digest', {
      expected,
      actual: digest,
    });
  }
  const manifest = parse(bytes, announcedType(call));
  const parameters = 'tag' in route ? [] : new URLSearchParams(call.exchange.query).getAll('tag');
  const tags = 'tag' in route ? [route.tag] : [...new Set(parameters)];
  if (tags.length > tagParameters) throw wireError(400, 'MANIFEST_INVALID', `at most ${tagParameters} tags`);
  for (const tag of tags) {
    if (!isTag(tag)) throw wireError(400, 'MANIFEST_INVALID', 'not a tag', { tag: tag.slice(0, 128) });
  }
  const content: ManifestContent = {
    descriptor: { mediaType: manifest.mediaType, digest, size: bytes.length },
    bytes,
  };
  const verdicts: ('set' | 'leave')[] = [];
  for (const tag of tags) verdicts.push(await judgeTag(call, repository, tag, { digest, manifest }));
  const toSet = tags.filter((_, i) => verdicts[i] === 'set');
  if (toSet.length === 0) await store.putManifest(repository, content, { owner: push });
  for (const tag of toSet) await store.putManifest(repository, content, { owner: push, tag });
  store.lease(digest);
  call.onChange();
  sendEmpty(call, 201, {
    location: `/v2/${repository}/manifests/${digest}`,
    'docker-content-digest': digest,
    ...(manifest.subject === undefined ? {} : { 'oci-subject': manifest.subject.digest }),
    ...(parameters.length > 0 ? { 'oci-tag': tags.join(', ') } : {}),
  });
}
