import { isBareScalar, isYamlMap, type YamlMap, type YamlValue } from '../../recipe/read-yaml.ts';
import { type ImageScope, imageKey, readImageMap, readImageText, toWord } from '../foreign/image-map.ts';
import { getValue } from './merge-values.ts';

/** An image that values compose. */
interface ValuesImage {
  readonly image: string;
  readonly where: string;
  /** Whether a map around it has `enabled: false`. */
  readonly isDisabled: boolean;
  /** Whether other values may write a part of its name; `where` names them. */
  readonly isGuess: boolean;
}

/** Members around an image that are named. */
const mostNamed = 3;

/**
 * Walks merged values for images: maps with `repository` (or `image`, `name`) beside `tag`, `digest` or `registry`, and
 * texts under keys such as `image` and `sidecarImage`. An empty tag is the application version of the chart. A map whose
 * members make no name of an image is returned with their text, so that it can be named as not taken.
 *
 * @param values the part to walk
 * @param appVersion of the chart, as its templates write it in a tag; may be empty
 * @param all merged values of the chart, for `global.imageRegistry`
 */
export function walkValues(values: YamlMap, appVersion: string, all: YamlMap): readonly ValuesImage[] {
  const found: ValuesImage[] = [];
  const globalRegistry =
    toWord(getValue(all, 'global.imageRegistry')) || toWord(getValue(all, 'global.image.registry')) || '';
  const global = all.get('global');
  const top = isYamlMap(global) ? [global] : [];
  const toScope = (around: readonly YamlMap[]): ImageScope => ({
    appVersion,
    globalRegistry,
    outer: [...top, ...around],
  });
  const add = (
    { image, beside }: { readonly image: string; readonly beside: readonly string[] },
    path: string,
    isDisabled: boolean,
  ): void => {
    const named = beside.slice(0, mostNamed).join(', ');
    const where = beside.length === 0 ? path : `${path} (beside ${named})`;
    found.push({ image, where: where.replace(/^\./, ''), isDisabled, isGuess: beside.length > 0 });
  };
  const visit = (
    value: YamlValue,
    path: string,
    key: string,
    isOff: boolean,
    around: readonly YamlMap[],
  ): void => {
    if (Array.isArray(value)) {
      for (const [i, item] of (value as readonly YamlValue[]).entries())
        visit(item, `${path}[${i}]`, key, isOff, around);
      return;
    }
    if (!isYamlMap(value)) {
      if (typeof value === 'string' && imageKey.test(key)) {
        const image = readImageText(value, around.at(-1) ?? values, key, toScope(around));
        if (image !== undefined) add(image, path, isOff);
      }
      return;
    }
    const enabled = value.get('enabled');
    const isDisabled = isOff || (isBareScalar(enabled) && enabled.bare === false);
    const composed = readImageMap(value, key, toScope(around));
    if (composed) add(composed, `${path}.${composed.member}`, isDisabled);
    const inner = [...around, value];
    for (const [name, child] of value)
      if (composed?.read.includes(name) !== true)
        visit(child, path === '' ? name : `${path}.${name}`, name, isDisabled, inner);
  };
  visit(values, '', '', false, []);
  return found;
}
