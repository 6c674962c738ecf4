import { leastPasswordLength } from '../../src/base/least-password-length.ts';
import { Account } from '../../src/contract/access.ts';
import { role as roleSchema } from '../../src/contract/common.ts';
import { accountName } from '../../src/contract/patterns.ts';
import { described, digest, list, object, refusedAs, type Schema, text } from '../../src/contract/schema.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { listAccounts, requireAccounts, showAccount } from '../views/accounts.ts';
import { type ApiRoute, route } from './api-route.ts';
import { audited } from './audited.ts';
import { accountSteps } from './next-steps.ts';
import { writing } from './openapi/error-codes.ts';
import { exampleFingerprint } from './openapi/example-documents.ts';
import { cancelTasksOf } from './tasks.ts';

/** A password; the operation also counts its bytes. */
const toSecret = (characters: number): Schema<string> =>
  text({
    description:
      'Password: no control characters, at most 1024 bytes, not beginning with `svc_`; a new one has at least 12 characters, or as many as `auth.passwordMinLength` says',
    minLength: 1,
    pattern: `^(?!svc_)[^\\u0000-\\u001f\\u007f-\\u009f]{${characters},1024}$`,
    format: 'password',
  });
const secret = refusedAs('SVC-AUTH-006', toSecret(1));
const newSecret = refusedAs('SVC-AUTH-007', toSecret(leastPasswordLength));

export const accountRoutes: readonly ApiRoute[] = [
  route({
    id: 'changePassword',
    method: 'POST',
    path: '/account/password',
    floor: 'viewer',
    errors: [...writing, 'SVC-CFG-001', 'SVC-AUTH-006', 'SVC-AUTH-007', 'SVC-AUTH-008', 'SVC-AUTH-010'],
    summary: 'Changes the password of the signed-in account',
    audit: 'account.password_change',
    body: {
      schema: object({
        current: described('Present password', secret),
        new: described('New password', newSecret),
      }),
      required: true,
      examples: {
        change: {
          summary: 'Changes the password',
          value: { current: 'a password of today', new: 'another password for tomorrow' },
        },
      },
    },
    success: { status: 204, description: 'The password is changed' },
    handler: async (call) => {
      const accounts = requireAccounts(call);
      const { account } = call.identity;
      const change = async (): Promise<void> => {
        if (account === undefined || call.authenticator === undefined) {
          throw svcError('SVC-AUTH-008', {
            rule: rule([
              'only an account that signed in with a password can change it',
              fr`seul un compte connecté avec un mot de passe peut le changer`,
            ]),
          });
        }
        await call.authenticator.attempt(call.exchange.origin, () =>
          accounts.changePassword(account, call.body.current, call.body.new),
        );
      };
      await audited(call, 'account.password_change', account, change);
      return { empty: true };
    },
  }),
  route({
    id: 'listAccounts',
    method: 'GET',
    path: '/accounts',
    floor: 'admin',
    errors: ['SVC-CFG-001'],
    summary: 'Local accounts',
    success: {
      status: 200,
      description: 'The accounts',
      schema: object({ accounts: list(Account) }),
    },
    handler: async (call) => ({ json: { accounts: await listAccounts(call) } }),
  }),
  route({
    id: 'createAccount',
    method: 'POST',
    path: '/accounts',
    floor: 'admin',
    errors: [...writing, 'SVC-CFG-001', 'SVC-AUTH-007', 'SVC-AUTH-008', 'SVC-AUTH-009'],
    summary: 'Creates an account; the first is an administrator, later accounts are viewers by default',
    audit: 'account.create',
    body: {
      schema: object({ name: accountName, 'role?': roleSchema, password: newSecret }),
      required: true,
      examples: {
        operator: {
          summary: 'Creates an account of an operator',
          value: { name: 'ana', role: 'operator', password: 'a password of today' },
        },
      },
    },
    success: {
      status: 201,
      description: 'The account',
      schema: object({ account: Account }),
      next: accountSteps,
    },
    handler: async (call) => {
      const accounts = requireAccounts(call);
      const { name, role, password } = call.body;
      const { account } = await audited(
        call,
        'account.create',
        name.slice(0, 64),
        () => accounts.create({ name, role, password }),
        { role: role ?? 'viewer' },
      );
      return { json: { account: showAccount(account) } };
    },
  }),
  route({
    id: 'updateAccount',
    method: 'PATCH',
    path: '/accounts/{name}',
    floor: 'admin',
    errors: [...writing, 'SVC-CFG-001', 'SVC-AUTH-007', 'SVC-AUTH-008', 'SVC-AUTH-010', 'SVC-AUTH-011'],
    summary: 'Changes role or password of an account',
    audit: 'account.role_change',
    body: {
      schema: object({ 'role?': roleSchema, 'password?': newSecret }),
      examples: {
        role: { summary: 'Makes the account one of a viewer', value: { role: 'viewer' } },
        password: { summary: 'Sets a new password', value: { password: 'another password for tomorrow' } },
      },
    },
    success: {
      status: 200,
      description: 'The account',
      schema: object({ account: Account }),
    },
    handler: async (call) => {
      const accounts = requireAccounts(call);
      const { name } = call.path;
      const { role, password } = call.body;
      const apply = () => accounts.update(name, { role, password }, { fingerprint: call.shown });
      const target = name.slice(0, 64);
      const withPassword =
        password === undefined ? apply : () => audited(call, 'account.password_change', target, apply);
      const { account } = await (role === undefined
        ? withPassword()
        : audited(call, 'account.role_change', target, withPassword, { role }, ({ formerRole }) => ({
            formerRole,
          })));
      return { json: { account: showAccount(account) } };
    },
  }),
  route({
    id: 'deleteAccount',
    method: 'DELETE',
    path: '/accounts/{name}',
    floor: 'admin',
    errors: [...writing, 'SVC-CFG-001', 'SVC-AUTH-010', 'SVC-AUTH-011', 'SVC-SRV-007'],
    summary: 'Deletes an account',
    audit: 'account.delete',
    body: {
      schema: object({ 'fingerprint?': digest }),
      examples: {
        now: { summary: 'Deletes the account', value: {} },
        shown: { summary: 'Deletes the account as it was shown', value: { fingerprint: exampleFingerprint } },
      },
    },
    success: { status: 204, description: 'The account was deleted' },
    handler: async (call) => {
      const accounts = requireAccounts(call);
      const { name } = call.path;
      await audited(
        call,
        'account.delete',
        name.slice(0, 64),
        async () => {
          const { role } = await accounts.delete(name, call.body);
          return { role, ...(await cancelTasksOf(call, name)) };
        },
        {},
        (details) => details,
      );
      return { empty: true };
    },
  }),
];
