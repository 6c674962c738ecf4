import { recipeApiVersion } from '../../recipe/model.ts';
import { isYamlMap, type YamlMap } from '../../recipe/read-yaml.ts';
import { isSvcError } from '../../text/error.ts';
import { readForeignDocuments, toMap } from './documents.ts';
import { isEmptyText, isImageList, isImageListName, namesMostlyImages } from './image-list.ts';
import { isKubernetesObject } from './manifests.ts';
import type { SourceDocument, SourceFormat } from './model.ts';

/** The kind of a document: a form of sources, or a document of svc itself. */
type Recognised = SourceFormat | 'recipe' | 'retriever' | 'configuration' | 'empty';

function formatOf(map: YamlMap): Recognised | undefined {
  const group = String(map.get('apiVersion') ?? '').split('/')[0]!;
  const kind = String(map.get('kind') ?? '');
  if (group === recipeApiVersion.split('/')[0]) return kind === 'Retriever' ? 'retriever' : 'recipe';
  if (kind === 'ZarfPackageConfig' || kind === 'ZarfInitConfig') return 'zarf';
  if (group.endsWith('hauler.cattle.io')) return 'hauler';
  if (group === 'mirror.openshift.io') return kind === 'ImageSetConfiguration' ? 'oc-mirror' : undefined;
  if (kind === 'ImagesLock') return 'imgpkg';
  if (isKubernetesObject(map)) return 'manifests';
  if (isYamlMap(map.get('services'))) return 'compose';
  return isConfiguration(map) ? 'configuration' : undefined;
}

/** Whether a document says where the store or the state of an instance is. */
const isConfiguration = (map: YamlMap): boolean =>
  ['storage', 'state'].some((section) => toMap(map.get(section))?.has('root') === true);

/**
 * Returns the form of a document by its content; undefined for one of no known form. A text is a list of images by its
 * name or by most of its lines: reading it reports the wrong lines.
 *
 * @throws SVC-VAL-001, SVC-VAL-002 when a document that is no list of images is not YAML either
 */
export function recogniseSource({ text, file }: SourceDocument): Recognised | undefined {
  if (isEmptyText(text)) return 'empty';
  if (isImageList(text)) return 'images';
  const isMeantAsList = (): boolean => isImageListName(file) || namesMostlyImages(text);
  try {
    for (const { value } of readForeignDocuments(text, file)) {
      const format = formatOf(value);
      if (format !== undefined) return format;
    }
  } catch (error) {
    if (isSvcError(error) && isMeantAsList()) return 'images';
    throw error;
  }
  return isMeantAsList() ? 'images' : undefined;
}
