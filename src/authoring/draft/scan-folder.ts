import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../../disk/is-absent.ts';
import { readBounded } from '../../disk/named-file.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { textParam } from '../../text/text-param.ts';
import { isImageListName, namesMostlyImages, readImageList } from '../foreign/image-list.ts';
import type { SourceDocument } from '../foreign/model.ts';
import { recogniseSource } from '../foreign/recognise.ts';
import { naming, textLimit, toDocument } from './read-local-source.ts';
import type { FolderFile } from './select-folder.ts';

/** Documents that are read, levels of folders, and entries that are listed as left out. */
const limits = { files: 10_000, depth: 16, listed: 10_000 } as const;
const lockPath = '.imgpkg/images.yml';

/** An entry of a folder, with its text if it is read. */
export interface FoundFile extends FolderFile {
  readonly document?: SourceDocument | undefined;
}

/** A folder that was scanned. */
interface ScannedFolder {
  readonly files: readonly FoundFile[];
  /** Folders of charts; '' is the folder itself. */
  readonly charts: readonly string[];
}

/**
 * Lists the entries of a folder: its charts, its documents by their content, and everything else with the reason why it
 * is not read. Hidden folders, `node_modules`, links, charts and folders of svc itself are not entered.
 *
 * @param source name of the folder in errors
 * @throws SVC-VAL-001 for too many documents, SVC-VAL-002 for too large ones; SVC-FIL-005 for a folder that cannot be read
 */
export async function scanFolder(source: string, root: string): Promise<ScannedFolder> {
  const walk = new Walk(source, root);
  await walk.enter('', 0);
  if (await isFile(join(root, lockPath))) walk.documents.push(lockPath);
  const files: FoundFile[] = [];
  let bytes = 0;
  for (const path of walk.documents.sort()) {
    const file = await readDocument(path, { source, root });
    bytes += file.document?.text.length ?? 0;
    if (bytes > textLimit) throw svcError('SVC-VAL-002', { limit: textLimit, file: source });
    // other files beside the documents of a chart belong to it
    if (file.form !== 'other-kind' || !walk.charts.includes('')) files.push(file);
  }
  return { files: [...files, ...walk.others], charts: walk.charts.sort() };
}

class Walk {
  readonly documents: string[] = [];
  readonly charts: string[] = [];
  readonly others: FoundFile[] = [];
  readonly #source: string;
  readonly #root: string;

  constructor(source: string, root: string) {
    this.#source = source;
    this.#root = root;
  }

  async enter(below: string, depth: number): Promise<void> {
    const list = () => readdir(join(this.#root, below), { withFileTypes: true });
    const entries = (await naming(this.#source, list)).sort((a, b) => (a.name < b.name ? -1 : 1));
    const isChart = entries.some((entry) => entry.name === 'Chart.yaml' && !entry.isDirectory());
    if (isChart) {
      this.charts.push(below);
      if (below !== '') return;
    } else if (below !== '') {
      if (entries.length === 0) return this.#leaveOut(`${below}/`, 'empty');
      if (isOwnFolder(entries)) return this.#leaveOut(`${below}/`, 'own');
      if (depth > limits.depth) return this.#leaveOut(`${below}/`, 'too-deep-folder');
    }
    for (const entry of entries) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (!isChart) await this.#add(path, entry, depth);
      else if (entry.isFile() && isCandidate(path) && !isOfChart(path)) this.#addDocument(path);
    }
  }

  async #add(path: string, entry: Dirent, depth: number): Promise<void> {
    const shown = entry.isDirectory() ? `${path}/` : path;
    if (entry.name.startsWith('.') || entry.name === 'node_modules') {
      if (path !== '.imgpkg') this.#leaveOut(shown, 'hidden');
    } else if (entry.isDirectory()) await this.enter(path, depth + 1);
    else if (entry.isSymbolicLink()) this.#leaveOut(path, 'link');
    else if (entry.isFile() && isCandidate(path)) this.#addDocument(path);
    else this.#leaveOut(path, 'other-kind');
  }

  #addDocument(path: string): void {
    this.documents.push(path);
    if (this.documents.length > limits.files)
      throw svcError('SVC-VAL-001', {
        file: this.#source,
        rule: rule(['must have at most {files} files', fr`doit avoir au plus {files} fichiers`], {
          files: limits.files,
        }),
      });
  }

  #leaveOut(path: string, form: FoundFile['form']): void {
    if (this.others.length < limits.listed) this.others.push({ path, form });
  }
}

/** Whether a folder is a store or a medium, or the state of an instance. */
function isOwnFolder(entries: readonly Dirent[]): boolean {
  const has = (name: string): boolean => entries.some((entry) => entry.name === name);
  return has('_svc') || has('store.key') || has('accounts.lock');
}

const isYaml = (path: string): boolean => /\.(?:ya?ml|json)$/i.test(path);

/** Whether the content of a file is looked at. */
const isCandidate = (path: string): boolean =>
  isYaml(path) || /\.(?:txt|lst|list)$/i.test(path) || isImageListName(path);

/** Whether a document at the top of a chart belongs to the chart. */
const isOfChart = (path: string): boolean =>
  /^(?:Chart|values|requirements)\.(?:ya?ml|lock)$|^values\.schema\.json$/.test(path);

/** Reads a document and recognises it; one that cannot be read keeps the rule that it breaks. */
async function readDocument(
  path: string,
  { source, root }: { readonly source: string; readonly root: string },
): Promise<FoundFile> {
  const file = join(source, path);
  let document: SourceDocument | undefined;
  try {
    document = toDocument(file, await naming(file, () => readBounded(join(root, path), textLimit)));
    const form = recogniseSource(document);
    if (form === 'images') return toList(path, document);
    if (form === 'recipe' || form === 'retriever' || form === 'configuration') return { path, form: 'own' };
    // a text that is no list of images is of another kind
    const none = isYaml(path) ? 'no-known-form' : 'other-kind';
    return form === undefined ? { path, form: none } : { path, form, document };
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-001') && !isSvcError(error, 'SVC-VAL-002')) throw error;
    // a text that is read for nothing but a list, and is none
    if (document !== undefined && !isYaml(path)) return { path, form: 'other-kind', document };
    return { path, form: 'unreadable', detail: toDetail(error), document };
  }
}

/**
 * Judges a list of images. One with a wrong line is still a list if most of its lines name images. Reading refuses it,
 * as images would be missing. Another text, whose name only says list, is left out with the first wrong line.
 */
function toList(path: string, document: SourceDocument): FoundFile {
  try {
    readImageList(document);
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-001') || namesMostlyImages(document.text))
      return { path, form: 'images', document };
    return { path, form: 'unreadable', detail: toDetail(error), document };
  }
  return { path, form: 'images', document };
}

/** The rule that a document breaks, after the place in it. */
function toDetail(error: SvcError): Rule | string {
  const { file, path, limit } = error.params;
  const broken = textParam(error, 'rule');
  if (broken === undefined)
    return rule(['must be at most {limit} bytes', fr`doit avoir au plus {limit} octets`], {
      limit: String(limit),
    });
  const line = /:(\d+)$/.exec(String(file ?? ''))?.[1];
  if (line !== undefined)
    return rule(['line {line}: {broken}', fr`ligne {line} : {broken}`], { line, broken });
  const place = String(path ?? '');
  return place === '' ? broken : rule(['{place}: {broken}', fr`{place} : {broken}`], { place, broken });
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}
