import { isYamlMap, type YamlMap } from '../read-yaml.ts';
import { readForeignDocuments } from './documents.ts';
import { isImageList } from './image-list.ts';
import { isKubernetesObject } from './manifests.ts';
import type { SourceDocument, SourceFormat } from './model.ts';

function formatOf(map: YamlMap): SourceFormat | undefined {
  const group = String(map.get('apiVersion') ?? '').split('/')[0]!;
  const kind = String(map.get('kind') ?? '');
  if (kind === 'ZarfPackageConfig' || kind === 'ZarfInitConfig') return 'zarf';
  if (group.endsWith('hauler.cattle.io')) return 'hauler';
  if (group === 'mirror.openshift.io') return kind === 'ImageSetConfiguration' ? 'oc-mirror' : undefined;
  if (kind === 'ImagesLock') return 'imgpkg';
  if (isKubernetesObject(map)) return 'manifests';
  return isYamlMap(map.get('services')) ? 'compose' : undefined;
}

/**
 * Returns the form of a document by its content; undefined for one of no known form.
 *
 * @throws SVC-VAL-001, SVC-VAL-002 when a document that is no list of images is not YAML either
 */
export function recogniseSource({ text, file }: SourceDocument): SourceFormat | undefined {
  if (isImageList(text)) return 'images';
  for (const { value } of readForeignDocuments(text, file)) {
    const format = formatOf(value);
    if (format !== undefined) return format;
  }
  return undefined;
}
