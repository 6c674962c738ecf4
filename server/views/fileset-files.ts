import { Pacer } from '../../src/base/pacer.ts';
import { ofAddress } from '../../src/contract/check-value.ts';
import type { FilesetEntry, FilesetFiles } from '../../src/contract/fileset.ts';
import type { QueryOf } from '../../src/contract/operation.ts';
import { filesAtOnce, type listFilesetFiles as operation } from '../../src/contract/operations/filesets.ts';
import type { FilesetIndexes, FoundFile } from '../../src/engine/fileset/served-model.ts';
import type { ListingPlace, TreeEntry } from '../../src/fileset/model.ts';
import { toFound } from '../../src/operation/filesets.ts';
import { isSvcError, svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { type Rule, rule } from '../../src/text/rule.ts';
import { requireVersion } from '../../src/view/content.ts';
import { decodeTreePath, encodeTreePath } from '../files/parse-files-path.ts';
import { servedFrom } from './filesets.ts';
import type { ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'store' | 'gate' | 'instance'>;

/** A version of a FileSet, and the time that a reader waits for the first read of its layers. */
interface Asked {
  readonly repository: string;
  readonly tag: string;
  /** `os/architecture[/variant]` of an index. */
  readonly platform?: string | undefined;
  /** Milliseconds. */
  readonly patience: number;
}

/** Milliseconds that a request of the API waits for the first read of a FileSet. */
export const filesetPatience = 20_000;

const refuse = (path: string, broken: Rule) =>
  svcError('SVC-VAL-001', { file: ofAddress, path, rule: broken });

/** The function that reads from the tree of a version. @throws as `listFilesetFiles` */
function openVersion(parts: Parts, { repository, tag, platform, patience }: Asked) {
  const { digest, kind } = requireVersion(parts, { repository, tag });
  const { filesets } = parts.instance;
  const name = `${repository}:${tag}`;
  const unknown = (path: string) =>
    svcError('SVC-SRV-002', { path: path.slice(0, 512), lacks: 'entry', name });
  if (kind !== 'FileSet' && servedFrom(parts, repository).length === 0) throw unknown(name);
  const read = async <T>(into: Parameters<typeof filesets.browse<T>>[1]): Promise<T> => {
    try {
      return await filesets.browse({ repository, tag, digest, platform }, into, patience);
    } catch (error) {
      // the setting is that of a configured FileSet
      if (!isSvcError(error, 'SVC-CFG-001') || error.params.setting !== 'files.filesets[].platform')
        throw error;
      throw refuse(
        '/platform',
        rule([
          'is missing, and the version has several platforms',
          fr`manque, et la version a plusieurs plateformes`,
        ]),
      );
    }
  };
  return { read, digest, unknown };
}

/** Bytes of a tree as text. */
export const toText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function toEntry({ path, target, to }: TreeEntry): FilesetEntry {
  const isFile = to !== undefined && 'digest' in to;
  return {
    name: toText(nameOf(path)),
    path: encodeTreePath(path),
    kind: target !== undefined ? 'link' : isFile ? 'file' : 'folder',
    ...(target === undefined ? {} : { target: toText(target) }),
    ...(to === undefined
      ? {}
      : isFile
        ? { sizeBytes: to.size, digest: to.digest }
        : { folder: encodeTreePath(to.folder) }),
  };
}

/**
 * Lists one page of the names in a folder of a version of a FileSet, or of the names that contain a text.
 *
 * @throws the errors of `requireVersion` and `ServedFilesets.browse`; SVC-SRV-002 for no folder and for no FileSet; SVC-VAL-001
 *   for a wrong query
 */
export async function listFilesetFiles(
  parts: Parts,
  asked: Asked,
  query: QueryOf<typeof operation.query>,
): Promise<FilesetFiles> {
  const { folder: given = '', q, page = 1, pageSize = filesAtOnce } = query;
  const { repository, tag } = asked;
  const { read, digest, unknown } = openVersion(parts, asked);
  const skip = (page - 1) * pageSize;
  const answer = (folder: string, entries: readonly TreeEntry[], total: number): FilesetFiles => ({
    repository,
    tag,
    digest,
    folder: encodeTreePath(folder),
    entries: entries.map(toEntry),
    page,
    totalPages: Math.ceil(total / pageSize),
    total,
  });
  const written = given === '' ? '' : decodeTreePath(given);
  if (written === undefined)
    throw refuse(
      '/folder',
      rule(['is no path as the list has it', fr`n’est pas un chemin tel que la liste l’écrit`]),
    );
  const limit = q === undefined ? pageSize : 0;
  const listed = await read((tree) => tree.list(written, { skip, limit }));
  if (listed === undefined) throw unknown(toText(written));
  const { path: folder } = listed;
  if (q !== undefined) {
    const pacer = new Pacer();
    const entries: TreeEntry[] = [];
    let total = 0;
    for (
      let after: ListingPlace | undefined, isFirst = true;
      isFirst || after !== undefined;
      isFirst = false
    ) {
      const limits = { skip: Math.max(0, skip - total), limit: pageSize - entries.length };
      const found = await read((tree) => tree.search(q, folder, after, limits));
      entries.push(...found.entries);
      total += found.count;
      after = found.next;
      if (pacer.isDue()) await pacer.rest();
    }
    return answer(folder, entries, total);
  }
  return answer(folder, listed.entries, listed.total);
}

/**
 * Lists the FileSets of the configuration that serve a version, with the indexes of package repositories in it.
 *
 * @throws as `listFilesetFiles`
 */
export async function listServedIndexes(parts: Parts, asked: Asked): Promise<readonly FilesetIndexes[]> {
  const { repository, tag } = asked;
  const served = servedFrom(parts, repository).filter(({ version }) => version === tag);
  if (served.length === 0) return [];
  const { read, digest } = openVersion(parts, asked);
  const indexes = await read((tree) => ({
    indexes: tree.packageIndexes(),
    unsigned: tree.unsignedRepositories(),
  }));
  return served.map(({ name, anonymous }) => ({ name, anonymous, repository, digest, ...indexes }));
}

/**
 * Finds a file of a version of a FileSet.
 *
 * @param path one character for each byte
 * @throws as `listFilesetFiles`; SVC-SRV-002 when it has no such file
 */
export async function findFilesetFile(parts: Parts, asked: Asked, path: string): Promise<FoundFile> {
  const { read, unknown } = openVersion(parts, asked);
  const found = await read((tree) => tree.find(path));
  if (found === undefined) throw unknown(toText(path));
  return toFound(found);
}
