import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSvcError, svcError } from '../../base/error.ts';
import { chartLimits } from '../../chart/read-archive.ts';
import { readBounded } from '../../disk/named-file.ts';
import { toNamedFileError } from '../../disk/named-file-error.ts';
import { Collector } from '../../recipe/draft/collector.ts';
import { readCompose } from '../../recipe/draft/compose.ts';
import { readImageList } from '../../recipe/draft/image-list.ts';
import { readManifests } from '../../recipe/draft/manifests.ts';
import type { SourceContents, SourceDocument, SourceFormat } from '../../recipe/draft/model.ts';
import { readHauler, readImgpkg, readOcMirror, readZarf } from '../../recipe/draft/packages.ts';
import { recogniseSource } from '../../recipe/draft/recognise.ts';
import type { DraftAccess, ReadSource, SourceOptions } from './model.ts';
import { readChartArchiveSource, readChartFolderSource } from './read-chart-source.ts';

/** Bytes of a document that is not a chart; each YAML document in it is limited besides. */
const textLimit = 67_108_864;
const folderLimits = { files: 10_000, depth: 16 } as const;

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
  const found = format ?? recogniseSource(document);
  if (found === undefined || found === 'chart' || found === 'repository')
    throw svcError('SVC-VAL-001', {
      file: source,
      rule: 'has no known form: no list of images, chart, Kubernetes manifest, compose file, or definition of hauler, zarf, oc-mirror or imgpkg',
    });
  return { source, format: found, contents: readAs(found, document, options) };
}

function toDocument(file: string, bytes: Buffer): SourceDocument {
  if (bytes.length > textLimit) throw svcError('SVC-VAL-002', { limit: textLimit, file });
  try {
    return { file, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw svcError('SVC-VAL-001', { file, path: '', rule: 'must be UTF-8' });
  }
}

function readAs(
  format: Exclude<SourceFormat, 'chart' | 'repository'>,
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
  access: DraftAccess,
  options: SourceOptions,
): Promise<ReadSource> {
  const bytes = await naming(source, () => readBounded(path, chartLimits.unpackedBytes));
  const magic = bytes.toString('hex', 0, 4);
  if (magic.startsWith('1f8b') || format === 'chart')
    return readChartArchiveSource({ source, archive: bytes }, access, options);
  if (magic === '28b52ffd')
    throw svcError('SVC-VAL-001', {
      file: source,
      rule: 'is a built package: give its definition, such as zarf.yaml or the manifest of hauler',
    });
  return readTextSource({ source, format, bytes }, options);
}

/** Names the source as it was given in errors. */
async function naming<T>(source: string, read: () => Promise<T>): Promise<T> {
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

/** Files by which a folder is known, in the order in which they count. */
const marks: readonly (readonly [file: string, format: SourceFormat])[] = [
  ['Chart.yaml', 'chart'],
  ['zarf.yaml', 'zarf'],
  ['.imgpkg/images.yml', 'imgpkg'],
  ['compose.yaml', 'compose'],
  ['compose.yml', 'compose'],
  ['docker-compose.yaml', 'compose'],
  ['docker-compose.yml', 'compose'],
];

/** Reads a folder: a chart, the definition of a package, a compose file, or Kubernetes manifests. @throws as `readSource` */
export async function readFolderSource(
  { source, path, format }: LocalSource,
  access: DraftAccess,
  options: SourceOptions,
): Promise<ReadSource> {
  const names = new Set(await naming(source, () => readdir(path)));
  const mark = marks.find(
    ([file, of]) => names.has(file.split('/')[0]!) && (format === undefined || format === of),
  );
  if (mark?.[1] === 'chart' || format === 'chart')
    return readChartFolderSource({ source, folder: path }, access, options);
  if (mark)
    return readFileSource(
      { source: join(source, mark[0]), path: join(path, mark[0]), format: mark[1] },
      access,
      options,
    );
  if (format !== undefined && format !== 'manifests')
    throw svcError('SVC-FIL-005', { path: source, folder: source });
  return readManifestFolder(source, path, options);
}

async function readManifestFolder(source: string, root: string, options: SourceOptions): Promise<ReadSource> {
  const found = new Collector(source);
  let bytes = 0;
  let files = 0;
  for (const path of await listManifests(source, root)) {
    const content = await naming(source, () => readBounded(join(root, path), textLimit));
    bytes += content.length;
    if (bytes > textLimit) throw svcError('SVC-VAL-002', { limit: textLimit, file: source });
    const document = toDocument(join(source, path), content);
    if (recogniseSource(document) !== 'manifests') continue;
    files += 1;
    const contents = readManifests(document, options);
    for (const { image, where, doubt } of contents.images) found.image(image, `${path} ${where}`, { doubt });
    for (const { what, where, reason } of contents.omissions)
      found.leaveOut(what, `${path} ${where}`, reason);
  }
  if (files === 0)
    throw svcError('SVC-VAL-001', { file: source, rule: 'has neither Chart.yaml nor Kubernetes manifests' });
  return { source, format: 'manifests', contents: found.contents };
}

/** Paths of the YAML and JSON files of a folder; hidden folders and links are left out. */
async function listManifests(source: string, root: string): Promise<readonly string[]> {
  const paths: string[] = [];
  const walk = async (below: string, depth: number): Promise<void> => {
    if (depth > folderLimits.depth) return;
    for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) await walk(path, depth + 1);
      else if (entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name)) paths.push(path);
      if (paths.length > folderLimits.files)
        throw svcError('SVC-VAL-001', {
          file: source,
          rule: `must have at most ${folderLimits.files} files`,
        });
    }
  };
  await naming(source, () => walk('', 0));
  return paths.sort();
}
