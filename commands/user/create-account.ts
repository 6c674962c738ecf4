import type { CreatedAccount } from '../../src/account/accounts.ts';
import type { Report } from '../../src/base/report.ts';
import { changeAccounts } from './change-accounts.ts';

interface FirstAccount {
  readonly stateRoot: string;
  readonly passwordMinLength: number;
  readonly name: string;
  readonly password: string;
  readonly actor: string;
  readonly report: Report;
}

interface NewAccount extends FirstAccount {
  readonly role: string | undefined;
}

const describe = ({ account, first }: CreatedAccount) => ({ role: account.role, first });

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
    describe,
  });
}

/**
 * Creates the first account of a state folder, as {@link createAccount} does.
 *
 * @returns undefined, with nothing changed or audited, when there is an account
 */
export function createFirstAccount({
  name,
  password,
  ...where
}: FirstAccount): Promise<CreatedAccount | undefined> {
  return changeAccounts<CreatedAccount | undefined>({
    ...where,
    action: 'account.create',
    target: name,
    apply: (accounts) => accounts.createFirst({ name, password }),
    isChange: (created) => created !== undefined,
    describe: (created) => describe(created!),
  });
}
