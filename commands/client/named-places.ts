import { type RegistryBase, toRegistryBase } from '../../src/client/node-mirrors.ts';
import { parseRegistry } from '../../src/view/recipes.ts';

/**
 * Lists the addresses that the operator gave: no answer of an instance can add one.
 *
 * @param instance URL of the instance that is asked
 * @param registry value of `--registry`
 * @throws SVC-VAL-001 for a wrong `--registry`
 */
export function toNamedPlaces(instance: string, registry: string | undefined): readonly RegistryBase[] {
  const asked = toRegistryBase(instance);
  if (registry === undefined) return [asked];
  const { scheme, host } = parseRegistry(registry, asked.scheme);
  return [asked, toRegistryBase(`${scheme}://${host}`)];
}
