import { signPredicate } from '../attest/predicate-types.ts';
import { isSignedBy } from '../attest/signed-by.ts';
import { type Digest, hashBytes } from '../base/digest.ts';
import { Pacer } from '../base/pacer.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { type Claim, leftOutFlaw, type Reading } from './claim.ts';
import type { SignatureEvidence, SignatureVerdict, TrustPolicy, TrustRoot } from './model.ts';
import { readEvidence } from './read-evidence.ts';
import { selectScope } from './scope.ts';

const maximumFingerprints = 16;

interface JudgeOptions {
  /** False admits no unsigned subject, even in a relaxed scope. */
  readonly allowUnsigned?: boolean | undefined;
  /** Number of signatures that the search left out; a refusal reports it. */
  readonly leftOut?: number | undefined;
  /** The limit for which the search did not read the lists of referrers whole; a refusal reports it. */
  readonly crowded?: Rule | undefined;
  /** Why the search could not use possible signatures; each counts as an invalid one. */
  readonly unusable?: readonly Rule[] | undefined;
}

/**
 * Judges whether an accepted key signed the subject. Pure: depends on the arguments only and fetches nothing. One
 * signature that verifies is sufficient, even beside invalid ones. A relaxed scope admits a missing signature, never an
 * invalid one. A signed statement of a predicate type that does not approve is no signature: it neither approves the
 * subject nor counts as invalid. Yields to the event loop between verifications.
 *
 * A success means that the subject's digest was signed with that key. It does not say when, nor that the
 * content was reviewed.
 *
 * @param subject digest of the recipe's manifest
 * @param evidence every signature artifact found, invalid ones included
 * @param scopePath as returned by `toScopePath`; it can only narrow the accepted roots
 */
export async function judgeSignatures(
  subject: Digest,
  evidence: readonly SignatureEvidence[],
  policy: TrustPolicy,
  scopePath: string,
  options: JudgeOptions = {},
): Promise<SignatureVerdict> {
  const scope = selectScope(policy, scopePath);
  const named = scope === undefined ? {} : { trustScope: scope.name };
  const accepted = acceptedRoots(policy, scopePath);
  const foreign = policy.roots.filter((root) => !accepted.includes(root));
  const pacer = new Pacer();

  const readings = new Map<string, { readonly reading: Reading; readonly artifact: SignatureEvidence }>();
  for (const artifact of evidence) {
    for (const [i, reading] of readEvidence(artifact, subject).entries()) {
      const key = 'flaw' in reading ? `${artifact.manifest.descriptor.digest} ${i}` : toIdentity(reading);
      if (!readings.has(key)) readings.set(key, { reading, artifact });
    }
    if (pacer.isDue()) await pacer.rest();
  }
  const flaws: Rule[] = [];
  const claims: { readonly claim: Claim; readonly artifact: SignatureEvidence }[] = [];
  const attested = new Set<string>();
  for (const { reading, artifact } of readings.values()) {
    if ('flaw' in reading) {
      const isAttestation =
        reading.predicateType !== undefined &&
        ![undefined, ...accepted].some((root) => isApproval(reading, root));
      if (isAttestation) attested.add(reading.predicateType!);
      else flaws.push(reading.flaw);
    } else if (accepted.some((root) => isApproval(reading, root))) claims.push({ claim: reading, artifact });
    else if (isApproval(reading)) claims.push({ claim: reading, artifact });
    else attested.add(reading.predicateType!);
  }
  const select = async (roots: readonly TrustRoot[], claim: Claim): Promise<TrustRoot | undefined> => {
    for (const root of roots) {
      if (isApproval(claim, root) && isSignedBy(root.key, claim.signed, claim.signature)) return root;
      if (pacer.isDue()) await pacer.rest();
    }
    return undefined;
  };

  for (const { claim, artifact } of claims) {
    const root = await select(accepted, claim);
    if (root)
      return {
        outcome: 'verified',
        keyFingerprint: root.fingerprint,
        root: root.name,
        layout: artifact.layout,
        signature: artifact.manifest.descriptor.digest,
        ...named,
      };
  }
  const { unusable = [] } = options;
  const isAbsent = claims.length === 0 && flaws.length === 0 && unusable.length === 0;
  if (isAbsent && scope?.allowUnsigned && options.allowUnsigned !== false)
    return { outcome: 'unsigned-admitted', trustScope: scope.name };

  const outside = new Set<TrustRoot>();
  for (const { claim } of claims) {
    const root = await select(foreign, claim);
    if (root) outside.add(root);
  }
  const leftOut = options.leftOut ?? 0;
  const lookedAt = claims.length + flaws.filter((flaw) => flaw !== leftOutFlaw).length;
  const remarks: readonly Rule[] = [
    ...(leftOut > 0
      ? [
          rule(['{lookedAt} of {all} signatures looked at', fr`{lookedAt} signatures examinées sur {all}`], {
            lookedAt,
            all: lookedAt + leftOut,
          }),
        ]
      : []),
    ...policy.missing.map((name) =>
      rule(
        [
          'no copy of the key of trust root {name} is available',
          fr`aucune copie de la clé de la racine de confiance {name} n’est disponible`,
        ],
        { name },
      ),
    ),
    ...[...outside].map(({ name }) =>
      rule(
        [
          'signed with {name}, which scope {scope} does not accept',
          fr`signé avec {name}, que le périmètre {scope} n’accepte pas`,
        ],
        { name, scope: scope?.name ?? '' },
      ),
    ),
    ...[...attested].map((type) =>
      rule(
        [
          'an attestation of type {type}, which approves nothing',
          fr`une attestation de type {type}, qui n’approuve rien`,
        ],
        { type: type.slice(0, 200) },
      ),
    ),
    ...flaws,
    ...unusable,
    ...claims.flatMap(({ claim }) => claim.remark ?? []),
  ];
  const fingerprints = new Set([
    ...[...outside].map(({ fingerprint }) => fingerprint),
    ...claims.flatMap(({ claim }) => toHexHint(claim.hint) ?? []),
  ]);
  return {
    outcome: 'refused',
    reason:
      accepted.length === 0 ? 'no-roots' : isAbsent ? 'none' : claims.length > 0 ? 'untrusted' : 'malformed',
    fingerprints: [...fingerprints].slice(0, maximumFingerprints),
    ...(remarks.length === 0 ? {} : { detail: joinRemarks(remarks) }),
    ...(attested.size === 0
      ? {}
      : { attested: [...attested].slice(0, maximumFingerprints).map((type) => type.slice(0, 200)) }),
    ...(options.crowded === undefined ? {} : { crowded: options.crowded }),
    ...named,
  };
}

/** Joins the first different ones of some remarks. */
function joinRemarks(remarks: readonly Rule[]): Rule {
  const different = new Map(remarks.map((remark) => [String(remark), remark]));
  const [a, b, c, d, e] = different.values();
  return rule(['{a}[; {b}][; {c}][; {d}][; {e}]', fr`{a}[ ; {b}][ ; {c}][ ; {d}][ ; {e}]`], {
    a,
    b,
    c,
    d,
    e,
  });
}

/** The roots that the scope of a path accepts. */
export function acceptedRoots(policy: TrustPolicy, scopePath: string): readonly TrustRoot[] {
  const { roots: names } = selectScope(policy, scopePath) ?? {};
  return policy.roots.filter(({ name }) => names === undefined || names.includes(name));
}

/**
 * Lists the classic signatures that verify with an accepted key.
 *
 * @returns their keys, as `toSignatureKey` writes them
 */
export async function listSound(
  subject: Digest,
  evidence: readonly SignatureEvidence[],
  policy: TrustPolicy,
  scopePath: string,
): Promise<ReadonlySet<string>> {
  const accepted = acceptedRoots(policy, scopePath);
  const sound = new Set<string>();
  const pacer = new Pacer();
  for (const artifact of evidence) {
    if (artifact.layout !== 'classic') continue;
    for (const reading of readEvidence(artifact, subject)) {
      if ('flaw' in reading) continue;
      const isSound = accepted.some(({ key }) => isSignedBy(key, reading.signed, reading.signature));
      if (isSound) sound.add(toIdentity(reading));
      if (pacer.isDue()) await pacer.rest();
    }
  }
  return sound;
}

/**
 * Whether a claim approves the subject: by its layout, by the predicate type that `cosign sign` writes, or by
 * one that the root lists.
 */
export function isApproval(
  { predicateType }: { readonly predicateType?: string | undefined },
  root?: Pick<TrustRoot, 'predicates'>,
): boolean {
  return (
    predicateType === undefined ||
    predicateType === signPredicate ||
    root?.predicates?.includes(predicateType) === true
  );
}

/**
 * Returns the predicate type of an artifact that is an attestation and not a signature.
 *
 * @returns the predicate type; undefined for a signature and for an artifact that cannot be read
 */
export function attestedType(artifact: SignatureEvidence, subject: Digest): string | undefined {
  const readings = readEvidence(artifact, subject);
  const type = readings[0]?.predicateType;
  // a flawed reading without a type may be a signature
  const isOther = readings.every((reading) => reading.predicateType !== undefined && !isApproval(reading));
  return isOther ? type : undefined;
}

/** Whether a trust root lists the predicate type as one that approves. */
export function isApprovedType(type: string, roots: readonly TrustRoot[]): boolean {
  return roots.some(({ predicates }) => predicates?.includes(type) === true);
}

const toIdentity = ({ signed, signature }: Claim): string =>
  `${hashBytes(signed)} ${signature.toString('base64')}`;

/**
 * Converts a key hint of cosign (base64 of the fingerprint) to a hexadecimal fingerprint.
 *
 * @returns undefined when the hint is not a fingerprint
 */
function toHexHint(hint: string | undefined): string | undefined {
  if (hint === undefined || hint.length > 64) return undefined;
  if (/^[0-9a-f]{64}$/.test(hint)) return hint;
  const bytes = /^[A-Za-z0-9+/]{43}=$/.test(hint) ? Buffer.from(hint, 'base64') : undefined;
  return bytes?.length === 32 ? bytes.toString('hex') : undefined;
}
