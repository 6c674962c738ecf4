import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSvcError, svcError } from '../../base/error.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { readBounded } from '../../disk/named-file.ts';
import { Collector } from '../../recipe/draft/collector.ts';
import { isImageList } from '../../recipe/draft/image-list.ts';
import { readManifests } from '../../recipe/draft/manifests.ts';
import type { Omission, SourceDocument, SourceFormat } from '../../recipe/draft/model.ts';
import { recogniseSource } from '../../recipe/draft/recognise.ts';
import { type FolderFile, selectFolder } from '../../recipe/draft/select-folder.ts';
import type { DraftAccess, ReadSource, SourceOptions } from './model.ts';
import { readChartFolderSource } from './read-chart-source.ts';
import { naming, readTextSource, textLimit, toDocument } from './read-local-source.ts';

const limits = { files: 10_000, depth: 16 } as const;

interface FolderSource {
  readonly source: string;
  readonly path: string;
  readonly format: SourceFormat | undefined;
}

interface FoundFile extends FolderFile {
  readonly document: SourceDocument | undefined;
}

/**
 * Reads a folder: what it recognises in it, or with a format what has this form. What is left out is an omission of the
 * first source, under the name of the folder.
 *
 * @throws SVC-VAL-001 when nothing is recognised, or when several files say what the folder is; as `readSources`
 */
export async function readFolderSource(
  { source, path: root, format }: FolderSource,
  access: DraftAccess,
  options: SourceOptions,
): Promise<readonly ReadSource[]> {
  if (format === 'chart') return [await readChartFolderSource({ source, folder: root }, access, options)];
  const { files, charts } = await scan(source, root);
  const wanted = format === undefined ? files : files.filter((file) => file.form === format);
  const selected = selectFolder(wanted, format === undefined ? charts : []);
  if ('ambiguous' in selected)
    throw svcError('SVC-VAL-001', {
      file: source,
      rule: `is ambiguous, as it has ${selected.ambiguous.join(', ')}: name one of them with --from`,
    });
  const read: ReadSource[] = [];
  for (const chart of selected.charts) {
    const folder = join(root, chart);
    read.push(await readChartFolderSource({ source: join(source, chart), folder }, access, options));
  }
  for (const { path, form, document } of selected.documents as readonly FoundFile[]) {
    const bytes = Buffer.from(document!.text);
    read.push(readTextSource({ source: join(source, path), format: form as SourceFormat, bytes }, options));
  }
  if (selected.manifests.length > 0)
    read.push(toManifestSource(source, selected.manifests as readonly FoundFile[], options));
  const [first, ...others] = read;
  if (first === undefined)
    throw svcError('SVC-VAL-001', {
      file: source,
      rule: 'has no chart, compose file, list of images, Kubernetes manifest or definition of another tool',
    });
  const leftOut = selected.leftOut.map(
    ({ path, reason }): Omission => ({ what: path, where: '', reason, source }),
  );
  const { contents } = first;
  return [{ ...first, contents: { ...contents, omissions: [...contents.omissions, ...leftOut] } }, ...others];
}

function toManifestSource(source: string, files: readonly FoundFile[], options: SourceOptions): ReadSource {
  const found = new Collector(source);
  for (const { path, document } of files) {
    const { images, omissions } = readManifests(document!, options);
    for (const { image, where, doubt } of images) found.image(image, `${path} ${where}`, { doubt });
    for (const { what, where, reason } of omissions) found.leaveOut(what, `${path} ${where}`, reason);
  }
  return { source, format: 'manifests', contents: found.contents };
}

/** Lists the charts and the documents of a folder; hidden folders, `node_modules`, links and charts are not entered. */
async function scan(
  source: string,
  root: string,
): Promise<{ readonly files: readonly FoundFile[]; readonly charts: readonly string[] }> {
  const paths: string[] = [];
  const charts: string[] = [];
  const walk = async (below: string, depth: number): Promise<void> => {
    const entries = await naming(source, () => readdir(join(root, below), { withFileTypes: true }));
    const isChart = entries.some((entry) => entry.name === 'Chart.yaml' && !entry.isDirectory());
    if (isChart) charts.push(below);
    if (isChart && below !== '') return;
    for (const entry of entries) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (entry.isDirectory() && !isChart && depth < limits.depth) await walk(path, depth + 1);
      else if (entry.isFile() && isCandidate(path, isChart)) paths.push(path);
      if (paths.length > limits.files)
        throw svcError('SVC-VAL-001', { file: source, rule: `must have at most ${limits.files} files` });
    }
  };
  await walk('', 0);
  if (await isFile(join(root, '.imgpkg/images.yml'))) paths.push('.imgpkg/images.yml');
  const files: FoundFile[] = [];
  let bytes = 0;
  for (const path of paths.sort()) {
    const name = join(source, path);
    const document = await readDocument(name, join(root, path));
    bytes += document?.text.length ?? 0;
    if (bytes > textLimit) throw svcError('SVC-VAL-002', { limit: textLimit, file: source });
    const file = await toFound(path, document);
    if (file !== undefined) files.push(file);
  }
  return { files, charts: charts.sort() };
}

/** Whether the content of a file is looked at: documents of a chart belong to the chart. */
function isCandidate(path: string, inChart: boolean): boolean {
  if (inChart && /^(?:Chart|values|requirements)\.(?:ya?ml|lock)$|^values\.schema\.json$/.test(path))
    return false;
  return (
    /\.(?:ya?ml|json)$/.test(path) ||
    (/\.(?:txt|lst|list)$|^[^.]*image[^.]*$/i.test(path) && !path.includes('/'))
  );
}

/** @returns undefined for a file that is too large, or not text */
async function readDocument(name: string, path: string): Promise<SourceDocument | undefined> {
  return noneIfUnusable(async () => toDocument(name, await naming(name, () => readBounded(path, textLimit))));
}

/** @returns undefined for a text that is no list of images */
async function toFound(path: string, document: SourceDocument | undefined): Promise<FoundFile | undefined> {
  const isText = !/\.(?:ya?ml|json)$/.test(path);
  if (isText) return document && isImageList(document.text) ? { path, form: 'images', document } : undefined;
  const form = document && (await noneIfUnusable(async () => recogniseSource(document) ?? 'unknown'));
  return { path, form: form ?? 'unreadable', document };
}

async function noneIfUnusable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isSvcError(error, 'SVC-VAL-001') || isSvcError(error, 'SVC-VAL-002')) return undefined;
    throw error;
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}
