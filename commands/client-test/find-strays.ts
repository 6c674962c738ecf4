import { selectNamed } from '../../src/client/led-places.ts';
import type { RegistryBase } from '../../src/client/node-mirrors.ts';
import { isSamePlace } from '../../src/client/require-config.ts';
import type { ClientConfig } from '../../src/contract/recipe.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import type { ClientCheck } from './model.ts';

/** Whether an address is one that the operator gave; a text that is no URL is none. */
export function isNamedUrl(url: string, places: readonly RegistryBase[]): boolean {
  const parsed = URL.parse(url);
  const scheme = parsed?.protocol.slice(0, -1);
  if (parsed === null || (scheme !== 'http' && scheme !== 'https')) return false;
  return places.some((place) => isSamePlace(place, { scheme, host: parsed.host }));
}

/** The check of a reference that is not pulled, since it leads to an address that the operator did not give. */
export function toStray(reference: string, url: string): ClientCheck {
  const host = (URL.parse(url)?.host || url).slice(0, 300);
  const detail = rule(
    [
      'names {host}, which is neither the instance nor the address of --registry',
      fr`nomme {host}, qui n’est ni l’instance ni l’adresse de --registry`,
    ],
    { host },
  );
  return { reference, resolved: url, outcome: 'fallback', milliseconds: 0, detail };
}

/**
 * The check of a reference that is not pulled, since an address that the operator gave leads elsewhere.
 *
 * @param host where it leads
 */
export function toLed(reference: string, resolved: string, host: string): ClientCheck {
  const detail = rule(
    [
      'leads to {host}, which is neither the instance nor the address of --registry',
      fr`mène à {host}, qui n’est ni l’instance ni l’adresse de --registry`,
    ],
    { host: host.slice(0, 300) },
  );
  return { reference, resolved, outcome: 'fallback', milliseconds: 0, detail };
}

/**
 * Finds the addresses of a configuration that the operator did not give. Judged before the client runs: clients do not ask
 * a proxy for hosts on loopback, so the gate does not see these.
 *
 * @param registry the address for nodes, as the instance reports it
 * @param places the instance, then the address of `--registry` where it is given
 * @returns checks of which nothing was run; that of a registry says how to test it
 */
export function findStrays(
  config: ClientConfig,
  registry: RegistryBase | undefined,
  places: readonly RegistryBase[],
): readonly ClientCheck[] {
  const { registry: mirror, instance } = selectNamed(config);
  const named = [mirror, instance, registry].filter((place) => place !== undefined);
  const urls = new Set(named.map(({ scheme, host }) => `${scheme}://${host}`));
  const isAsked = places.length > 1;
  return [...urls]
    .filter((url) => !isNamedUrl(url, places))
    .map((url) => {
      const stray = { ...toStray(config.client, url), outcome: 'skipped' } as const;
      if (isAsked) return stray;
      const host = URL.parse(url)?.host ?? url;
      const detail = rule(
        [
          'the instance leads nodes to {host} (destination.registry, else server.publicURL, else its listener); without --registry, that host is not asked and gets no token',
          fr`l’instance mène les nœuds à {host} (destination.registry, sinon server.publicURL, sinon l’adresse où elle écoute) ; sans --registry, cet hôte n’est pas interrogé et ne reçoit pas le jeton`,
        ],
        { host },
      );
      return { ...stray, detail };
    });
}
