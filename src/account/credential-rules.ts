import { actorPrefixes, actors } from '../base/report.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
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
      rule: rule([
        'a name is 1 to 64 letters, digits and . _ @ -, and starts with a letter or digit',
        fr`un nom compte de 1 à 64 lettres, chiffres et . _ @ -, et commence par une lettre ou un chiffre`,
      ]),
    });
  }
  if (reservedNames.has(text.toLowerCase()))
    throw svcError('SVC-AUTH-008', { rule: rule(['this name is reserved', fr`ce nom est réservé`]) });
  return text;
}

/** @throws SVC-AUTH-008 */
export function parseRole(text: unknown): Role {
  const role = roles.find((known) => known === text);
  if (!role)
    throw svcError('SVC-AUTH-008', {
      rule: rule(['a role is one of {roles}', fr`un rôle est l’un de : {roles}`], {
        roles: roles.join(', '),
      }),
    });
  return role;
}

/** Whether a password has fewer characters (Unicode code points) than a new one needs. */
export function isShortPassword(password: string, minLength: number): boolean {
  return [...password].length < minLength;
}

/** Finds the rule that a new password breaks; undefined when it breaks none. */
export function findNewPasswordFlaw(password: string, minLength: number): Rule | undefined {
  const flaw = findPasswordFlaw(password);
  if (flaw !== undefined) return flaw;
  return isShortPassword(password, minLength)
    ? rule(
        [
          'a password must have at least {n} characters',
          fr`un mot de passe doit avoir au moins {n} caractères`,
        ],
        { n: minLength },
      )
    : undefined;
}

/** Finds the rule that a password breaks which any account may have; undefined when it breaks none. */
export function findPasswordFlaw(password: string): Rule | undefined {
  // every lone surrogate would be hashed as U+FFFD
  if (!password.isWellFormed())
    return rule(['a password must be Unicode text', fr`un mot de passe doit être un texte Unicode`]);
  const bytes = Buffer.byteLength(password);
  if (bytes < 1) return rule(['a password must not be empty', fr`un mot de passe ne doit pas être vide`]);
  if (bytes > maxPasswordBytes)
    return rule(
      ['a password must have at most {n} bytes', fr`un mot de passe doit avoir au plus {n} octets`],
      { n: maxPasswordBytes },
    );
  if (/[\0-\x1f\x7f-\x9f]/.test(password))
    return rule([
      'a password must not contain control characters',
      fr`un mot de passe ne doit pas contenir de caractères de contrôle`,
    ]);
  if (isTokenSecret(password))
    return rule(
      ['a password must not start with {prefix}', fr`un mot de passe ne doit pas commencer par {prefix}`],
      { prefix: tokenPrefix },
    );
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
    typeof password === 'string'
      ? findNewPasswordFlaw(password, minLength)
      : rule(['a password must be text', fr`un mot de passe doit être un texte`]);
  if (flaw !== undefined) throw svcError('SVC-AUTH-007', { rule: flaw, least: minLength });
  return password as string;
}
