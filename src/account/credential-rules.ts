import { actorPrefixes, actors } from '../base/report.ts';
import { svcError } from '../text/error.ts';
import { type Role, roles } from './model.ts';

/** Prefix of every token secret; passwords must not start with it. */
export const tokenPrefix = 'svc_';
const tokenLength = tokenPrefix.length + 43;
const maxPasswordBytes = 1024;
const reservedNames: ReadonlySet<string> = new Set([...Object.values(actors), ...actorPrefixes]);

/** Whether `text` has the form of an account or token name. */
export function isName(text: string): boolean {
  return text.length <= 64 && /^[A-Za-z0-9][A-Za-z0-9._@-]*$/.test(text);
}

/** Whether a submitted password is a token. */
export function isTokenSecret(secret: string): boolean {
  return secret.startsWith(tokenPrefix);
}

/** Whether a text has the form of a token secret of this program. */
export function isTokenForm(secret: string): boolean {
  return secret.length === tokenLength && /^[A-Za-z0-9_-]+$/.test(secret);
}

/** Validates the name of a new account or token. @throws SVC-AUTH-008 */
export function parseName(text: unknown): string {
  if (typeof text !== 'string' || !isName(text)) {
    throw svcError('SVC-AUTH-008', {
      rule: 'a name is 1 to 64 letters, digits and . _ @ -, and starts with a letter or digit',
    });
  }
  if (reservedNames.has(text.toLowerCase()))
    throw svcError('SVC-AUTH-008', { rule: 'this name is reserved' });
  return text;
}

/** @throws SVC-AUTH-008 */
export function parseRole(text: unknown): Role {
  const role = roles.find((known) => known === text);
  if (!role) throw svcError('SVC-AUTH-008', { rule: `a role is one of ${roles.join(', ')}` });
  return role;
}

/** Whether a password has fewer characters (Unicode code points) than a new one needs. */
export function isShortPassword(password: string, minLength: number): boolean {
  return [...password].length < minLength;
}

/** Finds the rule that a new password breaks; undefined when it breaks none. */
export function findNewPasswordFlaw(password: string, minLength: number): string | undefined {
  const flaw = findPasswordFlaw(password);
  if (flaw !== undefined) return flaw;
  return isShortPassword(password, minLength)
    ? `a password must have at least ${minLength} characters`
    : undefined;
}

/** Finds the rule that a password breaks which any account may have; undefined when it breaks none. */
export function findPasswordFlaw(password: string): string | undefined {
  // every lone surrogate would be hashed as U+FFFD
  if (!password.isWellFormed()) return 'a password must be Unicode text';
  const bytes = Buffer.byteLength(password);
  if (bytes < 1) return 'a password must not be empty';
  if (bytes > maxPasswordBytes) return `a password must have at most ${maxPasswordBytes} bytes`;
  if (/[\0-\x1f\x7f-\x9f]/.test(password)) return 'a password must not contain control characters';
  if (isTokenSecret(password)) return `a password must not start with ${tokenPrefix}`;
  return undefined;
}

/**
 * Validates a new password.
 *
 * @param minLength least characters
 * @throws SVC-AUTH-007
 */
export function parsePassword(password: unknown, minLength: number): string {
  const flaw =
    typeof password === 'string' ? findNewPasswordFlaw(password, minLength) : 'a password must be text';
  if (flaw !== undefined) throw svcError('SVC-AUTH-007', { rule: flaw });
  return password as string;
}
