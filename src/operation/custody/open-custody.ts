import { requireSetting } from '../../base/require-setting.ts';
import type { Config } from '../../config/model.ts';
import { noCustody, openCustody as openLedger } from '../../custody/custody.ts';
import type { CustodyRoots } from '../../custody/known-roots.ts';
import type { Custody } from '../../custody/model.ts';
import { createPausedCustody } from '../../custody/pause.ts';
import type { TrustPolicy } from '../../trust/model.ts';

/**
 * Opens the custody ledger of a configuration, where it keeps one. Nothing is opened before the first line.
 *
 * @param policy a change of its trust roots is told before the first line
 * @throws SVC-CFG-001 naming a setting that a ledger requires
 */
export function openCustody(
  { custody, state }: Pick<Config, 'custody' | 'state'>,
  policy?: Pick<TrustPolicy, 'roots' | 'scopes'>,
): Custody {
  if (!custody.enabled) return state.root === undefined ? noCustody : createPausedCustody(state.root);
  return openLedger({
    stateRoot: requireSetting('state.root', state.root),
    site: requireSetting('custody.site', custody.site),
    roots: policy && toRoots(policy),
  });
}

function toRoots({ roots, scopes }: Pick<TrustPolicy, 'roots' | 'scopes'>): CustodyRoots {
  return {
    keys: roots.map(({ name, fingerprint }) => ({ name, digest: `sha256:${fingerprint}` })),
    unsigned: scopes.flatMap(({ allowUnsigned, repositories }) => (allowUnsigned ? repositories : [])),
  };
}
