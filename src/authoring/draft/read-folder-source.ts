import { join } from 'node:path';
import type { RemoteReading } from '../../remote/model.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { quote, Rule, rule } from '../../text/rule.ts';
import { Collector } from '../foreign/collector.ts';
import { readManifests } from '../foreign/manifests.ts';
import type { Omission, SourceFormat } from '../foreign/model.ts';
import type { ReadSource, SourceOptions } from './model.ts';
import { readChartFolderSource } from './read-chart-source.ts';
import { readTextSource } from './read-local-source.ts';
import { readPackedSource } from './read-packed-source.ts';
import { type FoundFile, scanFolder } from './scan-folder.ts';
import { type FolderFile, isSourceFormat, type LeftOut, selectFolder } from './select-folder.ts';
import { selectPacking } from './select-packing.ts';

interface FolderSource {
  readonly source: string;
  readonly path: string;
  readonly format: SourceFormat | undefined;
}

/**
 * Reads a folder: all recognised sources, or with a format those of this form. Everything else in the folder is an
 * omission of the first source, under the name of the folder.
 *
 * @throws SVC-VAL-001 when nothing is recognised, or when several files define the folder; as `readSources`
 */
export async function readFolderSource(
  { source, path: root, format }: FolderSource,
  access: RemoteReading,
  options: SourceOptions,
): Promise<readonly ReadSource[]> {
  if (format === 'chart') return [await readChartFolderSource({ source, folder: root }, access, options)];
  const { files, charts } = await scanFolder(source, root);
  const isOther = ({ form }: FolderFile): boolean =>
    format !== undefined && isSourceFormat(form) && form !== format;
  const selected = selectFolder(
    files.filter((file) => !isOther(file)),
    format === undefined ? charts : [],
  );
  if ('ambiguous' in selected)
    throw svcError('SVC-VAL-001', {
      file: source,
      rule: rule(
        [
          'is ambiguous, as it has {ambiguous}: name one of them with --from',
          fr`est ambigu, car il a {ambiguous} : nommez l’un d’eux avec --from`,
        ],
        { ambiguous: selected.ambiguous.join(', ') },
      ),
    });
  if (options.packsFolders && format === undefined) {
    const packing = selectPacking(source, selected);
    if ('rule' in packing) throw svcError('SVC-VAL-001', { file: source, ...packing, problem: 'folder' });
    if (packing.isPacked) return [readPackedSource({ source, path: root }, options)];
  }
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
  const [first, ...rest] = read;
  const others = [
    ...(format === undefined ? [] : charts.map((path) => join(path, 'Chart.yaml'))),
    ...files.filter(isOther).map(({ path }) => path),
  ].map((path): LeftOut => ({ path, reason: 'other-form' }));
  const leftOut = [...selected.leftOut, ...others];
  if (first === undefined) throw toNothingError(source, leftOut);
  const omissions = leftOut.map(
    ({ path, reason, detail }): Omission => ({
      what: path,
      where: '',
      reason,
      ...(detail === undefined ? {} : { detail: String(detail) }),
      ...(detail instanceof Rule ? { detailRule: detail } : {}),
      source,
    }),
  );
  const { contents } = first;
  return [{ ...first, contents: { ...contents, omissions: [...contents.omissions, ...omissions] } }, ...rest];
}

/** Error for a folder without a source: names the first unreadable document, else the accepted forms. */
function toNothingError(source: string, leftOut: readonly LeftOut[]): SvcError {
  if (leftOut.length === 0)
    return svcError('SVC-VAL-001', {
      file: source,
      rule: rule(['is an empty folder', fr`est un dossier vide`]),
      problem: 'source',
    });
  const broken = leftOut.find(({ detail }) => detail !== undefined);
  if (broken !== undefined)
    return svcError('SVC-VAL-001', {
      file: join(source, broken.path),
      rule: quote(broken.detail!),
      problem: 'source',
    });
  const empty = leftOut.find(({ path, reason }) => reason === 'empty' && !path.endsWith('/'));
  if (empty !== undefined)
    return svcError('SVC-VAL-001', {
      file: join(source, empty.path),
      rule: rule(['is empty, or has comments only', fr`est vide ou n’a que des commentaires`]),
      problem: 'source',
    });
  return svcError('SVC-VAL-001', {
    file: source,
    rule: rule([
      'has no chart, compose file, list of images, Kubernetes manifest or definition of another tool; --push-filesets REGISTRY/PATH packs a folder of files, which becomes an ingredient',
      fr`n’a ni chart, ni fichier compose, ni liste d’images, ni manifeste Kubernetes, ni définition d’un autre outil ; --push-filesets REGISTRE/CHEMIN empaquette un dossier de fichiers, qui devient un ingrédient`,
    ]),
    problem: 'folder',
  });
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
