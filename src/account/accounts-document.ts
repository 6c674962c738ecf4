import { requireKnownFormat } from '../disk/read-error.ts';
import { fr } from '../text/language.ts';
import { RuleError, rule } from '../text/rule.ts';
import { isName } from './credential-rules.ts';
import { type Role, roles } from './model.ts';

/** An account as stored. */
export interface StoredAccount {
  readonly name: string;
  readonly role: Role;
  /** Encoded argon2id hash of the password. */
  readonly hash: string;
  readonly createdAt: string;
}

/** A token as stored. */
export interface StoredToken {
  readonly name: string;
  readonly role: Role;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly sha256: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
}

export interface AccountsDocument {
  readonly accounts: readonly StoredAccount[];
  readonly tokens: readonly StoredToken[];
}

/** The file of accounts has a value that no version writes. */
export class AccountsFormatError extends RuleError {}

const format = 1;

export function formatAccountsDocument(document: AccountsDocument): string {
  return `${JSON.stringify({ format, ...document }, null, 2)}\n`;
}

/**
 * Parses the document of accounts and tokens. Any unexpected value is an error: a document read in part could
 * grant access or lose accounts at the next change.
 *
 * @throws AccountsFormatError, SyntaxError when the text is not JSON; the caller names the file
 */
export function parseAccountsDocument(text: string): AccountsDocument {
  const document = toObject(JSON.parse(text), 'document');
  requireKnownFormat(document.format, format);
  if (document.format !== format)
    throw new AccountsFormatError(
      rule(['format {found} is not {format}', fr`le format {found} n’est pas {format}`], {
        found: String(document.format),
        format,
      }),
    );
  const accounts = toList(document.accounts, 'accounts').map((entry): StoredAccount => {
    const { name, role, hash, createdAt } = toObject(entry, 'account');
    return { name: toName(name), role: toRole(role), hash: toHash(hash), createdAt: toText(createdAt) };
  });
  const tokens = toList(document.tokens, 'tokens').map((entry): StoredToken => {
    const { name, role, sha256, createdAt, revokedAt } = toObject(entry, 'token');
    if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
      throw new AccountsFormatError(rule(['a token has no hash', fr`un jeton n’a pas de condensat`]));
    return {
      name: toName(name),
      role: toRole(role),
      sha256,
      createdAt: toText(createdAt),
      ...(revokedAt === undefined ? {} : { revokedAt: toText(revokedAt) }),
    };
  });
  if (new Set(accounts.map((account) => account.name)).size !== accounts.length) {
    throw new AccountsFormatError(rule(['an account is listed twice', fr`un compte est listé deux fois`]));
  }
  if (new Set(tokens.map((token) => token.name)).size !== tokens.length) {
    throw new AccountsFormatError(rule(['a token is listed twice', fr`un jeton est listé deux fois`]));
  }
  return { accounts, tokens };
}

/** Largest accepted cost of a hash, many times that of our own hashes. Each verification costs as much. */
const mostCost = { memory: 1 << 20, time: 32, parallelism: 32 } as const;

/** An encoded argon2id hash whose verification ends, and with the memory of this machine: at most 1 GiB. */
function toHash(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('$argon2id$'))
    throw new AccountsFormatError(rule(['an account has no hash', fr`un compte n’a pas de condensat`]));
  const [, memory, time, parallelism] =
    /^\$argon2id\$v=19\$m=([0-9]{1,10}),t=([0-9]{1,10}),p=([0-9]{1,10})\$[A-Za-z0-9+/]{1,256}\$[A-Za-z0-9+/]{1,256}$/.exec(
      value,
    ) ?? [];
  if (memory === undefined)
    throw new AccountsFormatError(
      rule(['the hash of an account is malformed', fr`le condensat d’un compte est mal formé`]),
    );
  const isWithin = (given: string | undefined, most: number): boolean =>
    Number(given) >= 1 && Number(given) <= most;
  if (
    !isWithin(memory, mostCost.memory) ||
    !isWithin(time, mostCost.time) ||
    !isWithin(parallelism, mostCost.parallelism)
  )
    throw new AccountsFormatError(
      rule([
        'the cost of a hash of an account is out of range',
        fr`le coût d’un condensat de compte est hors limites`,
      ]),
    );
  return value;
}

function toObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AccountsFormatError(
      rule(['the {what} is not an object', fr`« {what} » n’est pas un objet`], { what }),
    );
  }
  return value as Record<string, unknown>;
}

function toList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value))
    throw new AccountsFormatError(rule(['{what} is not a list', fr`{what} n’est pas une liste`], { what }));
  return value;
}

function toText(value: unknown): string {
  if (typeof value !== 'string')
    throw new AccountsFormatError(rule(['a time is missing', fr`une date manque`]));
  return value;
}

function toName(value: unknown): string {
  if (typeof value !== 'string' || !isName(value))
    throw new AccountsFormatError(rule(['a name is malformed', fr`un nom est mal formé`]));
  return value;
}

function toRole(value: unknown): Role {
  const role = roles.find((known) => known === value);
  if (!role) throw new AccountsFormatError(rule(['a role is unknown', fr`un rôle est inconnu`]));
  return role;
}
