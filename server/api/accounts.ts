import * as api from '../../src/contract/operations/access.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { listAccounts, requireAccounts, showAccount } from '../views/accounts.ts';
import { type ApiRoute, route } from './api-route.ts';
import { audited } from './audited.ts';
import { cancelTasksOf } from './tasks.ts';

export const accountRoutes: readonly ApiRoute[] = [
  route(
    api.changePassword,
    async (call) => {
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
      await audited(call, 'account.password_change', account ?? call.identity.actor, change);
      return { empty: true };
    },
    { audit: 'account.password_change' },
  ),
  route(api.listAccounts, async (call) => ({ json: { accounts: await listAccounts(call, call.query) } })),
  route(
    api.createAccount,
    async (call) => {
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
    { audit: 'account.create' },
  ),
  route(
    api.updateAccount,
    async (call) => {
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
    { audit: 'account.role_change' },
  ),
  route(
    api.deleteAccount,
    async (call) => {
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
    { audit: 'account.delete' },
  ),
];
