import { constants } from 'node:fs';
import { type FileHandle, lstat, realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import type { Digest } from '../base/digest.ts';
import { parseJson } from '../base/json/parse-json.ts';
import { openGuarded } from '../disk/guarded-open.ts';
import { toUnreadable as describeUnreadable } from '../disk/named-file-error.ts';
import { blobPath, indexPath, layoutPath } from '../oci/layout.ts';
import { ManifestError, manifestLimits } from '../oci/manifest.ts';
import type { Source } from '../oci/ports.ts';
import { isSvcError, type SvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { textParam } from '../text/text-param.ts';
import { layoutIndexLimits, parseLayoutIndex } from './layout-index.ts';
import { listArchive } from './list-archive.ts';
import { listFolder } from './list-folder.ts';
import type { Layout, LayoutFiles, Place } from './model.ts';

const markerLimit = 64 << 10;
const leastReadBytes = 4096;

/**
 * Opens an OCI image layout, a folder or an uncompressed tar, after inspecting all its members. One member that is not
 * part of a layout refuses the whole. No link below the path itself is followed.
 *
 * @throws SVC-LAY-001 when the path cannot be read, SVC-LAY-002 when it is no layout or has foreign members
 */
export async function openLayout(path: string): Promise<Layout> {
  const { real, isFolder } = await look(path);
  return isFolder ? openFolder(real) : openArchive(real);
}

async function look(path: string): Promise<{ readonly real: string; readonly isFolder: boolean }> {
  try {
    const real = await realpath(path);
    const info = await lstat(real);
    if (!info.isFile() && !info.isDirectory())
      throw svcError('SVC-LAY-001', {
        path,
        detail: rule(['neither a folder nor a regular file', fr`ni un dossier ni un fichier ordinaire`]),
      });
    return { real, isFolder: info.isDirectory() };
  } catch (error) {
    throw toUnreadable(error, path);
  }
}

function toUnreadable(error: unknown, path: string): SvcError {
  if (isSvcError(error) && error.code.startsWith('SVC-LAY-')) return error;
  const cause = isSvcError(error) ? (error.cause ?? error) : error;
  const code = (cause as NodeJS.ErrnoException).code;
  // in words: the technical detail of the error has the message of the system
  const words = code === undefined ? undefined : describeUnreadable(cause);
  const detail = (isSvcError(error) ? textParam(error, 'detail') : undefined) ?? words;
  return svcError('SVC-LAY-001', { path, detail }, { cause });
}

async function openFolder(root: string): Promise<Layout> {
  const files = await listFolder(root).catch((error: unknown) => {
    throw toUnreadable(error, root);
  });
  return read(
    root,
    'directory',
    files,
    (place) => openGuarded(place.root, place.path),
    async () => {},
  );
}

async function openArchive(path: string): Promise<Layout> {
  let file: FileHandle;
  try {
    file = await openGuarded(dirname(path), basename(path), constants.O_RDONLY);
  } catch (error) {
    throw toUnreadable(error, path);
  }
  const close = (): Promise<void> => file.close();
  try {
    const files = await listArchive(file, path);
    return await read(path, 'tar', files, async () => file, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function read(
  path: string,
  format: Layout['format'],
  files: LayoutFiles,
  open: (place: Place) => Promise<FileHandle>,
  close: () => Promise<void>,
): Promise<Layout> {
  const refuse = (name: string, rule: Rule): SvcError =>
    svcError('SVC-LAY-002', { path: `${path}: ${name}`, rule });
  const readSmall = async (place: Place, limit: number): Promise<Buffer | undefined> => {
    const file = await open(place);
    try {
      const size = place.size ?? (await file.stat()).size;
      if (size > limit) return undefined;
      return await readPart(file, place.offset ?? 0, size);
    } finally {
      if (format === 'directory') await file.close();
    }
  };
  const locate = (digest: Digest): Place | undefined => {
    if (!files.blobs.has(digest)) return undefined;
    return files.blobs instanceof Map ? files.blobs.get(digest) : { root: path, path: blobPath(digest) };
  };
  const { marker, index } = files;
  if (marker === undefined)
    throw refuse(
      layoutPath,
      rule([
        'the file is missing: this is not an image layout',
        fr`le fichier manque : ce n’est pas une disposition d’images`,
      ]),
    );
  if (index === undefined)
    throw refuse(
      indexPath,
      rule(['the file is missing: nothing is listed', fr`le fichier manque : rien n’est listé`]),
    );
  requireMarker(await readSmall(marker, markerLimit), (broken) => refuse(layoutPath, broken));
  const bytes = await readSmall(index, layoutIndexLimits.bytes);
  if (bytes === undefined)
    throw refuse(
      indexPath,
      rule(['larger than {bytes} bytes', fr`plus de {bytes} octets`], { bytes: layoutIndexLimits.bytes }),
    );
  let listed: ReturnType<typeof parseLayoutIndex>;
  try {
    listed = parseLayoutIndex(bytes);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw refuse(indexPath, error.rule);
  }

  const fetchManifest: Source['fetchManifest'] = async (reference) => {
    const place = locate(reference as Digest);
    if (place === undefined) return undefined;
    const content = await readSmall(place, manifestLimits.bytes);
    if (content === undefined)
      throw svcError('SVC-REG-009', {
        reference,
        detail: rule(['larger than {bytes} bytes', fr`plus de {bytes} octets`], {
          bytes: manifestLimits.bytes,
        }),
      });
    return {
      descriptor: { mediaType: '', digest: reference as Digest, size: content.length },
      bytes: content,
    };
  };
  return {
    path,
    format,
    ...listed,
    blobs: { [Symbol.iterator]: () => files.blobs.keys() },
    locate,
    source: {
      resolve: async (reference) => (await fetchManifest(reference))?.descriptor,
      fetchManifest,
      fetchBlob: async ({ digest, size: declared }) => {
        const place = locate(digest);
        if (place === undefined) throw svcError('SVC-REG-005', { reference: digest });
        const { offset = 0, size } = place;
        if (size === 0) return Readable.from([]);
        const file = await openGuarded(place.root, place.path);
        const range = size === undefined ? {} : { start: offset, end: offset + size - 1 };
        // each read allocates as much, which would be garbage of a MiB for each small blob
        const highWaterMark = Math.min(1 << 20, Math.max(declared, leastReadBytes));
        return file.createReadStream({ highWaterMark, ...range });
      },
      hasBlob: async ({ digest }) => files.blobs.has(digest),
      hasManifest: async (digest) => files.blobs.has(digest),
    },
    [Symbol.asyncDispose]: close,
  };
}

async function readPart(file: FileHandle, offset: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function requireMarker(bytes: Buffer | undefined, refuse: (rule: Rule) => SvcError): void {
  let document: unknown;
  try {
    document = bytes && parseJson(bytes);
  } catch {
    throw refuse(rule(['not JSON', fr`pas du JSON`]));
  }
  const version = (document as { imageLayoutVersion?: unknown } | null | undefined)?.imageLayoutVersion;
  if (typeof version !== 'string')
    throw refuse(rule(['imageLayoutVersion is missing', fr`imageLayoutVersion manque`]));
  if (!/^1\.[0-9]{1,4}\.[0-9]{1,4}$/.test(version))
    throw refuse(
      rule(
        [
          'the version of the layout is {version}, not 1',
          fr`la version de la disposition est {version}, pas 1`,
        ],
        { version: version.slice(0, 32) },
      ),
    );
}
