import type { KeyObject } from 'node:crypto';
import { Readable } from 'node:stream';
import { toBundleBytes } from '../../attest/bundle.ts';
import type { ApprovalPayload } from '../../attest/payload.ts';
import { toFingerprint } from '../../attest/public-key.ts';
import {
  type SignatureArtifact,
  toBundleArtifact,
  toClassicArtifact,
} from '../../attest/signature-artifact.ts';
import type { Digest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions, Source } from '../../oci/ports.ts';
import { formatReference, type RepositoryReference, signatureTag } from '../../oci/reference.ts';
import type { RemoteRegistry, RemoteRepository } from '../../remote/model.ts';
import { writeUntilKept } from '../../remote/write-until-kept.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { collectSignatures } from '../../trust/discover.ts';
import { judgeFound } from '../../trust/judge-found.ts';
import type { SignatureEvidence, TrustPolicy } from '../../trust/model.ts';
import { carrySignatures } from '../copy/carry-signatures.ts';
import { openPushTarget } from '../promotion/push-target.ts';

interface AttachOptions extends CallOptions {
  readonly registry: RemoteRegistry;
  readonly report: Report;
  /** RFC 3339 in UTC. */
  readonly created: string;
}

export interface AttachedSignature {
  /** Digest of the signature artifact. */
  readonly signature: Digest;
  /** Whether it was there before, so that nothing was written. */
  readonly unchanged: boolean;
}

/**
 * Attaches the signature of one key to a manifest, beside the existing ones. A bundle becomes its referrer, with the
 * fallback index where the registry has no referrers API. A classic signature is merged with those under its tag. A
 * registry with a signature of this key in this layout is left unchanged.
 *
 * @param sign makes the signature, which is called only when one is missing
 * @throws SVC-REG-001 for a classic signature of a digest that has none, SVC-REG-007 when the registry does not keep
 *   it or other clients overwrite it, SVC-DST-005, errors of the registry
 */
export async function attachSignature(
  place: RepositoryReference,
  manifest: Descriptor,
  payload: ApprovalPayload,
  key: KeyObject,
  sign: () => Buffer,
  options: AttachOptions,
): Promise<AttachedSignature> {
  const { registry, created, signal } = options;
  const call: CallOptions = { signal };
  const { digest } = manifest;
  const tag = signatureTag(digest);
  const reference = formatReference({ ...place, digest });
  if (payload.layout === 'classic' && tag === undefined)
    throw svcError('SVC-REG-001', {
      reference,
      rule: rule([
        'a sha512 digest has no classic signature',
        fr`une empreinte sha512 n’a pas de signature classique`,
      ]),
    });
  const repository = registry.repository(place, { access: 'push', substitute: false });
  const find = () => findSignature(repository, digest, payload.layout, key, call);
  const standing = await find();
  if (standing !== undefined) return { signature: standing, unchanged: true };
  const signature = sign();
  const artifact =
    payload.layout === 'classic'
      ? toClassicArtifact(payload.document, signature)
      : toBundleArtifact(manifest, toBundleBytes(payload.document, signature, key), created);
  const evidence = toEvidence(artifact, payload.layout, tag);
  const attach = () => push(artifact, evidence, repository, place, digest, key, options);
  let attached: Digest | undefined;
  // 201 alone does not show that the registry keeps the signature
  if (payload.layout === 'bundle') {
    await attach();
    attached = await find();
  } else {
    // another signer may replace the tag
    await writeUntilKept(async () => {
      attached = await find();
      if (attached === undefined) await attach();
      return attached === undefined;
    }, signal);
  }
  if (attached !== undefined) return { signature: attached, unchanged: false };
  throw svcError('SVC-REG-007', {
    reference,
    detail: rule([
      'the registry does not keep the signature, or another client overwrites it',
      fr`le registre ne garde pas la signature, ou un autre client l’écrase`,
    ]),
  });
}

/** Digest of an artifact with a signature of this key that verifies, in this layout. */
async function findSignature(
  repository: RemoteRepository,
  subject: Digest,
  layout: ApprovalPayload['layout'],
  key: KeyObject,
  call: CallOptions,
): Promise<Digest | undefined> {
  const found = await collectSignatures(repository, subject, call);
  const evidence = found.evidence.filter((one) => one.layout === layout);
  const verdict = await judgeFound(subject, { ...found, evidence }, toPolicy(key), '');
  return verdict.outcome === 'verified' ? verdict.signature : undefined;
}

/** A policy under which this key alone is trusted. */
function toPolicy(key: KeyObject): TrustPolicy {
  return { roots: [{ name: 'key', key, fingerprint: toFingerprint(key) }], scopes: [], missing: [] };
}

async function push(
  { blobs }: SignatureArtifact,
  evidence: SignatureEvidence,
  repository: RemoteRepository,
  place: RepositoryReference,
  digest: Digest,
  key: KeyObject,
  { report, signal }: AttachOptions,
): Promise<void> {
  const call: CallOptions = { signal };
  const target = openPushTarget(repository);
  const name = formatReference(place);
  // prefers the documents signed here to those of the registry
  const source: Source = {
    resolve: (reference) => target.resolve(reference, call),
    fetchManifest: async (reference) =>
      reference === evidence.manifest.descriptor.digest
        ? evidence.manifest
        : target.fetchManifest(reference, call),
    fetchBlob: async (blob) => {
      const own = blobs.find(({ descriptor }) => descriptor.digest === blob.digest);
      return own ? Readable.from([own.bytes]) : target.fetchBlob(blob, call);
    },
  };
  await carrySignatures({ evidence: [evidence] }, source, target, digest, {
    ...call,
    reference: `${name}@${digest}`,
    place: name,
    trust: { policy: toPolicy(key), scopePath: '' },
    check: () => target.confirm(call),
    onLeftOut: (tag, count) =>
      report.log('warn', 'Signatures that do not verify are left out: not all signatures fit', {
        destination: `${name}:${tag}`,
        count,
      }),
  });
}

function toEvidence(
  { manifest, blobs: [, layer] }: SignatureArtifact,
  layout: ApprovalPayload['layout'],
  tag: string | undefined,
): SignatureEvidence {
  const { mediaType, annotations = {} } = layer.descriptor;
  return {
    layout,
    ...(layout === 'classic' && tag !== undefined ? { tag } : {}),
    manifest,
    layers: [{ mediaType, annotations, bytes: layer.bytes }],
  };
}
