import type { Details } from '../../src/base/details.ts';
import { digestAlgorithm, hashBytes } from '../../src/base/digest.ts';
import { intakeLimits, type Manifest, ManifestError, manifestLimits } from '../../src/oci/manifest.ts';
import { parseManifestInTurns } from '../../src/oci/parse-in-turns.ts';
import type { ManifestContent } from '../../src/oci/ports.ts';
import { isTag } from '../../src/oci/reference.ts';
import { leaseBlob } from '../../src/store/lease-blob.ts';
import type { PutTag } from '../../src/store/model.ts';
import { putManifest } from '../../src/store/put-manifest.ts';
import { isSvcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { readBody } from '../body.ts';
import { toHolder } from '../shares/holder.ts';
import type { ManifestRoute } from './pull-manifest.ts';
import { type RegistryCall, requireCurrent, sendEmpty } from './registry-call.ts';
import { recordBytes } from './upload-room.ts';
import { wireError } from './wire-error.ts';

const push = { provenance: 'push' } as const;
/** Maximum number of tags that one PUT by digest may set (`?tag=`). */
const tagParameters = 64;

function announcedType(call: RegistryCall): string | undefined {
  const type = call.exchange.req.headers['content-type']?.split(';')[0]?.trim();
  return type === '' ? undefined : type;
}

/**
 * Parses a manifest. Refuses a declared media type that is no accepted manifest type, for any content.
 */
async function parse(bytes: Buffer, announced: string | undefined): Promise<Manifest> {
  const manifest = await parseManifestInTurns(bytes, announced, intakeLimits);
  const neutral =
    announced === undefined || announced === 'application/json' || announced === 'application/octet-stream';
  if (!neutral && announced !== manifest.mediaType) {
    throw new ManifestError(
      rule(
        [
          'media type {announced} is not an image manifest or an index',
          fr`le type de média {announced} n’est ni un manifeste d’image ni un index`,
        ],
        { announced: announced.slice(0, 128) },
      ),
    );
  }
  return manifest;
}

async function readManifestBody(call: RegistryCall): Promise<Buffer> {
  try {
    const { req, res, origin } = call.exchange;
    const share = call.bodies.open(toHolder(call.identity, origin), call.exchange);
    return await readBody(req, res, manifestLimits.bytes, share);
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-002')) throw error;
    throw wireError(413, 'MANIFEST_INVALID', `a manifest has at most ${manifestLimits.bytes} bytes`);
  }
}

/** Changes of tags by a PUT, for its audit record. An unchanged tag is recorded as kept. */
function toAuditedTags(tags: readonly PutTag[], isByTag: boolean): Details {
  const changes = tags.map(({ tag, isSet, previous }) => ({
    tag,
    ...(previous === undefined ? {} : { previous }),
    ...(isSet ? {} : { kept: true }),
  }));
  if (!isByTag) return changes.length === 0 ? {} : { tags: changes };
  const [{ tag: _, ...one } = { tag: '' }] = changes;
  return one;
}

/**
 * Handles PUT of a manifest by tag or by digest, with further tags as `?tag=` (distribution specification,
 * Pushing Manifests). When 201 is sent, the manifest and everything that it reaches are durable. A tag that
 * already holds the same recipe document is not moved.
 *
 * @throws SVC-AUTH-002 when the credential was revoked while the body arrived; SVC-POL-002, SVC-POL-004,
 *   SVC-POL-005 when a tag may not point at it
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
  const manifest = await parse(bytes, announcedType(call));
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
  // includes the records of its tags
  await call.room.take(bytes.length + recordBytes * (1 + tags.length));
  // before anything is written, and again in the step that records it
  requireCurrent(call);
  const require = (): void => requireCurrent(call);
  const outcome = await putManifest(store, repository, content, { owner: push, tag: tags, require });
  leaseBlob(store, digest);
  call.report.audit({
    actor: call.identity.actor,
    action: 'content.push',
    target: 'tag' in route ? `${repository}:${route.tag}` : `${repository}@${digest}`,
    outcome: 'success',
    origin: call.exchange.origin,
    details: { digest, ...toAuditedTags(outcome, 'tag' in route) },
  });
  call.onChange(call.identity.actor, call.exchange.origin);
  sendEmpty(call, 201, {
    location: `/v2/${repository}/manifests/${digest}`,
    'docker-content-digest': digest,
    ...(manifest.subject === undefined ? {} : { 'oci-subject': manifest.subject.digest }),
    ...(parameters.length > 0 ? { 'oci-tag': tags.join(', ') } : {}),
  });
}
