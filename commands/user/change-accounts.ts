import type { Accounts } from '../../src/account/accounts.ts';
import type { AuditAction, Report } from '../../src/base/report.ts';
import { actAsOwner } from '../cli/act-as-owner.ts';

interface AccountsChange<Result> {
  readonly stateRoot: string;
  /** Least characters of a new password; only where one is set. */
  readonly passwordMinLength?: number;
  readonly actor: string;
  readonly report: Report;
  readonly action: AuditAction;
  /** Name of the account or token. */
  readonly target: string;
  /** Applies the change. */
  readonly apply: (accounts: Accounts) => Promise<Result>;
  /** Whether the result is a change; otherwise nothing is audited. Default: always. */
  readonly isChange?: (result: Result) => boolean;
  /** Details of the audit record of a change that was made. */
  readonly describe?: (result: Result) => Readonly<Record<string, unknown>>;
}

/**
 * Changes the accounts or tokens of a state folder, and audits the outcome. The lock of the accounts file makes
 * this safe beside a running instance, which applies the change from its next request on.
 *
 * @throws the errors of `apply`; SVC-STA-* for a state folder that cannot be read or written
 */
export async function changeAccounts<Result>(change: AccountsChange<Result>): Promise<Result> {
  const { stateRoot, passwordMinLength, report, apply, isChange = () => true, describe } = change;
  const audit = { actor: change.actor, action: change.action, target: change.target.slice(0, 64) };
  using _owner = actAsOwner(stateRoot);
  const { openAccounts } = await import('../../src/account/accounts.ts');
  await using accounts = openAccounts({ stateRoot, report, passwordMinLength });
  try {
    const result = await apply(accounts);
    if (!isChange(result)) return result;
    const details = describe?.(result);
    report.audit({ ...audit, outcome: 'success', ...(details === undefined ? {} : { details }) });
    return result;
  } catch (error) {
    report.audit({ ...audit, outcome: 'failure' });
    throw error;
  }
}
