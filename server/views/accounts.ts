import type { Accounts } from '../../src/account/accounts.ts';
import { fingerprintAccount, fingerprintToken } from '../../src/account/fingerprint.ts';
import type { AccountRecord, TokenRecord } from '../../src/account/model.ts';
import type { Digest } from '../../src/base/digest.ts';
import { requireSetting } from '../../src/base/require-setting.ts';
import type { ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'accounts'>;

/** @throws SVC-CFG-001 on an instance without a state root */
export function requireAccounts({ accounts }: Parts): Accounts {
  return requireSetting('state.root', accounts);
}

/** An account as it is shown, with the fingerprint that its removal may rest on. */
export interface AccountView extends AccountRecord {
  readonly fingerprint: Digest;
}

/** A token as it is shown, with the fingerprint that its revocation may rest on. */
export interface TokenView extends TokenRecord {
  readonly fingerprint: Digest;
}

/** Shows one account. */
export function showAccount(account: AccountRecord): AccountView {
  return { ...account, fingerprint: fingerprintAccount(account) };
}

/** Lists the local accounts, by name. @throws SVC-CFG-001 without a state root */
export async function listAccounts(parts: Parts): Promise<readonly AccountView[]> {
  return (await requireAccounts(parts).list()).map(showAccount);
}

/** Lists the API tokens, by name, including revoked ones. @throws SVC-CFG-001 without a state root */
export async function listTokens(parts: Parts): Promise<readonly TokenView[]> {
  const tokens = await requireAccounts(parts).tokens.list();
  return tokens.map((token) => ({ ...token, fingerprint: fingerprintToken(token) }));
}
