import { tarBlockBytes, tarEnd, tarPadding, toTarHeader } from '../disk/tar/header.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';

/** A file to be added to an archive. */
export interface AddedFile {
  readonly path: string;
  readonly size: number;
  /** Called when the file is written. */
  readonly open: () => Promise<AsyncIterable<Buffer>>;
}

/** Reads the number of bytes that follow a header. @throws SVC-SIG-003 */
function readSize(header: Buffer, archive: string): number {
  const field = header.toString('latin1', 124, 136).replace(/[\0 ]+$/, '');
  if (field === '') return 0;
  if (/^ *[0-7]+$/.test(field)) return Number.parseInt(field, 8);
  throw svcError('SVC-SIG-003', {
    expected: rule(['a Helm chart archive', fr`une archive de chart Helm`]),
    actual: rule(['an entry of unreadable size', fr`une entrée de taille illisible`]),
    reference: archive,
  });
}

/**
 * Yields the blocks of a tar archive up to its end, then the files, then the end. Existing members are unchanged, byte
 * for byte.
 *
 * @param tar uncompressed; the caller limits its size
 * @param archive name of the archive in errors
 */
export async function* appendFiles(
  tar: AsyncIterable<Buffer>,
  files: readonly AddedFile[],
  archive: string,
): AsyncGenerator<Buffer> {
  const header = Buffer.alloc(tarBlockBytes);
  let filled = 0;
  let content = 0;
  let isOver = false;
  for await (const chunk of tar) {
    // bytes after the end are read and dropped: a stream that is left early counts as broken
    for (let at = 0; !isOver && at < chunk.length; ) {
      if (content > 0) {
        const part = chunk.subarray(at, at + content);
        content -= part.length;
        at += part.length;
        yield part;
        continue;
      }
      const taken = chunk.copy(header, filled, at);
      filled += taken;
      at += taken;
      if (filled < tarBlockBytes) continue;
      filled = 0;
      isOver = header.every((byte) => byte === 0);
      if (isOver) break;
      const size = readSize(header, archive);
      content = size + tarPadding(size);
      yield Buffer.from(header);
    }
  }
  for (const { path, size, open } of files) {
    yield toTarHeader({ path, type: 'file', size });
    yield* await open();
    yield Buffer.alloc(tarPadding(size));
  }
  yield tarEnd;
}
