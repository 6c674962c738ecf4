import { chartLimits } from '../../chart/read-archive.ts';
import { readBounded } from '../../disk/named-file.ts';
import { toNamedFileError } from '../../disk/named-file-error.ts';
import type { RemoteReading } from '../../remote/model.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { decodeText } from '../../yaml/decode-text.ts';
import { readCompose } from '../foreign/compose.ts';
import { isEmptyText, readImageList } from '../foreign/image-list.ts';
import { readManifests } from '../foreign/manifests.ts';
import type { SourceContents, SourceDocument, SourceFormat } from '../foreign/model.ts';
import { readHauler, readImgpkg, readOcMirror, readZarf } from '../foreign/packages.ts';
import { recogniseSource } from '../foreign/recognise.ts';
import type { ReadSource, SourceOptions } from './model.ts';
import { readChartArchiveSource } from './read-chart-source.ts';

/** Bytes of a document that is not a chart; each YAML document in it is limited besides. */
export const textLimit = 67_108_864;

interface LocalSource {
  readonly source: string;
  readonly path: string;
  readonly format: SourceFormat | undefined;
}

/** Reads a document in memory. @throws SVC-VAL-001, SVC-VAL-002 */
export function readTextSource(
  { source, format, bytes }: { source: string; format: SourceFormat | undefined; bytes: Buffer },
  options: SourceOptions,
): ReadSource {
  const document = toDocument(source, bytes);
  const { text } = document;
  const found = isEmptyText(text) ? 'empty' : (format ?? recogniseSource(document));
  if (!isTextFormat(found))
    throw svcError('SVC-VAL-001', {
      file: source,
      rule: noSourceRules[found ?? 'unknown'](source),
      problem: 'source',
    });
  return { source, format: found, contents: readAs(found, document, options) };
}

/** Why a document is no source. */
const noSourceRules = {
  unknown: () =>
    rule([
      'has no known form: no list of images, chart, Kubernetes manifest, compose file, or definition of hauler, zarf, oc-mirror or imgpkg',
      fr`n’a pas de forme connue : ni liste d’images, ni chart, ni manifeste Kubernetes, ni fichier compose, ni définition de hauler, zarf, oc-mirror ou imgpkg`,
    ]),
  empty: () => rule(['is empty, or has comments only', fr`est vide ou n’a que des commentaires`]),
  recipe: (source: string) =>
    rule(
      [
        'is a recipe already: svc recipe pin {source} turns its tags into digests',
        fr`est déjà une recette : svc recipe pin {source} change ses étiquettes en empreintes`,
      ],
      { source },
    ),
  retriever: () =>
    rule([
      'is a Retriever, which names recipes and no images',
      fr`est un Retriever, qui nomme des recettes et pas d’images`,
    ]),
  configuration: () =>
    rule([
      'is a configuration of svc, which names no images',
      fr`est une configuration de svc, qui ne nomme pas d’images`,
    ]),
  chart: () =>
    rule([
      'is a text: a chart is a folder or an archive',
      fr`est un texte : un chart est un dossier ou une archive`,
    ]),
  repository: () =>
    rule([
      'is a file: a repository is <registry>/<repository>',
      fr`est un fichier : un dépôt est <registre>/<dépôt>`,
    ]),
  fileset: () =>
    rule(['is a file: fileset: packs a folder', fr`est un fichier : fileset: empaquette un dossier`]),
} as const;

type TextFormat = Exclude<SourceFormat, 'chart' | 'repository' | 'fileset'>;

const isTextFormat = (form: TextFormat | keyof typeof noSourceRules | undefined): form is TextFormat =>
  form !== undefined && !Object.hasOwn(noSourceRules, form);

/** @throws SVC-VAL-001, SVC-VAL-002 */
export function toDocument(file: string, bytes: Buffer): SourceDocument {
  if (bytes.length > textLimit) throw svcError('SVC-VAL-002', { limit: textLimit, file });
  const decoded = decodeText(bytes);
  if ('rule' in decoded) throw svcError('SVC-VAL-001', { file, rule: decoded.rule });
  return { file, text: decoded.text };
}

function readAs(
  format: TextFormat,
  document: SourceDocument,
  { variables, findMore }: SourceOptions,
): SourceContents {
  switch (format) {
    case 'images':
      return readImageList(document);
    case 'manifests':
      return readManifests(document, { findMore });
    case 'compose':
      return readCompose(document, variables);
    case 'hauler':
      return readHauler(document);
    case 'zarf':
      return readZarf(document);
    case 'oc-mirror':
      return readOcMirror(document);
    case 'imgpkg':
      return readImgpkg(document);
  }
}

/** Reads a file: the archive of a chart, or a document. @throws as `readSource` */
export async function readFileSource(
  { source, path, format }: LocalSource,
  access: RemoteReading,
  options: SourceOptions,
): Promise<ReadSource> {
  const bytes = await naming(source, () => readBounded(path, chartLimits.unpackedBytes));
  const magic = bytes.toString('hex', 0, 4);
  if (magic.startsWith('1f8b') || format === 'chart')
    return readChartArchiveSource({ source, archive: bytes }, access, options);
  if (magic === '28b52ffd')
    throw svcError('SVC-VAL-001', {
      file: source,
      rule: rule([
        'is a built package: give its definition, such as zarf.yaml or the manifest of hauler',
        fr`est un paquet construit : donnez sa définition, comme zarf.yaml ou le manifeste de hauler`,
      ]),
    });
  return readTextSource({ source, format, bytes }, options);
}

/** Names the source as it was given in errors. */
export async function naming<T>(source: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isSvcError(error, 'SVC-VAL-002'))
      throw svcError('SVC-VAL-002', { limit: Number(error.params.limit), file: source });
    if (isSvcError(error, 'SVC-FIL-005') && error.cause !== undefined)
      throw toNamedFileError(error.cause, source);
    throw isSvcError(error) ? error : toNamedFileError(error, source);
  }
}
