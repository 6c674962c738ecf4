import type { CreatedAccount } from '../../src/account/accounts.ts';
import type { Report } from '../../src/base/report.ts';

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
export async function createAccount(wanted: NewAccount): Promise<CreatedAccount> {
  const { stateRoot, name, role, password, actor, report } = wanted;
  const { openAccounts } = await import('../../src/account/accounts.ts');
  await using accounts = openAccounts({ stateRoot, report });
  const audit = { actor, action: 'account.create', target: name } as const;
  try {
    const created = await accounts.create({ name, role, password });
    const details = { role: created.account.role, first: created.first };
    report.audit({ ...audit, outcome: 'success', details });
    return created;
  } catch (error) {
    report.audit({ ...audit, outcome: 'failure' });
    throw error;
  }
}
