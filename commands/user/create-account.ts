import type { CreatedAccount } from '../../src/account/accounts.ts';
import type { Report } from '../../src/base/report.ts';
import { changeAccounts } from './change-accounts.ts';

interface NewAccount {
  readonly stateRoot: string;
  readonly name: string;
  readonly role: string | undefined;
  readonly password: string;
  readonly actor: string;
  readonly report: Report;
}

/**
 * Creates an account in a state folder and audits it. Creates the folder when it is missing. @throws
 * SVC-AUTH-007…009
 */
export function createAccount({ name, role, password, ...where }: NewAccount): Promise<CreatedAccount> {
  return changeAccounts({
    ...where,
    action: 'account.create',
    target: name,
    apply: (accounts) => accounts.create({ name, role, password }),
    describe: ({ account, first }) => ({ role: account.role, first }),
  });
}
