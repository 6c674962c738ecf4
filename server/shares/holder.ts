import type { Identity } from '../../src/account/model.ts';
import { toOrigin } from '../../src/account/throttle.ts';
import type { Holder } from '../../src/base/shares/shares.ts';

/** Stands for all callers that are not counted one by one; no account has this name. */
export const otherCallers = 'others';

/** Before an origin in the name of its holder. No account or token has a name with a space. */
const originPrefix = 'origin ';

/** The holder of resources that are used before sign-in. */
export const toOriginHolder = (address: string): Holder => ({
  name: `${originPrefix}${toOrigin(address)}`,
  rank: 'origin',
});

/** A holder as records name it. */
export function toShownHolder({ name }: Pick<Holder, 'name'>): {
  readonly origin?: string;
  readonly actor?: string;
} {
  if (name.startsWith(originPrefix)) return { origin: name.slice(originPrefix.length) };
  return name === otherCallers ? { origin: name } : { actor: name };
}

/**
 * The holder of the resources of an authenticated request. While authentication is disabled, each origin is an
 * administrator of its own.
 */
export function toHolder({ actor, role, via }: Identity, address: string): Holder {
  const name = via === 'disabled' ? toOriginHolder(address).name : actor;
  return { name, rank: role === 'admin' ? 'admin' : 'account' };
}
