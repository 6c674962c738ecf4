import type { KeyObject } from 'node:crypto';
import { type Digest, hashBytes, isDigest } from '../base/digest.ts';
import { isJsonObject } from '../base/json/json-object.ts';
import { checkValue } from '../contract/check-value.ts';
import { inline, type Schema } from '../contract/schema.ts';
import { isSvcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { textParam } from '../text/text-param.ts';
import { readBundle, toBundleBytes } from './bundle.ts';
import { payloadType, preAuthEncoding } from './envelope.ts';
import { toKeyHint } from './public-key.ts';
import { isSignedBy } from './signed-by.ts';
import { type Statement, toStatementBytes } from './statement.ts';

/** A key that signs. */
export interface StatementSigner {
  readonly publicKey: KeyObject;
  sign(bytes: Buffer): Buffer;
}

/** A statement of an instance about itself, as a bundle has it. Its signature is not verified. */
export interface OwnStatement<T> {
  /** Digest of the statement: the bytes that are signed, so that nobody without the key can make another of the same content. */
  readonly digest: Digest;
  readonly predicate: T;
  readonly subjects: readonly { readonly name?: string; readonly digest: Digest }[];
  readonly signed: Buffer;
  readonly signature: Buffer;
  /** Hint of the key, from the unsigned part. */
  readonly hint?: string;
}

/** Signs a statement, as a Sigstore bundle. */
export function signStatement(statement: Statement, { publicKey, sign }: StatementSigner): Buffer {
  const payload = toStatementBytes(statement);
  return toBundleBytes(payload, sign(preAuthEncoding(payloadType, payload)), publicKey);
}

/**
 * Reads a statement of another instance out of a Sigstore bundle. Members that a later version signs are kept unread; a member
 * around the signed bytes may be of anybody. Verifies no signature: see {@link findSigner}.
 *
 * @param bytes their number was limited by the caller
 * @param type predicate type that the statement must have
 * @param predicate schema that its predicate must have
 * @returns the rule that the bytes break, if they are not such a statement
 */
export function readOwnStatement<T>(
  bytes: Buffer,
  type: string,
  predicate: Schema<T>,
): OwnStatement<T> | { readonly flaw: Rule } {
  const read = readBundle(bytes);
  if ('flaw' in read) return { flaw: read.flaw };
  if (read.predicateType !== type)
    return {
      flaw: rule(['a statement of type {type}', fr`une déclaration de type {type}`], {
        type: read.predicateType.slice(0, 200),
      }),
    };
  if (read.strange !== undefined)
    return {
      flaw: rule(
        [
          'its member {path} is around the signed bytes, and nothing signs it',
          fr`son membre {path} est hors des octets signés, et rien ne le signe`,
        ],
        { path: read.strange },
      ),
    };
  const broken = findBroken(read.predicate, predicate);
  if (broken !== undefined) return { flaw: broken };
  const subjects = readSubjects(read.subject);
  if (subjects === undefined)
    return {
      flaw: rule([
        'its subjects are not files with a digest each',
        fr`ses sujets ne sont pas des fichiers avec chacun une empreinte`,
      ]),
    };
  const { signed, signature, hint, payload } = read;
  return {
    digest: hashBytes(payload),
    predicate: read.predicate as T,
    subjects,
    signed,
    signature,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Finds the one of these keys that signed a statement. Its hint must be that of the key: nothing signs it. */
export function findSigner<K extends { readonly key: KeyObject }>(
  { hint, signed, signature }: Pick<OwnStatement<unknown>, 'hint' | 'signed' | 'signature'>,
  keys: readonly K[],
): K | undefined {
  return keys.find(({ key }) => toKeyHint(key) === hint && isSignedBy(key, signed, signature));
}

/** @returns the rule that a predicate breaks, with the place of the value */
function findBroken(value: unknown, schema: Schema): Rule | undefined {
  try {
    checkValue(value, inline(schema) as Schema, '', 'predicate');
    return undefined;
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-001')) throw error;
    const path = textParam(error, 'path');
    return rule(['{path} {broken}', fr`{path} {broken}`], { path, broken: textParam(error, 'rule') });
  }
}

function readSubjects(value: unknown): OwnStatement<unknown>['subjects'] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > 16) return undefined;
  const subjects: { name?: string; digest: Digest }[] = [];
  for (const item of value as readonly unknown[]) {
    if (!isJsonObject(item) || !isJsonObject(item.digest)) return undefined;
    const digest = `sha256:${String(item.digest.sha256)}`;
    if (!isDigest(digest)) return undefined;
    subjects.push({ ...(typeof item.name === 'string' ? { name: item.name } : {}), digest });
  }
  return subjects;
}
