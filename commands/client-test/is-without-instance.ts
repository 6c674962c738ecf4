import type { Config } from '../../src/config/model.ts';

/**
 * Whether a configuration is that of a zone without an instance: a carried medium is imported into its registry, and it has
 * no account that could sign in. An instance that is merely stopped has both a purpose and accounts.
 */
export async function isWithoutInstance({ mode, retriever, destination, state }: Config): Promise<boolean> {
  if (mode === 'passthrough' || retriever.source !== undefined || destination.registry === undefined)
    return false;
  if (state.root === undefined) return true;
  const { openAccounts } = await import('../../src/account/accounts.ts');
  await using accounts = openAccounts({ stateRoot: state.root });
  return accounts.isEmpty().catch(() => false);
}
