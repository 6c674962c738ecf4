import * as api from '../../src/contract/operations/access.ts';
import { listTokens, requireAccounts, requireToken } from '../views/accounts.ts';
import { type ApiRoute, route } from './api-route.ts';
import { audited } from './audited.ts';
import { cancelTasksOf } from './tasks.ts';

export const tokenRoutes: readonly ApiRoute[] = [
  route(api.listTokens, async (call) => ({ json: { tokens: await listTokens(call, call.query) } })),
  route(
    api.createToken,
    async (call) => {
      const { tokens } = requireAccounts(call);
      const { name, role } = call.body;
      const token = await audited(
        call,
        'token.create',
        name.slice(0, 64),
        () => tokens.create({ name, role }),
        {
          role,
        },
      );
      return { json: { token } };
    },
    { audit: 'token.create' },
  ),
  route(
    api.revokeToken,
    async (call) => {
      const { tokens } = requireAccounts(call);
      const { name } = call.path;
      await audited(
        call,
        'token.revoke',
        name.slice(0, 64),
        async () => {
          const { role } = await tokens.revoke(name, call.body);
          return { role, ...(await cancelTasksOf(call, `token:${name}`)) };
        },
        {},
        (details) => details,
      );
      return { json: { token: await requireToken(call, name) } };
    },
    { audit: 'token.revoke' },
  ),
];
