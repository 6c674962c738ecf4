import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { measureTarHeader, type TarEntry, tarEnd, tarPadding, toTarHeader } from '../../disk/tar/header.ts';

const blockSize = 1 << 20;

/** A pack as an archive, whose size is known before its first byte. */
interface TarPack {
  /** In bytes. */
  readonly size: number;
  /** Its bytes, in their order. @throws the signal's reason, and errors of the filesystem */
  read(signal: AbortSignal): AsyncGenerator<Buffer>;
}

/**
 * Plans a folder as an uncompressed tar archive with one folder in it. The same files give the same bytes.
 *
 * @param root the folder, which does not change any more
 * @param names its files, with `/`, in the order of the archive
 * @param top name of the folder in the archive
 * @throws errors of the filesystem
 */
export async function planTar(root: string, names: readonly string[], top: string): Promise<TarPack> {
  const entries: (TarEntry & { readonly name: string; readonly size: number })[] = [];
  for (const name of names)
    entries.push({ name, path: `${top}/${name}`, type: 'file', size: (await stat(join(root, name))).size });
  const sizes = entries.map((entry) => measureTarHeader(entry) + entry.size + tarPadding(entry.size));
  return {
    size: sizes.reduce((sum, one) => sum + one, tarEnd.length),
    read: async function* (signal) {
      for (const { name, ...entry } of entries) {
        yield toTarHeader(entry);
        await using file = await open(join(root, name));
        for (let at = 0; at < entry.size; ) {
          signal.throwIfAborted();
          const block = Buffer.allocUnsafe(Math.min(blockSize, entry.size - at));
          const { bytesRead } = await file.read(block, 0, block.length, at);
          if (bytesRead === 0) throw new Error(`${name} was cut while it was sent`);
          at += bytesRead;
          yield block.subarray(0, bytesRead);
        }
        const padding = tarPadding(entry.size);
        if (padding > 0) yield Buffer.alloc(padding);
      }
      yield tarEnd;
    },
  };
}
