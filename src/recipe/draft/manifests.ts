import { svcError } from '../../base/error.ts';
import { childPath, isYamlMap, type YamlMap, type YamlValue } from '../read-yaml.ts';
import { Collector } from './collector.ts';
import { readForeignDocuments, toItems, toMap, toScalarText } from './documents.ts';
import { isCertainImage, readImageName } from './image-name.ts';
import type { Doubt, SourceContents, SourceDocument } from './model.ts';

const containerLists = new Set(['containers', 'initContainers', 'ephemeralContainers']);

interface ManifestOptions {
  /** Whether texts of arguments and variables that are certainly images are proposed. */
  readonly findMore: boolean;
}

/**
 * Reads Kubernetes manifests: the images of containers, init and ephemeral containers and image volumes at any depth, so
 * also in custom resources and in lists. The member `image` of another object is proposed only.
 *
 * @throws SVC-VAL-001, SVC-VAL-002
 */
export function readManifests({ text, file }: SourceDocument, options: ManifestOptions): SourceContents {
  const found = new Collector(file);
  for (const { value } of readForeignDocuments(text, file, (part) => /image/i.test(part)))
    new Walk(found, file, options).object(value);
  return found.contents;
}

/** Returns whether a map is a Kubernetes object. */
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
      if (doubt !== undefined) return;
      throw svcError('SVC-VAL-001', { file: this.#file, path: where, rule: name.rule });
    }
    this.#found.image(image, where, { doubt });
  }

  #map(map: YamlMap, path: string): void {
    for (const [key, value] of map) {
      const at = childPath(path, key);
      if (containerLists.has(key) && Array.isArray(value)) this.#containers(value, at);
      else if (key === 'volumes' && Array.isArray(value)) this.#volumes(value, at);
      else if (key === 'image' && typeof value === 'string') {
        if (isCertainImage(value)) this.#take(value, at, 'custom-resource');
      } else this.#value(value, at);
    }
  }

  #value(value: YamlValue, path: string): void {
    if (isYamlMap(value)) this.#map(value, path);
    else if (Array.isArray(value))
      for (const [i, item] of (value as readonly YamlValue[]).entries()) this.#value(item, `${path}[${i}]`);
  }

  #containers(list: readonly YamlValue[], path: string): void {
    for (const [i, item] of list.entries()) {
      if (!isYamlMap(item)) continue;
      const at = `${path}[${i}]`;
      for (const [key, value] of item) {
        const where = childPath(at, key);
        if (key === 'image') {
          const image = toScalarText(value);
          if (image !== undefined && image !== '') this.#take(image, where);
        } else if (key === 'args' || key === 'command' || key === 'env') this.#operands(value, where);
        else this.#value(value, where);
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

  /** Texts in arguments and variables, such as `--sidecar-image=registry.example/app:1.0`. */
  #operands(value: YamlValue, path: string): void {
    if (isYamlMap(value)) {
      for (const [key, item] of value) this.#operands(item, childPath(path, key));
      return;
    }
    if (Array.isArray(value)) {
      for (const [i, item] of (value as readonly YamlValue[]).entries())
        this.#operands(item, `${path}[${i}]`);
      return;
    }
    if (typeof value !== 'string') return;
    const operand = value.slice(value.indexOf('=') + 1);
    if (!isCertainImage(operand)) return;
    if (this.#options.findMore) this.#take(operand, path, 'argument');
    else this.#skipped += 1;
  }
}
