import type { AccountRecord, TokenRecord } from '../account/model.ts';
import type { QueryOf } from '../contract/operation.ts';
import type { listAccounts, listTokens } from '../contract/operations/access.ts';
import { sortRows } from '../contract/operations/sorting.ts';

/** Orders accounts; those that never signed in come last by their last sign-in. */
export function sortAccounts<T extends AccountRecord>(
  accounts: readonly T[],
  query: QueryOf<typeof listAccounts.query>,
): readonly T[] {
  const login = ({ lastLoginAt }: T) => lastLoginAt;
  return sortRows(
    accounts,
    { name: ({ name }) => name, role: ({ role }) => role, created: ({ createdAt }) => createdAt, login },
    query,
  );
}

/** Orders tokens; by state the valid ones come before the revoked ones, and these are ordered by time. */
export function sortTokens<T extends TokenRecord>(
  tokens: readonly T[],
  query: QueryOf<typeof listTokens.query>,
): readonly T[] {
  return sortRows(
    tokens,
    {
      name: ({ name }) => name,
      role: ({ role }) => role,
      created: ({ createdAt }) => createdAt,
      used: ({ lastUsedOn }) => lastUsedOn,
      state: ({ revokedAt = '' }) => revokedAt,
    },
    query,
  );
}
