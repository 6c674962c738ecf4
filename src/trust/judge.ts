import { type Digest, digestAlgorithm, hashBytes } from '../base/digest.ts';
import { ManifestError, parseManifest } from '../oci/manifest.ts';
import { type Claim, type Reading, signatureLimits } from './claim.ts';
import type { SignatureEvidence, SignatureVerdict, TrustPolicy, TrustRoot } from './model.ts';
import { readBundle } from './read-bundle.ts';
import { readClassic } from './read-classic.ts';
import { selectScope } from './scope.ts';
import { isSignedBy } from './signed-by.ts';

const maximumFingerprints = 16;
const maximumRemarks = 5;

/**
 * Judges whether one accepted key signed the subject. Pure: what was found is handed in, nothing is fetched. One
 * signature that verifies is enough, whatever stands beside it; a relaxed scope admits absence, never a signature that
 * is present and wrong.
 *
 * Success says that the subject's digest was signed with that key; not when, and not that its content was looked at.
 *
 * @param subject digest of the recipe's manifest
 * @param evidence every signature artifact found, broken ones too
 * @param scopePath as `toScopePath` writes it; it can only narrow the accepted roots
 * @param options `allowUnsigned: false` admits nothing unsigned, whatever the scopes say
 */
export function judgeSignatures(
  subject: Digest,
  evidence: readonly SignatureEvidence[],
  policy: TrustPolicy,
  scopePath: string,
  options: { readonly allowUnsigned?: boolean } = {},
): SignatureVerdict {
  const scope = selectScope(policy, scopePath);
  const named = scope === undefined ? {} : { trustScope: scope.name };
  const isAccepted = (root: TrustRoot): boolean =>
    scope?.roots === undefined || scope.roots.includes(root.name);
  const accepted = policy.roots.filter(isAccepted);

  const seen = new Map<string, { readonly reading: Reading; readonly evidence: SignatureEvidence }>();
  for (const artifact of evidence) {
    for (const [i, reading] of readEvidence(artifact, subject).entries()) {
      const key = 'flaw' in reading ? `${artifact.manifest.descriptor.digest} ${i}` : toIdentity(reading);
      if (!seen.has(key)) seen.set(key, { reading, evidence: artifact });
    }
  }
  const found = [...seen.values()];
  const claims = found
    .flatMap(({ reading, evidence: artifact }) => ('flaw' in reading ? [] : [{ claim: reading, artifact }]))
    .slice(0, signatureLimits.count);

  for (const { claim, artifact } of claims) {
    const root = accepted.find(({ key }) => isSignedBy(key, claim.signed, claim.signature));
    if (root) {
      return {
        outcome: 'verified',
        keyFingerprint: root.fingerprint,
        root: root.name,
        layout: artifact.layout,
        signature: artifact.manifest.descriptor.digest,
        ...named,
      };
    }
  }
  if (evidence.length === 0 && scope?.allowUnsigned && options.allowUnsigned !== false)
    return { outcome: 'unsigned-admitted', trustScope: scope.name };

  const foreign = policy.roots.filter((root) => !isAccepted(root));
  const outside = new Set(
    claims.flatMap(
      ({ claim }) => foreign.find(({ key }) => isSignedBy(key, claim.signed, claim.signature)) ?? [],
    ),
  );
  const remarks = new Set<string>([
    ...policy.missing.map((name) => `no copy of the key of trust root ${name} is at hand`),
    ...[...outside].map(
      ({ name }) => `signed with ${name}, which scope ${scope?.name ?? ''} does not accept`,
    ),
    ...found.flatMap(({ reading }) => ('flaw' in reading ? [reading.flaw] : (reading.remark ?? []))),
  ]);
  const fingerprints = new Set([
    ...[...outside].map(({ fingerprint }) => fingerprint),
    ...claims.flatMap(({ claim }) => toHexHint(claim.hint) ?? []),
  ]);
  const detail = [...remarks].slice(0, maximumRemarks).join('; ');
  return {
    outcome: 'refused',
    reason:
      accepted.length === 0
        ? 'no-roots'
        : evidence.length === 0
          ? 'none'
          : claims.length > 0
            ? 'untrusted'
            : 'malformed',
    fingerprints: [...fingerprints].slice(0, maximumFingerprints),
    ...(detail === '' ? {} : { detail }),
    ...named,
  };
}

const toIdentity = ({ signed, signature }: Claim): string =>
  `${hashBytes(signed)} ${signature.toString('base64')}`;

function readEvidence(evidence: SignatureEvidence, subject: Digest): readonly Reading[] {
  const { descriptor, bytes } = evidence.manifest;
  if (hashBytes(bytes, digestAlgorithm(descriptor.digest)) !== descriptor.digest)
    return [{ flaw: 'its manifest does not have its digest' }];
  if (evidence.layers.some((layer) => layer.bytes.length > signatureLimits.bytes))
    return [{ flaw: `larger than ${signatureLimits.bytes} bytes` }];
  try {
    const manifest = parseManifest(bytes, descriptor.mediaType);
    if (manifest.kind !== 'image') return [{ flaw: 'its manifest is an index' }];
    return evidence.layout === 'classic'
      ? readClassic(evidence, manifest, subject)
      : readBundle(evidence, manifest, subject);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return [{ flaw: `its manifest cannot be used: ${error.message.slice(0, 200)}` }];
  }
}

/** A hint as cosign writes it, base64 of the fingerprint, in the form in which fingerprints are shown. */
function toHexHint(hint: string | undefined): string | undefined {
  if (hint === undefined || hint.length > 64) return undefined;
  if (/^[0-9a-f]{64}$/.test(hint)) return hint;
  const bytes = /^[A-Za-z0-9+/]{43}=$/.test(hint) ? Buffer.from(hint, 'base64') : undefined;
  return bytes?.length === 32 ? bytes.toString('hex') : undefined;
}
