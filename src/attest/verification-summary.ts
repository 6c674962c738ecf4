import { digestHex, hashBytes } from '../base/digest.ts';
import type { Statement, StatementSubject } from './statement.ts';

// SLSA Verification Summary Attestation v1

/** Predicate type of a summary: a verifier checked an artifact by a policy. */
export const summaryPredicate = 'https://slsa.dev/verification_summary/v1';

/** Identifies this program as a verifier, and the proof of deliveries as a policy. */
const names = { verifier: 'urn:svc:media-prove', policy: 'urn:svc:proof:v1' } as const;

interface Summary {
  /** The artifact. */
  readonly subject: StatementSubject;
  /** URI of the artifact. */
  readonly resource: string;
  /** Version of the program. */
  readonly version: string;
  /** RFC 3339 UTC. */
  readonly verifiedAt: string;
  /** The choices of the verification. The same choices have the same digest. */
  readonly policy: Readonly<Record<string, unknown>>;
}

/** Makes the statement that an artifact passed. No SLSA level is claimed. */
export function toPassedSummary({ subject, resource, version, verifiedAt, policy }: Summary): Statement {
  const content = Buffer.from(JSON.stringify(policy));
  return {
    subjects: [subject],
    predicateType: summaryPredicate,
    predicate: {
      verifier: { id: names.verifier, version: { svc: version } },
      timeVerified: verifiedAt,
      resourceUri: resource,
      policy: {
        uri: names.policy,
        digest: { sha256: digestHex(hashBytes(content)) },
        mediaType: 'application/json',
        content: content.toString('base64'),
      },
      verificationResult: 'PASSED',
      verifiedLevels: [],
      slsaVersion: '1.0',
    },
  };
}
