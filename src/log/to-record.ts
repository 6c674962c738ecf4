import type { LogFields } from '../base/report.ts';
import { isSvcError } from '../text/error.ts';
import { Rule } from '../text/rule.ts';
import { redacted } from '../text/secrets/redact.ts';
import { cleanText, isSecretName } from './clean-text.ts';

/** A JSON value without secrets. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

const maxText = 8 << 10;
const maxDepth = 8;
const maxMembers = 200;

/** Converts fields to JSON values without secrets, limited in depth, number and length; absent fields are left out. */
export function toPlainFields(fields: LogFields, secrets: Iterable<string>): Record<string, Plain> {
  const plain: Record<string, Plain> = {};
  for (const [name, value] of Object.entries(fields).slice(0, maxMembers)) {
    const member = isSecretName(name) && value !== undefined ? redacted : toPlain(value, secrets, 1);
    if (member !== undefined) plain[name] = member;
  }
  return plain;
}

/** Removes secrets from a text and limits its length. */
export function toPlainText(text: string, secrets: Iterable<string>): string {
  // cut twice: first generously, so that a secret at the final cut is still complete when it is searched for
  const clean = cleanText(text.length > 8 * maxText ? text.slice(0, 8 * maxText) : text, secrets);
  return clean.length > maxText ? `${clean.slice(0, maxText)}…` : clean;
}

function toPlain(value: unknown, secrets: Iterable<string>, depth: number): Plain | undefined {
  switch (typeof value) {
    case 'string':
      return toPlainText(value, secrets);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'bigint':
      return String(value);
    case 'object':
      break;
    default:
      return undefined;
  }
  if (value === null) return null;
  if (depth > maxDepth) return '…';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Rule) return toPlainText(String(value), secrets);
  if (value instanceof Error) return toPlainError(value, secrets, depth);
  if (Array.isArray(value)) {
    return value.slice(0, maxMembers).map((member) => toPlain(member, secrets, depth + 1) ?? null);
  }
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`;
  const members: Record<string, Plain> = {};
  for (const [name, member] of Object.entries(value).slice(0, maxMembers)) {
    const plain = isSecretName(name) && member !== undefined ? redacted : toPlain(member, secrets, depth + 1);
    if (plain !== undefined) members[name] = plain;
  }
  return members;
}

function toPlainError(error: Error, secrets: Iterable<string>, depth: number): Plain {
  const system = (error as NodeJS.ErrnoException).code;
  const cause = error.cause === undefined ? undefined : toPlain(error.cause, secrets, depth + 1);
  const coded = isSvcError(error)
    ? {
        code: error.code,
        params: toPlain(error.params, secrets, depth + 1) ?? {},
        ...(error.detail === undefined ? {} : { detail: toPlainText(error.detail, secrets) }),
      }
    : {
        name: toPlainText(error.name, secrets),
        message: toPlainText(error.message, secrets),
        ...(typeof system === 'string' ? { code: toPlainText(system, secrets) } : {}),
      };
  return cause === undefined ? coded : { ...coded, cause };
}
