import { hash as hashAtOnce, randomBytes } from 'node:crypto';
import { svcError } from '../base/error.ts';
import { type Report, silentReport } from '../base/report.ts';
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
import { createPasswordHasher, type HashingCost, type PasswordHasher } from './hash-password.ts';
import { LastLogins } from './last-logins.ts';
import type { AccountRecord, Identity, Role, TokenRecord } from './model.ts';

interface AccountsOptions {
  readonly stateRoot: string;
  readonly report?: Report;
  /** The cost of a hash, for tests only. */
  readonly hashing?: HashingCost;
}

export interface CreatedAccount {
  readonly account: AccountRecord;
  /** The very first account: admin, whatever was asked. */
  readonly first: boolean;
}

/** Local accounts and API tokens of one state root; other processes may change them at any time. */
export interface Accounts extends AsyncDisposable {
  /** By name. */
  list(): Promise<readonly AccountRecord[]>;
  /** @throws SVC-AUTH-010 */
  get(name: string): Promise<AccountRecord>;
  /** @throws SVC-AUTH-007 password, SVC-AUTH-008 name or role, SVC-AUTH-009 taken */
  create(input: {
    readonly name: string;
    readonly role?: string | undefined;
    readonly password: string;
  }): Promise<CreatedAccount>;
  /**
   * @returns the account, and the role that it had until now
   * @throws SVC-AUTH-007, SVC-AUTH-008, SVC-AUTH-010, SVC-AUTH-011 when the last administrator would be demoted
   */
  update(
    name: string,
    change: { readonly role?: string | undefined; readonly password?: string | undefined },
  ): Promise<{ readonly account: AccountRecord; readonly formerRole: Role }>;
  /** @returns the role that it had. @throws SVC-AUTH-010, SVC-AUTH-011 for the last administrator */
  delete(name: string): Promise<{ readonly role: Role }>;
  /** Changes an account's password on its own behalf. @throws SVC-AUTH-006 when `current` is wrong, SVC-AUTH-007, SVC-AUTH-010 */
  changePassword(name: string, current: string, next: string): Promise<void>;
  /** Whether there is no account at all. */
  isEmpty(): Promise<boolean>;
  readonly tokens: {
    /** By name, revoked ones included. */
    list(): Promise<readonly TokenRecord[]>;
    /** The secret is in this answer and nowhere else. The name of a revoked token stays its own. @throws SVC-AUTH-008, SVC-AUTH-009 */
    create(input: {
      readonly name: string;
      readonly role: string;
    }): Promise<{ readonly name: string; readonly role: Role; readonly secret: string }>;
    /** Counts from the next request on; revoking twice is fine. @returns its role. @throws SVC-AUTH-010 */
    revoke(name: string): Promise<{ readonly role: Role }>;
  };

  /** The account as it is on disk now. */
  find(name: string): StoredAccount | undefined;
  /** The standing token with this secret, as it is on disk now. */
  findToken(secret: string): StoredToken | undefined;
  /** Whether the password fits; costs the same for an account that is not there. @throws SVC-SRV-006 */
  verifyPassword(account: StoredAccount | undefined, password: string): Promise<boolean>;
  /** Whether an account or token that once authenticated still exists, with the role that it had. */
  isCurrent(identity: Identity): boolean;
  /** Sees to it that accounts and tokens can be changed when the volume is full. Never throws. */
  keepReserve(): Promise<void>;
  /** Remembers that the account signed in now. */
  recordLogin(name: string): void;
}

/** Opens the accounts of a state root. Nothing is read, made or locked before it is needed. */
export function openAccounts(options: AccountsOptions): Accounts {
  const file = new AccountsFile(options.stateRoot);
  const hasher = createPasswordHasher(options.hashing);
  const logins = new LastLogins(options.stateRoot, options.report ?? silentReport);

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
      const password = parsePassword(input.password);
      refuseTaken(file.read().byName.has(name), name);
      const hash = await hasher.hash(password);
      return file.change((document) => {
        refuseTaken(
          document.accounts.some((account) => account.name === name),
          name,
        );
        const first = document.accounts.length === 0;
        const account = { name, role: first ? 'admin' : asked, hash, createdAt: now() } as const;
        return {
          document: { ...document, accounts: [...document.accounts, account] },
          result: { account: toRecord(account, new Map()), first },
        };
      });
    },
    async update(name, change) {
      const role = change.role === undefined ? undefined : parseRole(change.role);
      const password = change.password === undefined ? undefined : parsePassword(change.password);
      requireAccount(file.read(), name);
      const hash = password === undefined ? undefined : await hasher.hash(password);
      const { before, changed } = await changeAccount(name, (account) => ({
        ...account,
        role: role ?? account.role,
        hash: hash ?? account.hash,
      }));
      return { account: toRecord(changed!, await logins.read()), formerRole: before.role };
    },
    async delete(name) {
      const { before } = await changeAccount(name, () => undefined);
      return { role: before.role };
    },
    async changePassword(name, current, next) {
      const account = requireAccount(file.read(), name);
      if (!(await verify(hasher, account, current))) throw svcError('SVC-AUTH-006', {});
      const hash = await hasher.hash(parsePassword(next));
      await changeAccount(name, (present) => {
        // the password that was checked is no longer the account's
        if (present.hash !== account.hash) throw svcError('SVC-AUTH-006', {});
        return { ...present, hash };
      });
    },
    isEmpty: async () => file.read().accounts.length === 0,
    tokens: {
      list: async () => [...file.read().tokens].sort(byName).map(toTokenRecord),
      async create(input) {
        const name = parseName(input.name);
        const role = parseRole(input.role);
        const secret = tokenPrefix + randomBytes(32).toString('base64url');
        await file.change((document) => {
          // a revoked one too: records name both by it
          refuseTaken(
            document.tokens.some((token) => token.name === name),
            name,
          );
          const tokens = [...document.tokens, { name, role, sha256: hashSecret(secret), createdAt: now() }];
          return { document: { ...document, tokens }, result: undefined };
        });
        return { name, role, secret };
      },
      revoke: (name) =>
        file.change((document) => {
          const token = document.tokens.find((other) => other.name === name);
          if (!token) throw svcError('SVC-AUTH-010', { name: toShownName(name) });
          const result = { role: token.role };
          if (token.revokedAt !== undefined) return { document, result };
          const revoked = { ...token, revokedAt: now() };
          const tokens = document.tokens.map((other) => (other === token ? revoked : other));
          return { document: { ...document, tokens }, result };
        }),
    },
    find: (name) => file.read().byName.get(name),
    findToken: (secret) => (isTokenForm(secret) ? file.read().bySecret.get(hashSecret(secret)) : undefined),
    verifyPassword: (account, password) => verify(hasher, account, password),
    isCurrent({ actor, role, account, via }) {
      if (via === 'disabled' || via === 'local') return true;
      const { byName, tokens } = file.read();
      const known =
        account === undefined
          ? tokens.find(({ name, revokedAt }) => `token:${name}` === actor && revokedAt === undefined)
          : byName.get(account);
      return known?.role === role;
    },
    keepReserve: async () => {
      // a change that changes nothing; accounts that cannot be read say so when they are needed
      await file.change((document) => ({ document, result: undefined })).catch(() => {});
    },
    recordLogin: (name) => logins.record(name, new Date()),
    [Symbol.asyncDispose]: () => logins.flush(),
  };
}

async function verify(
  hasher: PasswordHasher,
  account: StoredAccount | undefined,
  password: string,
): Promise<boolean> {
  // what no account can have is refused without a hash, whether or not the account is there
  if (findPasswordFlaw(password) !== undefined) return false;
  return (await hasher.verify(account?.hash ?? hasher.decoy, password)) && account !== undefined;
}

function requireAccount(document: AccountsDocument | AccountsView, name: string): StoredAccount {
  const account = document.accounts.find((other) => other.name === name);
  if (!account) throw svcError('SVC-AUTH-010', { name: toShownName(name) });
  return account;
}

function refuseTaken(taken: boolean, name: string): void {
  if (taken) throw svcError('SVC-AUTH-009', { name });
}

function toRecord(account: StoredAccount, logins: ReadonlyMap<string, string>): AccountRecord {
  const { name, role, createdAt } = account;
  const lastLoginAt = logins.get(name);
  // an earlier account of this name may have signed in before this one was created
  const own = lastLoginAt !== undefined && lastLoginAt >= createdAt;
  return { name, role, createdAt, ...(own ? { lastLoginAt } : {}) };
}

function toTokenRecord({ name, role, createdAt, revokedAt }: StoredToken): TokenRecord {
  return { name, role, createdAt, ...(revokedAt === undefined ? {} : { revokedAt }) };
}

// a name asked for is the client's text
const toShownName = (name: string): string => name.slice(0, 64);
const hashSecret = (secret: string): string => hashAtOnce('sha256', secret);
const byName = (a: { name: string }, b: { name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
const now = (): string => new Date().toISOString();
