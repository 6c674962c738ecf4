import type { PulledReference } from './model.ts';

/**
 * Selects references for a test, from each nominal host in turn, in the order of names: a sample has as many hosts as
 * possible. References without a name in the registry are left out.
 *
 * @param kinds kinds of content that the client pulls
 */
export function selectSample(
  references: readonly PulledReference[],
  kinds: readonly string[],
  count: number,
): readonly PulledReference[] {
  const hosts = new Map<string, PulledReference[]>();
  const sorted = [...references].sort((a, b) => (a.nominal < b.nominal ? -1 : 1));
  const seen = new Set<string>();
  for (const reference of sorted) {
    const { kind, nominal, relocated } = reference;
    if (!kinds.includes(kind) || relocated === undefined || seen.has(nominal)) continue;
    seen.add(nominal);
    const host = nominal.slice(0, nominal.indexOf('/'));
    hosts.set(host, [...(hosts.get(host) ?? []), reference]);
  }
  const sample: PulledReference[] = [];
  for (let round = 0; sample.length < count && hosts.size > 0; round += 1)
    for (const [host, each] of hosts) {
      const next = each[round];
      if (next === undefined) hosts.delete(host);
      else if (sample.length < count) sample.push(next);
    }
  return sample;
}
