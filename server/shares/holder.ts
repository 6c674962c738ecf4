import type { Identity } from '../../src/account/model.ts';
import { toOrigin } from '../../src/account/throttle.ts';
import type { Holder } from '../../src/base/shares/shares.ts';

/** Who holds what is taken before sign-in. No account or token has a name with a space. */
export const toOriginHolder = (address: string): Holder => ({
  name: `origin ${toOrigin(address)}`,
  rank: 'origin',
});

/** Who holds what an authenticated request takes. While authentication is disabled, each origin is an administrator of its own. */
export function toHolder({ actor, role, via }: Identity, address: string): Holder {
  const name = via === 'disabled' ? toOriginHolder(address).name : actor;
  return { name, rank: role === 'admin' ? 'admin' : 'account' };
}
