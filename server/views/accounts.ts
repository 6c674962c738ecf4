import type { Accounts } from '../../src/account/accounts.ts';
import type { AccountRecord, TokenRecord } from '../../src/account/model.ts';
import { requireSetting } from '../../src/base/require-setting.ts';
import type { ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'accounts'>;

/** @throws SVC-CFG-001 on an instance without a state root */
export function requireAccounts({ accounts }: Parts): Accounts {
  return requireSetting('state.root', accounts);
}

/** Lists the local accounts, by name. @throws SVC-CFG-001 without a state root */
export async function listAccounts(parts: Parts): Promise<readonly AccountRecord[]> {
  return requireAccounts(parts).list();
}

/** Lists the API tokens, by name, including revoked ones. @throws SVC-CFG-001 without a state root */
export async function listTokens(parts: Parts): Promise<readonly TokenRecord[]> {
  return requireAccounts(parts).tokens.list();
}
