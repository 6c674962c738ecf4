import { canonicalHost, isLoopbackHost } from '../../oci/reference.ts';
import { type Finding, ingredientPath, type PureRule } from './model.ts';

/** A recipe names the origin of its content for every zone; a host that only this machine reaches is none. */
export const localHost: PureRule = function* ({ ingredients }, { insecure }): Generator<Finding> {
  const plain = new Set(insecure.map(canonicalHost));
  for (const [position, { name, ref }] of ingredients.entries()) {
    const host = canonicalHost(ref.host);
    const isLoopback = isLoopbackHost(host.replace(/:\d+$/, ''));
    if (!isLoopback && !plain.has(host)) continue;
    yield {
      rule: isLoopback ? 'loopback-host' : 'insecure-host',
      severity: 'warning',
      path: ingredientPath(position, 'ref'),
      params: { name, host },
    };
  }
};
