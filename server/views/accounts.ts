import type { Accounts } from '../../src/account/accounts.ts';
import { fingerprintAccount, fingerprintToken } from '../../src/account/fingerprint.ts';
import type { AccountRecord } from '../../src/account/model.ts';
import type { Digest } from '../../src/base/digest.ts';
import { requireSetting } from '../../src/base/require-setting.ts';
import type { Account, Token } from '../../src/contract/access.ts';
import type { QueryOf } from '../../src/contract/operation.ts';
import type * as operations from '../../src/contract/operations/access.ts';
import { svcError } from '../../src/text/error.ts';
import { sortAccounts, sortTokens } from '../../src/view/sort-accounts.ts';
import type { ViewParts } from './parts.ts';

/** With the fingerprint that a removal or revocation may rest on; answers of older instances have none. */
type Fingerprinted<T extends { readonly fingerprint?: Digest }> = T & Required<Pick<T, 'fingerprint'>>;

type Parts = Pick<ViewParts, 'accounts'>;

/** @throws SVC-CFG-001 on an instance without a state root */
export function requireAccounts({ accounts }: Parts): Accounts {
  return requireSetting('state.root', accounts);
}

/** Shows one account. */
export function showAccount(account: AccountRecord): Fingerprinted<Account> {
  return { ...account, fingerprint: fingerprintAccount(account) };
}

/** Lists the local accounts, by name unless told. @throws SVC-CFG-001 without a state root */
export async function listAccounts(
  parts: Parts,
  query: QueryOf<typeof operations.listAccounts.query> = {},
): Promise<readonly Fingerprinted<Account>[]> {
  return sortAccounts(await requireAccounts(parts).list(), query).map(showAccount);
}

/** Lists the API tokens, by name unless told, including revoked ones. @throws SVC-CFG-001 without a state root */
export async function listTokens(
  parts: Parts,
  query: QueryOf<typeof operations.listTokens.query> = {},
): Promise<readonly Fingerprinted<Token>[]> {
  const tokens = sortTokens(await requireAccounts(parts).tokens.list(), query);
  return tokens.map((token) => ({ ...token, fingerprint: fingerprintToken(token) }));
}

/** Finds one of several records by its name. @throws SVC-AUTH-010 */
function requireNamed<T extends { readonly name: string }>(records: readonly T[], name: string): T {
  const found = records.find((each) => each.name === name);
  if (found === undefined) throw svcError('SVC-AUTH-010', { name: name.slice(0, 64) });
  return found;
}

/** Shows the account of this name. @throws SVC-AUTH-010, SVC-CFG-001 without a state root */
export async function requireAccount(parts: Parts, name: string): Promise<Fingerprinted<Account>> {
  return requireNamed(await listAccounts(parts), name);
}

/** Shows the token of this name. @throws SVC-AUTH-010, SVC-CFG-001 without a state root */
export async function requireToken(parts: Parts, name: string): Promise<Fingerprinted<Token>> {
  return requireNamed(await listTokens(parts), name);
}
