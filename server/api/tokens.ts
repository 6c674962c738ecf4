import { listTokens, requireAccounts } from '../views/accounts.ts';
import type { ApiRoute } from './api-route.ts';
import { audited } from './audited.ts';
import { accountName, closed, list, object, ref, string } from './schema.ts';
import { role as roleSchema } from './schemas/common.ts';

export const tokenRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/tokens',
    floor: 'admin',
    summary: 'API tokens, including revoked tokens, without their secrets',
    success: { status: 200, description: 'The tokens', schema: object({ tokens: list(ref('Token')) }) },
    handler: async (call) => ({ json: { tokens: await listTokens(call) } }),
  },
  {
    method: 'POST',
    path: '/tokens',
    floor: 'admin',
    summary: 'Creates a token; only this answer contains its secret',
    audit: 'token.create',
    body: { schema: closed({ name: accountName, role: roleSchema }), required: true },
    success: {
      status: 201,
      description: 'The token with its secret',
      schema: object({ token: object({ name: string, role: roleSchema, secret: string }) }),
    },
    handler: async (call) => {
      const { tokens } = requireAccounts(call);
      const name = String(call.body.name);
      const role = String(call.body.role);
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
  },
  {
    method: 'POST',
    path: '/tokens/{name}/revoke',
    floor: 'admin',
    summary: 'Revokes a token at once',
    audit: 'token.revoke',
    body: { schema: closed({}) },
    success: { status: 200, description: 'The token', schema: object({ token: ref('Token') }) },
    handler: async (call) => {
      const { tokens } = requireAccounts(call);
      const name = call.path.name!;
      await audited(
        call,
        'token.revoke',
        name.slice(0, 64),
        () => tokens.revoke(name),
        {},
        ({ role }) => ({ role }),
      );
      return { json: { token: (await tokens.list()).find((token) => token.name === name) } };
    },
  },
];
