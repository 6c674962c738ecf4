import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Digest } from '../base/digest.ts';
import { TarError } from '../disk/tar/error.ts';
import { type SvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { memberLimit, toLayoutMember } from './layout-members.ts';
import type { LayoutFiles, Place } from './model.ts';
import { readTar } from './read-tar.ts';

/** Magic numbers of compressed archives. */
const compressions: readonly (readonly [name: string, magic: string, tool: string])[] = [
  ['gzip', '1f8b', 'gunzip'],
  ['zstd', '28b52ffd', 'unzstd'],
  ['xz', 'fd377a585a00', 'unxz'],
  ['bzip2', '425a68', 'bunzip2'],
  ['lz4', '04224d18', 'unlz4'],
  ['lzip', '4c5a4950', 'lzip -d'],
  ['compress', '1f9d', 'uncompress'],
  ['zip', '504b0304', 'unzip'],
];

/**
 * Finds the files of a layout in an archive, in one pass over its headers.
 *
 * @param path of the archive
 * @throws SVC-LAY-001 when the archive cannot be read, SVC-LAY-002 when it is no tar, compressed, or has foreign members
 */
export async function listArchive(file: FileHandle, path: string): Promise<LayoutFiles> {
  const [root, name] = [dirname(path), basename(path)];
  const refuse = (rule: Rule, member?: string): SvcError =>
    svcError('SVC-LAY-002', { path: member === undefined ? path : `${path}: ${member.slice(0, 256)}`, rule });
  try {
    const { size } = await file.stat();
    await refuseCompressed(file, refuse);
    const places = new Map<Digest | 'marker' | 'index', Place>();
    let count = 0;
    for await (const member of readTar(file, size)) {
      count += 1;
      if (count > memberLimit)
        throw refuse(
          rule(['it has more than {memberLimit} members', fr`elle a plus de {memberLimit} membres`], {
            memberLimit,
          }),
        );
      const found = toLayoutMember(member.path, member.kind);
      if (found.role === 'foreign') throw refuse(found.rule, member.path);
      if (found.role === 'folder') continue;
      const place: Place = { root, path: name, offset: member.offset, size: member.size };
      const key = found.role === 'blob' ? found.digest : found.role;
      if (places.has(key))
        throw refuse(
          rule(['the archive contains the file twice', fr`l’archive contient le fichier deux fois`]),
          member.path,
        );
      places.set(key, place);
    }
    const [marker, index] = [places.get('marker'), places.get('index')];
    places.delete('marker');
    places.delete('index');
    return { marker, index, blobs: places as Map<Digest, Place> };
  } catch (error) {
    if (error instanceof TarError) throw refuse(error.rule, error.path);
    if ((error as NodeJS.ErrnoException).syscall === 'read')
      throw svcError('SVC-LAY-001', { path }, { cause: error });
    throw error;
  }
}

async function refuseCompressed(file: FileHandle, refuse: (rule: Rule) => SvcError): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
  const begins = buffer.subarray(0, bytesRead).toString('hex');
  const found = compressions.find(([, magic]) => begins.startsWith(magic));
  if (found)
    throw refuse(
      rule(
        [
          'it is compressed with {format}: unpack it with {tool} first',
          fr`elle est compressée avec {format} : décompressez-la d’abord avec {tool}`,
        ],
        { format: found[0], tool: found[2] },
      ),
    );
}
