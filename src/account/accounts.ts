import { hash as hashAtOnce, randomBytes } from 'node:crypto';
import { systemClock, toStamp } from '../base/clock.ts';
import { type Digest, requireUnchanged } from '../base/digest.ts';
import { leastPasswordLength } from '../base/least-password-length.ts';
import { actors, type Report, silentReport } from '../base/report.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import type { AccountsDocument, StoredAccount, StoredToken } from './accounts-document.ts';
import { AccountsFile, type AccountsView } from './accounts-file.ts';
import {
  findPasswordFlaw,
  isTokenForm,
  parseName,
  parsePassword,
  parseRole,
  tokenPrefix,
} from './credential-rules.ts';
import { fingerprintAccount, fingerprintState, fingerprintToken } from './fingerprint.ts';
import { createPasswordHasher, type HashingCost, type PasswordHasher } from './hash-password.ts';
import { LastLogins } from './last-logins.ts';
import type { AccountRecord, Identity, Role, TokenRecord } from './model.ts';
import { TokenUses } from './token-uses.ts';

interface AccountsOptions {
  readonly stateRoot: string;
  readonly report?: Report;
  /** Least characters of a new password. Default: `leastPasswordLength`. */
  readonly passwordMinLength?: number | undefined;
  /** The cost of a hash, for tests only. */
  readonly hashing?: HashingCost;
}

/** A submitted name that no account has. */
export interface UnknownAccount {
  readonly name: string;
  readonly hash?: undefined;
}

/** State that a client saw before a removal or a change. */
interface Shown {
  readonly fingerprint?: string | undefined;
}

export interface CreatedAccount {
  readonly account: AccountRecord;
  /** Whether it is the first account, which gets the role admin in any case. */
  readonly first: boolean;
}

/** Local accounts and API tokens of one state root; other processes may change them at any time. */
export interface Accounts extends AsyncDisposable {
  /** Least characters of a new password. Accounts with a shorter one continue to work. */
  readonly passwordMinLength: number;
  /** Lists the accounts, sorted by name. */
  list(): Promise<readonly AccountRecord[]>;
  /** @throws SVC-AUTH-010 */
  get(name: string): Promise<AccountRecord>;
  /** Fingerprint of the members of an account that `update` changes. @throws SVC-AUTH-010 */
  stateOf(name: string): Digest;
  /** @throws SVC-AUTH-007 password, SVC-AUTH-008 name (also one that differs from another only in case) or role, SVC-AUTH-009 taken */
  create(input: {
    readonly name: string;
    readonly role?: string | undefined;
    readonly password: string;
  }): Promise<CreatedAccount>;
  /**
   * Creates the first account, an administrator, once: for scripts that run at each start of a machine or pod.
   *
   * @returns undefined, without a change, when there is an account already
   * @throws SVC-AUTH-007, SVC-AUTH-008
   */
  createFirst(input: {
    readonly name: string;
    readonly password: string;
  }): Promise<CreatedAccount | undefined>;
  /**
   * Changes role or password of an account.
   *
   * @param shown.fingerprint from `stateOf`, on which the request rests
   * @returns the account, and its previous role
   * @throws SVC-AUTH-007, SVC-AUTH-008, SVC-AUTH-010, SVC-AUTH-011 when the last administrator would be
   *   demoted, SVC-SRV-007 when role or password have changed since
   */
  update(
    name: string,
    change: { readonly role?: string | undefined; readonly password?: string | undefined },
    shown?: Shown,
  ): Promise<{ readonly account: AccountRecord; readonly formerRole: Role }>;
  /**
   * Deletes an account.
   *
   * @param shown.fingerprint of the preview on which the request rests, see `fingerprintAccount`
   * @returns its role
   * @throws SVC-AUTH-010, SVC-AUTH-011 for the last administrator, SVC-SRV-007 when the preview no longer holds
   */
  delete(name: string, shown?: Shown): Promise<{ readonly role: Role }>;
  /**
   * Changes the password of an account at its own request.
   *
   * @throws SVC-AUTH-006 when `current` is wrong, SVC-AUTH-007, SVC-AUTH-010
   */
  changePassword(name: string, current: string, next: string): Promise<void>;
  /** Whether there are no accounts. */
  isEmpty(): Promise<boolean>;
  readonly tokens: {
    /** Lists the tokens, sorted by name, including revoked ones. */
    list(): Promise<readonly TokenRecord[]>;
    /**
     * Creates a token. The secret is returned here only and is not stored. The name of a revoked token cannot
     * be used again.
     *
     * @throws SVC-AUTH-008, SVC-AUTH-009
     */
    create(input: {
      readonly name: string;
      readonly role: string;
    }): Promise<{ readonly name: string; readonly role: Role; readonly secret: string }>;
    /**
     * Revokes a token, with effect from the next request. Idempotent.
     *
     * @param shown.fingerprint of the preview on which the request rests, see `fingerprintToken`
     * @returns its role
     * @throws SVC-AUTH-010, SVC-SRV-007 when the preview no longer holds
     */
    revoke(name: string, shown?: Shown): Promise<{ readonly role: Role }>;
  };

  /** Returns the account as currently stored. */
  find(name: string): StoredAccount | undefined;
  /** Returns the token with this secret, as currently stored, unless it is revoked. */
  findToken(secret: string): StoredToken | undefined;
  /**
   * Verifies a password of an account, or of a name that no account has, with the same number of hashes.
   *
   * @throws SVC-SRV-006
   */
  verifyPassword(account: StoredAccount | UnknownAccount, password: string): Promise<boolean>;
  /** Whether the account or token of an identity still exists with the same role. Another account of its name is not it. */
  isCurrent(identity: Identity): boolean;
  /** Calls `listener` whenever accounts or tokens were found changed, by this process or another one. */
  onChange(listener: () => void): void;
  /** The role of the actor of a record; undefined when it is no account or token. */
  roleOf(actor: string): Role | undefined;
  /** Whether the actor of a record is an account that was deleted or a token that was revoked. */
  isGone(actor: string): boolean;
  /** Reserves disk space, so that accounts and tokens can be changed on a full volume. Never throws. */
  keepReserve(): Promise<void>;
  /** Records that the account signs in now. */
  recordLogin(name: string): void;
  /** Records that the token is used today. In memory: the file is written later. */
  recordTokenUse(name: string): void;
}

/** Opens the accounts of a state root. Files are read, created and locked when they are first needed. */
export function openAccounts(options: AccountsOptions): Accounts {
  const file = new AccountsFile(options.stateRoot);
  const passwordMinLength = options.passwordMinLength ?? leastPasswordLength;
  const hasher = createPasswordHasher(options.hashing);
  const report = options.report ?? silentReport;
  const logins = new LastLogins(options.stateRoot, report);
  const uses = new TokenUses(options.stateRoot, report);

  const changeAccount = async (
    name: string,
    change: (account: StoredAccount) => StoredAccount | undefined,
  ): Promise<{ readonly before: StoredAccount; readonly changed: StoredAccount | undefined }> =>
    file.change((document) => {
      const account = requireAccount(document, name);
      const changed = change(account);
      const accounts = document.accounts.flatMap((other) => (other === account ? (changed ?? []) : other));
      if (account.role === 'admin' && !accounts.some((other) => other.role === 'admin')) {
        throw svcError('SVC-AUTH-011', { name });
      }
      return { document: { ...document, accounts }, result: { before: account, changed } };
    });

  return {
    passwordMinLength,
    async list() {
      const known = await logins.read();
      return [...file.read().accounts].sort(byName).map((account) => toRecord(account, known));
    },
    async get(name) {
      return toRecord(requireAccount(file.read(), name), await logins.read());
    },
    async create(input) {
      const name = parseName(input.name);
      const asked = input.role === undefined ? 'viewer' : parseRole(input.role);
      const password = parsePassword(input.password, passwordMinLength);
      refuseTaken(file.read().accounts, name);
      const hash = await hasher.hash(password);
      return file.change((document) => {
        refuseTaken(document.accounts, name);
        const first = document.accounts.length === 0;
        return withAccount(document, { name, role: first ? 'admin' : asked, hash, createdAt: toStamp() });
      });
    },
    async createFirst(input) {
      const name = parseName(input.name);
      const hash = await hasher.hash(parsePassword(input.password, passwordMinLength));
      return file.change<CreatedAccount | undefined>((document) =>
        document.accounts.length > 0
          ? { document, result: undefined }
          : withAccount(document, { name, role: 'admin', hash, createdAt: toStamp() }),
      );
    },
    stateOf: (name) => fingerprintState(requireAccount(file.read(), name)),
    async update(name, change, { fingerprint } = {}) {
      const role = change.role === undefined ? undefined : parseRole(change.role);
      const password =
        change.password === undefined ? undefined : parsePassword(change.password, passwordMinLength);
      requireAccount(file.read(), name);
      const hash = password === undefined ? undefined : await hasher.hash(password);
      const { before, changed } = await changeAccount(name, (account) => {
        requireUnchanged(fingerprint, () => fingerprintState(account), name);
        return { ...account, role: role ?? account.role, hash: hash ?? account.hash };
      });
      return { account: toRecord(changed!, await logins.read()), formerRole: before.role };
    },
    async delete(name, { fingerprint } = {}) {
      const known = await logins.read();
      const { before } = await changeAccount(name, (account) => {
        // somebody may have signed in while the change waited for its turn
        const record = toRecord(account, logins.overlay(known));
        requireUnchanged(fingerprint, () => fingerprintAccount(record), name);
        return undefined;
      });
      return { role: before.role };
    },
    async changePassword(name, current, next) {
      const account = requireAccount(file.read(), name);
      if (!(await verify(hasher, account, current))) throw svcError('SVC-AUTH-006', {});
      const hash = await hasher.hash(parsePassword(next, passwordMinLength));
      await changeAccount(name, (present) => {
        // the password has changed since it was checked
        if (present.hash !== account.hash) throw svcError('SVC-AUTH-006', {});
        return { ...present, hash };
      });
    },
    isEmpty: async () => file.read().accounts.length === 0,
    tokens: {
      list: async () => {
        const days = await uses.read();
        return [...file.read().tokens].sort(byName).map((token): TokenRecord => {
          const lastUsedOn = days.get(token.name);
          return { ...toTokenRecord(token), ...(lastUsedOn === undefined ? {} : { lastUsedOn }) };
        });
      },
      async create(input) {
        const name = parseName(input.name);
        const role = parseRole(input.role);
        const secret = tokenPrefix + randomBytes(32).toString('base64url');
        await file.change((document) => {
          // names of revoked tokens stay in use: audit records identify a token by its name
          refuseTaken(document.tokens, name);
          const tokens = [
            ...document.tokens,
            { name, role, sha256: hashSecret(secret), createdAt: toStamp() },
          ];
          return { document: { ...document, tokens }, result: undefined };
        });
        return { name, role, secret };
      },
      revoke: (name, { fingerprint } = {}) =>
        file.change((document) => {
          const token = document.tokens.find((other) => other.name === name);
          if (!token) throw svcError('SVC-AUTH-010', { name: toShownName(name) });
          requireUnchanged(fingerprint, () => fingerprintToken(toTokenRecord(token)), name);
          const result = { role: token.role };
          if (token.revokedAt !== undefined) return { document, result };
          const revoked = { ...token, revokedAt: toStamp() };
          const tokens = document.tokens.map((other) => (other === token ? revoked : other));
          return { document: { ...document, tokens }, result };
        }),
    },
    find: (name) => file.read().byName.get(name),
    findToken: (secret) => (isTokenForm(secret) ? file.read().bySecret.get(hashSecret(secret)) : undefined),
    verifyPassword: (account, password) => verify(hasher, account, password),
    isCurrent({ actor, role, account, since, via }) {
      if (via === 'disabled') return true;
      const { byName, tokens } = file.read();
      if (account === undefined)
        return tokens.some(
          (token) => `token:${token.name}` === actor && token.revokedAt === undefined && token.role === role,
        );
      const known = byName.get(account);
      return known?.role === role && known.createdAt === since;
    },
    onChange: (listener) => file.onChange(listener),
    roleOf(actor) {
      const { byName, tokens } = file.read();
      return (byName.get(actor) ?? tokens.find(({ name }) => `token:${name}` === actor))?.role;
    },
    isGone(actor) {
      if (Object.values<string>(actors).includes(actor) || actor.startsWith('local:')) return false;
      const { byName, tokens } = file.read();
      if (!actor.startsWith('token:')) return !byName.has(actor);
      return !tokens.some(({ name, revokedAt }) => `token:${name}` === actor && revokedAt === undefined);
    },
    keepReserve: async () => {
      // an empty change; unreadable accounts are reported when they are used
      await file.change((document) => ({ document, result: undefined })).catch(() => {});
    },
    recordLogin: (name) => logins.record(name, new Date(systemClock.wall())),
    recordTokenUse: (name) => uses.record(name, systemClock.wall()),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([logins.flush(), uses.flush()]);
    },
  };
}

async function verify(
  hasher: PasswordHasher,
  { name, hash }: StoredAccount | UnknownAccount,
  password: string,
): Promise<boolean> {
  // a password that no account can have is refused without hashing, whether or not the account exists
  if (findPasswordFlaw(password) !== undefined) return false;
  return (await hasher.verify(hash ?? hasher.decoy, name, password)) && hash !== undefined;
}

function requireAccount(document: AccountsDocument | AccountsView, name: string): StoredAccount {
  const account = document.accounts.find((other) => other.name === name);
  if (!account) throw svcError('SVC-AUTH-010', { name: toShownName(name) });
  return account;
}

/** Adds an account to a document. */
function withAccount(document: AccountsDocument, account: StoredAccount) {
  const accounts = [...document.accounts, account];
  const result: CreatedAccount = { account: toRecord(account, new Map()), first: accounts.length === 1 };
  return { document: { ...document, accounts }, result };
}

/**
 * Refuses the name of a new account or token that another one has. One that differs only in upper and lower case is
 * refused too, because the two could be confused in an audit log.
 *
 * @throws SVC-AUTH-009, SVC-AUTH-008 for the other case
 */
function refuseTaken(others: readonly { readonly name: string }[], name: string): void {
  if (others.some((other) => other.name === name)) throw svcError('SVC-AUTH-009', { name });
  const alike = others.find((other) => other.name.toLowerCase() === name.toLowerCase());
  if (alike !== undefined)
    throw svcError('SVC-AUTH-008', {
      rule: rule(
        [
          'the name {name} differs from {other} only in upper and lower case',
          fr`le nom {name} ne diffère de {other} que par les majuscules et minuscules`,
        ],
        { name, other: alike.name },
      ),
    });
}

function toRecord(account: StoredAccount, logins: ReadonlyMap<string, string>): AccountRecord {
  const { name, role, createdAt } = account;
  const lastLoginAt = logins.get(name);
  // a deleted account of the same name may have signed in before this one was created
  const own = lastLoginAt !== undefined && lastLoginAt >= createdAt;
  return { name, role, createdAt, ...(own ? { lastLoginAt } : {}) };
}

function toTokenRecord({ name, role, createdAt, revokedAt }: StoredToken): TokenRecord {
  return { name, role, createdAt, ...(revokedAt === undefined ? {} : { revokedAt }) };
}

// names in requests are unchecked client input
const toShownName = (name: string): string => name.slice(0, 64);
const hashSecret = (secret: string): string => hashAtOnce('sha256', secret);
const byName = (a: { name: string }, b: { name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
