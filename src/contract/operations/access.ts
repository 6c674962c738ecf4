import { leastPasswordLength } from '../../base/least-password-length.ts';
import { Account, Token } from '../access.ts';
import { role } from '../common.ts';
import { operation } from '../operation.ts';
import { accountName } from '../patterns.ts';
import { described, digest, list, object, refusedAs, type Schema, text } from '../schema.ts';
import { writing } from './error-codes.ts';
import { exampleFingerprint } from './example-documents.ts';
import { accountSteps, tokenSteps } from './next-steps.ts';
import { sorting } from './sorting.ts';

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

export const changePassword = operation({
  id: 'changePassword',
  method: 'POST',
  path: '/account/password',
  floor: 'viewer',
  errors: [...writing, 'SVC-CFG-001', 'SVC-AUTH-006', 'SVC-AUTH-007', 'SVC-AUTH-008', 'SVC-AUTH-010'],
  summary: 'Changes the password of the signed-in account',
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
  answer: { status: 204, description: 'The password is changed' },
});

export const listAccounts = operation({
  id: 'listAccounts',
  method: 'GET',
  path: '/accounts',
  floor: 'admin',
  errors: ['SVC-CFG-001'],
  summary: 'Local accounts',
  query: sorting(['name', 'role', 'created', 'login'], '`role`: in the order of their names'),
  answer: {
    status: 200,
    description: 'The accounts',
    schema: object({ accounts: list(Account) }),
  },
});

export const createAccount = operation({
  id: 'createAccount',
  method: 'POST',
  path: '/accounts',
  floor: 'admin',
  errors: [...writing, 'SVC-CFG-001', 'SVC-AUTH-007', 'SVC-AUTH-008', 'SVC-AUTH-009'],
  summary: 'Creates an account; the first is an administrator, later accounts are viewers by default',
  body: {
    schema: object({ name: accountName, 'role?': role, password: newSecret }),
    required: true,
    examples: {
      operator: {
        summary: 'Creates an account of an operator',
        value: { name: 'ana', role: 'operator', password: 'a password of today' },
      },
    },
  },
  answer: {
    status: 201,
    description: 'The account',
    schema: object({ account: Account }),
    next: accountSteps,
  },
});

export const updateAccount = operation({
  id: 'updateAccount',
  method: 'PATCH',
  path: '/accounts/{name}',
  floor: 'admin',
  errors: [...writing, 'SVC-CFG-001', 'SVC-AUTH-007', 'SVC-AUTH-008', 'SVC-AUTH-010', 'SVC-AUTH-011'],
  summary: 'Changes role or password of an account',
  body: {
    schema: object({ 'role?': role, 'password?': newSecret }),
    examples: {
      role: { summary: 'Makes the account one of a viewer', value: { role: 'viewer' } },
      password: { summary: 'Sets a new password', value: { password: 'another password for tomorrow' } },
    },
  },
  answer: {
    status: 200,
    description: 'The account',
    schema: object({ account: Account }),
  },
});

export const deleteAccount = operation({
  id: 'deleteAccount',
  method: 'DELETE',
  path: '/accounts/{name}',
  floor: 'admin',
  errors: [...writing, 'SVC-CFG-001', 'SVC-AUTH-010', 'SVC-AUTH-011', 'SVC-SRV-007'],
  summary: 'Deletes an account',
  body: {
    schema: object({ 'fingerprint?': digest }),
    examples: {
      now: { summary: 'Deletes the account', value: {} },
      shown: { summary: 'Deletes the account as it was shown', value: { fingerprint: exampleFingerprint } },
    },
  },
  answer: { status: 204, description: 'The account was deleted' },
});

export const listTokens = operation({
  id: 'listTokens',
  method: 'GET',
  path: '/tokens',
  floor: 'admin',
  errors: ['SVC-CFG-001'],
  summary: 'API tokens, including revoked tokens, without their secrets',
  query: sorting(
    ['name', 'role', 'created', 'used', 'state'],
    '`used`: by the last day of use, unused tokens last. `state`: valid tokens, then revoked ones by the time of it',
  ),
  answer: { status: 200, description: 'The tokens', schema: object({ tokens: list(Token) }) },
});

export const createToken = operation({
  id: 'createToken',
  method: 'POST',
  path: '/tokens',
  floor: 'admin',
  errors: [...writing, 'SVC-CFG-001', 'SVC-AUTH-008', 'SVC-AUTH-009'],
  summary: 'Creates a token; only this answer contains its secret',
  body: {
    schema: object({ name: accountName, role }),
    required: true,
    examples: {
      pipeline: { summary: 'Creates a token for a program', value: { name: 'pipeline', role: 'operator' } },
    },
  },
  answer: {
    status: 201,
    description: 'The token with its secret',
    schema: object({
      token: object({
        name: accountName,
        role,
        secret: text({ pattern: '^svc_[A-Za-z0-9_-]{43}$' }),
      }),
    }),
    next: tokenSteps,
  },
});

export const revokeToken = operation({
  id: 'revokeToken',
  method: 'POST',
  path: '/tokens/{name}/revoke',
  floor: 'admin',
  errors: [...writing, 'SVC-CFG-001', 'SVC-AUTH-010', 'SVC-SRV-007'],
  summary: 'Revokes a token at once',
  body: {
    schema: object({ 'fingerprint?': digest }),
    examples: {
      now: { summary: 'Revokes the token', value: {} },
      shown: { summary: 'Revokes the token that was shown', value: { fingerprint: exampleFingerprint } },
    },
  },
  answer: { status: 200, description: 'The token', schema: object({ token: Token }) },
});
