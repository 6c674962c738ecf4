import { childPath, isYamlMap, toItems, type YamlMap, type YamlValue } from '../../recipe/read-yaml.ts';
import { svcError } from '../../text/error.ts';
import { Collector } from './collector.ts';
import { readForeignDocuments, toMap, toScalarText } from './documents.ts';
import { readImageMap } from './image-map.ts';
import { isLikelyImage, isMeantAsImage, readImageName } from './image-name.ts';
import type { Doubt, SourceContents, SourceDocument } from './model.ts';

/** Maps of custom resources have neither a chart nor global values around them. */
const alone = { appVersion: '', globalRegistry: '', outer: [] } as const;
const operandLists = new Set(['args', 'command', 'env']);
const containerLists = new Set(['containers', 'initContainers', 'ephemeralContainers']);

interface ManifestOptions {
  /** Whether texts of arguments and variables that look like images are proposed. */
  readonly findMore: boolean;
}

/**
 * Reads Kubernetes manifests: the images of containers, init and ephemeral containers and image volumes at any depth,
 * so also in custom resources and in lists. Images of other objects by name (`image`, `sidecarImage`, a map with
 * `repository` and `tag`) are only proposed.
 *
 * @throws SVC-VAL-001, SVC-VAL-002
 */
export function readManifests({ text, file }: SourceDocument, options: ManifestOptions): SourceContents {
  const found = new Collector(file);
  for (const { value } of readForeignDocuments(text, file, (part) => /image|repo/i.test(part)))
    new Walk(found, file, options).object(value);
  return found.contents;
}

export function isKubernetesObject(map: YamlMap): boolean {
  return typeof map.get('apiVersion') === 'string' && typeof map.get('kind') === 'string';
}

class Walk {
  readonly #found: Collector;
  readonly #file: string;
  readonly #options: ManifestOptions;
  #object = '';
  #skipped = 0;

  constructor(found: Collector, file: string, options: ManifestOptions) {
    this.#found = found;
    this.#file = file;
    this.#options = options;
  }

  object(map: YamlMap): void {
    const items = toItems(map.get('items'));
    if (items.length > 0 && String(map.get('kind')).endsWith('List')) {
      for (const item of items) if (isYamlMap(item)) this.object(item);
      return;
    }
    const kind = toScalarText(map.get('kind')) ?? 'object';
    const name = toScalarText(toMap(map.get('metadata'))?.get('name'));
    this.#object = name === undefined ? kind : `${kind}/${name}`;
    // the schema of a custom resource describes members, and has none of their values
    if (kind === 'CustomResourceDefinition') return;
    this.#map(map, '');
    if (this.#skipped > 0) this.#found.leaveOut(`${this.#skipped}`, this.#object, 'arguments');
  }

  #take(image: string, path: string, doubt?: Doubt): void {
    const where = `${this.#object} ${path}`;
    const name = readImageName(image);
    if ('rule' in name) {
      if (doubt !== undefined) {
        this.#found.leaveOut(image, where, 'no-image-name');
        return;
      }
      throw svcError('SVC-VAL-001', { file: this.#file, path: where, rule: name.rule });
    }
    this.#found.image(image, where, { doubt });
  }

  /** @param name of the map in its parent */
  #map(map: YamlMap, path: string, name = ''): void {
    const composed = this.#composed(map, path, name);
    for (const [key, value] of map) {
      const at = childPath(path, key);
      if (composed.includes(key)) continue;
      if (containerLists.has(key) && Array.isArray(value)) this.#containers(value, at);
      else if (key === 'volumes' && Array.isArray(value)) this.#volumes(value, at);
      else if (operandLists.has(key) && Array.isArray(value)) this.#operands(value, at);
      else this.#value(value, at, key);
    }
  }

  /** Proposes an image that a map writes in several members, and returns these. */
  #composed(map: YamlMap, path: string, name: string): readonly string[] {
    const composed = readImageMap(map, name, alone);
    // without a tag or a digest, its members may mean something else
    if (composed === undefined || !/[:@][^/]+$/.test(composed.image)) return [];
    const { image, member, read } = composed;
    this.#take(image, childPath(path, member), 'custom-resource');
    return read;
  }

  /** @param name of the member that has the value, or the list around it */
  #value(value: YamlValue, path: string, name: string): void {
    if (isYamlMap(value)) this.#map(value, path, name);
    else if (Array.isArray(value))
      for (const [i, item] of (value as readonly YamlValue[]).entries())
        this.#value(item, `${path}[${i}]`, name);
    else if (typeof value === 'string' && /images?$/i.test(name)) this.#meant(value, path);
  }

  /** A text that an object which is no container calls an image. */
  #meant(text: string, path: string): void {
    if (isMeantAsImage(text)) this.#take(text, path, 'custom-resource');
    else if (text.length <= 512 && /^[^\s]*\/[^\s]*(?:\$[{(]|\{\{)/.test(text) && !text.includes('://'))
      this.#found.leaveOut(text, `${this.#object} ${path}`, 'template');
  }

  #containers(list: readonly YamlValue[], path: string): void {
    for (const [i, item] of list.entries()) {
      if (!isYamlMap(item)) continue;
      const at = `${path}[${i}]`;
      for (const [key, value] of item) {
        const where = childPath(at, key);
        const image = key === 'image' ? toScalarText(value) : undefined;
        if (image !== undefined && image !== '') this.#take(image, where);
        else if (operandLists.has(key)) this.#operands(value, where);
        else this.#value(value, where, key);
      }
    }
  }

  #volumes(list: readonly YamlValue[], path: string): void {
    for (const [i, item] of list.entries()) {
      const volume = toMap(item);
      const reference = toScalarText(toMap(volume?.get('image'))?.get('reference'));
      if (reference !== undefined && reference !== '') this.#take(reference, `${path}[${i}].image.reference`);
      else if (volume) this.#map(volume, `${path}[${i}]`);
    }
  }

  /**
   * Texts in arguments and variables, such as `--sidecar-image=registry.example/app:1.0`.
   *
   * @param saysImage whether the name of the variable or argument calls it an image
   */
  #operands(value: YamlValue, path: string, saysImage = false): void {
    if (isYamlMap(value)) {
      const name = toScalarText(value.get('name')) ?? '';
      for (const [key, item] of value)
        if (key !== 'name') this.#operands(item, childPath(path, key), saysImage || callsImage(name));
      return;
    }
    if (Array.isArray(value)) {
      const items = value as readonly YamlValue[];
      for (const [i, item] of items.entries()) {
        const before = items[i - 1];
        const isNamed = typeof before === 'string' && /^--?[^=]*$/.test(before) && callsImage(before);
        this.#operands(item, `${path}[${i}]`, isNamed);
      }
      return;
    }
    if (typeof value !== 'string') return;
    const at = value.indexOf('=');
    const operand = value.slice(at + 1);
    const isImage =
      saysImage || callsImage(value.slice(0, Math.max(0, at)))
        ? isMeantAsImage(operand)
        : isLikelyImage(operand);
    if (!isImage) return;
    if (this.#options.findMore) this.#take(operand, path, 'argument');
    else this.#skipped += 1;
  }
}

/** Whether the name of a variable or an argument says that its value is an image, and not where images are. */
const callsImage = (name: string): boolean =>
  /image/i.test(name) && !/registr|repo|host|pull|policy|url|dir|path|prefix/i.test(name);
