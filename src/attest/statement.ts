import { type Digest, digestAlgorithm, digestHex } from '../base/digest.ts';
import { isJsonObject } from '../base/json/json-object.ts';
import { parseJsonObject } from './encoding.ts';

// in-toto attestation framework, Statement layer v1

const statementType = 'https://in-toto.io/Statement/v1';
/** v0.1 has the same members as far as they are read here; cosign 2 writes it. */
const statementTypes = new Set(['https://in-toto.io/Statement/v0.1', statementType]);

/** One thing that a statement is about. */
export interface StatementSubject {
  /** Absent in signatures of cosign: the digest alone identifies an artifact. */
  readonly name?: string;
  readonly digest: Digest;
}

export interface Statement {
  readonly subjects: readonly StatementSubject[];
  /** URI of the type of the predicate. */
  readonly predicateType: string;
  readonly predicate: Readonly<Record<string, unknown>>;
}

/** The decisive members of a statement: the rest belongs to its predicate type. */
export interface ReadStatement {
  /** As the statement has them, unchecked. */
  readonly subject: unknown;
  /** Absent when it is not a text. */
  readonly predicateType?: string;
  /** As the statement has it, unchecked. */
  readonly predicate: unknown;
}

/** Writes a statement as in-toto Statement v1, in UTF-8. The same statement gives the same bytes. */
export function toStatementBytes({ subjects, predicateType, predicate }: Statement): Buffer {
  const subject = subjects.map(({ name, digest }) => ({
    ...(name === undefined ? {} : { name }),
    digest: { [digestAlgorithm(digest)]: digestHex(digest) },
  }));
  return Buffer.from(JSON.stringify({ _type: statementType, subject, predicateType, predicate }));
}

/** @returns undefined when it is not an in-toto statement of a known type */
export function readStatement(payload: Uint8Array): ReadStatement | undefined {
  const statement = parseJsonObject(payload);
  const type = statement?._type;
  if (!statement || typeof type !== 'string' || !statementTypes.has(type)) return undefined;
  const { subject, predicateType, predicate } = statement;
  return { subject, predicate, ...(typeof predicateType === 'string' ? { predicateType } : {}) };
}

/** Whether one subject of the statement has this digest under its algorithm. */
export function isSubjectNamed({ subject }: ReadStatement, digest: Digest): boolean {
  if (!Array.isArray(subject)) return false;
  return subject.some(
    (item) =>
      isJsonObject(item) &&
      isJsonObject(item.digest) &&
      item.digest[digestAlgorithm(digest)] === digestHex(digest),
  );
}
