import { svcError } from '../../src/base/error.ts';
import { listAccounts, requireAccounts } from '../views/accounts.ts';
import type { ApiRoute } from './api-route.ts';
import { audited } from './audited.ts';
import { accountName, closed, list, object, ref } from './schema.ts';
import { role as roleSchema } from './schemas/common.ts';

/**
 * The password policy (pattern, at most 1024 bytes) is checked by the account store, which has its own error
 * code; `checkValue` does not read `pattern`.
 */
const secret = {
  type: 'string',
  minLength: 1,
  pattern: '^(?!svc_)[^\\u0000-\\u001f\\u007f-\\u009f]{1,1024}$',
  format: 'password',
};

export const accountRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/account/password',
    floor: 'viewer',
    summary: 'Changes the password of the signed-in account',
    audit: 'account.password_change',
    body: { schema: closed({ current: secret, new: secret }), required: true },
    success: { status: 204, description: 'The password is changed' },
    handler: async (call) => {
      const accounts = requireAccounts(call);
      const { account } = call.identity;
      const change = async (): Promise<void> => {
        if (account === undefined || call.authenticator === undefined) {
          throw svcError('SVC-AUTH-008', {
            rule: 'only an account that signed in with a password can change it',
          });
        }
        await call.authenticator.attempt(call.exchange.origin, () =>
          accounts.changePassword(account, String(call.body.current), String(call.body.new)),
        );
      };
      await audited(call, 'account.password_change', account, change);
      return { empty: true };
    },
  },
  {
    method: 'GET',
    path: '/accounts',
    floor: 'admin',
    summary: 'Local accounts',
    success: {
      status: 200,
      description: 'The accounts',
      schema: object({ accounts: list(ref('Account')) }),
    },
    handler: async (call) => ({ json: { accounts: await listAccounts(call) } }),
  },
  {
    method: 'POST',
    path: '/accounts',
    floor: 'admin',
    summary: 'Creates an account; the first is an administrator, later accounts are viewers by default',
    audit: 'account.create',
    body: {
      schema: closed({ name: accountName, 'role?': roleSchema, password: secret }),
      required: true,
    },
    success: {
      status: 201,
      description: 'The account',
      schema: object({ account: ref('Account') }),
    },
    handler: async (call) => {
      const accounts = requireAccounts(call);
      const name = String(call.body.name);
      const role = call.body.role as string | undefined;
      const { account } = await audited(
        call,
        'account.create',
        name.slice(0, 64),
        () => accounts.create({ name, role, password: String(call.body.password) }),
        { role: role ?? 'viewer' },
      );
      return { json: { account } };
    },
  },
  {
    method: 'PATCH',
    path: '/accounts/{name}',
    floor: 'admin',
    summary: 'Changes role or password of an account',
    audit: 'account.role_change',
    body: { schema: closed({ 'role?': roleSchema, 'password?': secret }) },
    success: {
      status: 200,
      description: 'The account',
      schema: object({ account: ref('Account') }),
    },
    handler: async (call) => {
      const accounts = requireAccounts(call);
      const name = call.path.name!;
      const role = call.body.role as string | undefined;
      const password = call.body.password as string | undefined;
      const apply = () => accounts.update(name, { role, password });
      const target = name.slice(0, 64);
      const withPassword =
        password === undefined ? apply : () => audited(call, 'account.password_change', target, apply);
      const { account } = await (role === undefined
        ? withPassword()
        : audited(call, 'account.role_change', target, withPassword, { role }, ({ formerRole }) => ({
            formerRole,
          })));
      return { json: { account } };
    },
  },
  {
    method: 'DELETE',
    path: '/accounts/{name}',
    floor: 'admin',
    summary: 'Deletes an account',
    audit: 'account.delete',
    success: { status: 204, description: 'The account was deleted' },
    handler: async (call) => {
      const accounts = requireAccounts(call);
      const name = call.path.name!;
      await audited(
        call,
        'account.delete',
        name.slice(0, 64),
        () => accounts.delete(name),
        {},
        ({ role }) => ({ role }),
      );
      return { empty: true };
    },
  },
];
