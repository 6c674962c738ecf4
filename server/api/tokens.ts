import { Token } from '../../src/contract/access.ts';
import { role as roleSchema } from '../../src/contract/common.ts';
import { accountName } from '../../src/contract/patterns.ts';
import { digest, list, object, text } from '../../src/contract/schema.ts';
import { listTokens, requireAccounts, requireToken } from '../views/accounts.ts';
import { type ApiRoute, route } from './api-route.ts';
import { audited } from './audited.ts';
import { tokenSteps } from './next-steps.ts';
import { writing } from './openapi/error-codes.ts';
import { exampleFingerprint } from './openapi/example-documents.ts';
import { cancelTasksOf } from './tasks.ts';

export const tokenRoutes: readonly ApiRoute[] = [
  route({
    id: 'listTokens',
    method: 'GET',
    path: '/tokens',
    floor: 'admin',
    errors: ['SVC-CFG-001'],
    summary: 'API tokens, including revoked tokens, without their secrets',
    success: { status: 200, description: 'The tokens', schema: object({ tokens: list(Token) }) },
    handler: async (call) => ({ json: { tokens: await listTokens(call) } }),
  }),
  route({
    id: 'createToken',
    method: 'POST',
    path: '/tokens',
    floor: 'admin',
    errors: [...writing, 'SVC-CFG-001', 'SVC-AUTH-008', 'SVC-AUTH-009'],
    summary: 'Creates a token; only this answer contains its secret',
    audit: 'token.create',
    body: {
      schema: object({ name: accountName, role: roleSchema }),
      required: true,
      examples: {
        pipeline: { summary: 'Creates a token for a program', value: { name: 'pipeline', role: 'operator' } },
      },
    },
    success: {
      status: 201,
      description: 'The token with its secret',
      schema: object({
        token: object({
          name: accountName,
          role: roleSchema,
          secret: text({ pattern: '^svc_[A-Za-z0-9_-]{43}$' }),
        }),
      }),
      next: tokenSteps,
    },
    handler: async (call) => {
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
  }),
  route({
    id: 'revokeToken',
    method: 'POST',
    path: '/tokens/{name}/revoke',
    floor: 'admin',
    errors: [...writing, 'SVC-CFG-001', 'SVC-AUTH-010', 'SVC-SRV-007'],
    summary: 'Revokes a token at once',
    audit: 'token.revoke',
    body: {
      schema: object({ 'fingerprint?': digest }),
      examples: {
        now: { summary: 'Revokes the token', value: {} },
        shown: { summary: 'Revokes the token that was shown', value: { fingerprint: exampleFingerprint } },
      },
    },
    success: { status: 200, description: 'The token', schema: object({ token: Token }) },
    handler: async (call) => {
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
  }),
];
