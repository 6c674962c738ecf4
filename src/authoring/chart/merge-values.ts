import { isBareScalar, isYamlMap, type YamlMap, type YamlValue } from '../../recipe/read-yaml.ts';

const isNothing = (value: YamlValue | undefined): boolean => isBareScalar(value) && value.bare === null;

/**
 * Lays values over defaults, as helm does: maps are merged, everything else is replaced, and a value that is nothing
 * (`null`) removes the default. Where one side is a map and the other is not, the value stays.
 */
export function mergeValues(values: YamlMap, defaults: YamlMap): YamlMap {
  const merged = new Map<string, YamlValue>();
  for (const [key, value] of values) {
    const below = defaults.get(key);
    if (isNothing(value) && below !== undefined) continue;
    merged.set(key, isYamlMap(value) && isYamlMap(below) ? mergeValues(value, below) : value);
  }
  for (const [key, value] of defaults) if (!values.has(key)) merged.set(key, value);
  return merged;
}

/** Returns a value by its path with dots; undefined when there is none. */
export function getValue(values: YamlMap, path: string): YamlValue | undefined {
  let value: YamlValue | undefined = values;
  for (const key of path.split('.')) {
    if (!isYamlMap(value)) return undefined;
    value = value.get(key);
  }
  return value;
}

/**
 * Returns the values of an embedded chart: those that its parent sets under its name, over its own, with the parent's
 * `global` over its own.
 *
 * @param parent merged values of the parent
 * @param key alias or name of the embedded chart
 */
export function toChildValues(parent: YamlMap, key: string, own: YamlMap): YamlMap {
  const given = parent.get(key);
  const merged = new Map(mergeValues(isYamlMap(given) ? given : new Map(), own));
  const global = parent.get('global');
  if (isYamlMap(global)) {
    const below = merged.get('global');
    merged.set('global', isYamlMap(below) ? mergeValues(global, below) : global);
  }
  return merged;
}
