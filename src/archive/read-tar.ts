import type { FileHandle } from 'node:fs/promises';
import { parseTarBlock } from '../disk/tar/block.ts';
import { TarError } from '../disk/tar/error.ts';
import { tarBlockBytes, tarPadding } from '../disk/tar/header.ts';
import { parsePaxRecords } from '../disk/tar/pax.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/** One member of an archive: its header fields, and the position of its content. */
interface TarPlace {
  /** As in the archive, one character per byte, without the final slash of a folder. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'special';
  /** Offset of the content in the archive; `size` is its length in bytes. */
  readonly offset: number;
  readonly size: number;
}

const tarLimits = {
  /** Bytes of an extended header. */
  extended: 1 << 20,
  /** Zeros that may follow the end of the archive. */
  trailing: 1 << 20,
} as const;

/** Bytes within which headers are read together. */
const windowBytes = 32 << 10;

/**
 * Reads the headers of an uncompressed tar archive one after the other, and none of the content. An archive must end
 * with an empty block followed by nothing: readers interpret further bytes differently.
 *
 * @param size bytes of the file
 * @throws TarError, and the errors of reading
 */
export async function* readTar(file: FileHandle, size: number): AsyncGenerator<TarPlace, void, undefined> {
  const window = new Window(file, size);
  let extension: { path?: string; size?: number } = {};
  let at = 0;
  for (;;) {
    const bytes = await window.read(at, tarBlockBytes);
    if (bytes === undefined) throw new TarError(cutOff(rule(['its end is missing', fr`sa fin manque`])));
    at += tarBlockBytes;
    const block = parseTarBlock(bytes);
    if (block === undefined) return requireNothingAfter(window, at, size);
    const { flag } = block;
    const kind = toKind(flag, extension.path ?? block.path);
    const length = kind === 'file' ? (extension.size ?? block.size) : block.size;
    const end = at + length + tarPadding(length);
    if (!Number.isSafeInteger(end) || end > size)
      throw new TarError(cutOff(rule(['a member goes beyond its end', fr`un membre dépasse sa fin`])));
    if (kind === 'extension') {
      if (length > tarLimits.extended)
        throw new TarError(
          rule(
            [
              'an extended header is larger than {extended} bytes',
              fr`un en-tête étendu a plus de {extended} octets`,
            ],
            { extended: tarLimits.extended },
          ),
        );
      extension = { ...extension, ...readExtension(flag, (await window.read(at, length))!) };
    } else {
      const path = (extension.path ?? block.path).replace(/\/$/, '');
      if (kind !== 'file' && length > 0)
        throw new TarError(rule(['only a file has content', fr`seul un fichier a un contenu`]), path);
      yield { path, kind, offset: at, size: length };
      extension = {};
    }
    at = end;
  }
}

const cutOff = (why: Rule): Rule =>
  rule(['the archive is cut off: {why}', fr`l’archive est coupée : {why}`], { why });

/** Reads nearby bytes together, and skips everything between distant ones. */
class Window {
  readonly #file: FileHandle;
  readonly #size: number;
  #start = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /** @returns undefined when the file ends before `at + length` */
  async read(at: number, length: number): Promise<Buffer | undefined> {
    if (at + length > this.#size) return undefined;
    if (at < this.#start || at + length > this.#start + this.#bytes.length) {
      const wanted = Math.min(Math.max(windowBytes, length), this.#size - at);
      const bytes = Buffer.allocUnsafe(wanted);
      for (let filled = 0; filled < wanted; ) {
        const { bytesRead } = await this.#file.read(bytes, filled, wanted - filled, at + filled);
        if (bytesRead === 0)
          throw new TarError(
            rule(['it became shorter while it was read', fr`il a raccourci pendant la lecture`]),
          );
        filled += bytesRead;
      }
      this.#start = at;
      this.#bytes = bytes;
    }
    return this.#bytes.subarray(at - this.#start, at - this.#start + length);
  }
}

async function requireNothingAfter(window: Window, from: number, size: number): Promise<void> {
  const refusal = new TarError(
    rule(['something follows the end of the archive', fr`quelque chose suit la fin de l’archive`]),
  );
  if (size - from > tarLimits.trailing) throw refusal;
  for (let at = from; at < size; ) {
    const part = (await window.read(at, Math.min(windowBytes, size - at)))!;
    if (part.some((byte) => byte !== 0)) throw refusal;
    at += part.length;
  }
}

function readExtension(flag: string, bytes: Buffer): { path?: string; size?: number } {
  if (flag === 'L') {
    const end = bytes.indexOf(0);
    return { path: bytes.toString('latin1', 0, end < 0 ? bytes.length : end) };
  }
  // the target of a link is irrelevant: the header of the link follows, and is refused
  if (flag === 'K') return {};
  const { path, size } = parsePaxRecords(bytes);
  // few readers apply a global header to all later members
  if (flag === 'g' && (path !== undefined || size !== undefined))
    throw new TarError(
      rule(['a global header renames what follows', fr`un en-tête global renomme la suite`]),
    );
  return { ...(path === undefined ? {} : { path }), ...(size === undefined ? {} : { size }) };
}

function toKind(flag: string, path: string): TarPlace['kind'] | 'extension' {
  switch (flag) {
    case '0':
    case '\0':
    case '7':
      return path.endsWith('/') ? 'folder' : 'file';
    case '1':
    case '2':
      return 'link';
    case '5':
      return 'folder';
    case '3':
    case '4':
    case '6':
      return 'special';
    case 'x':
    case 'g':
    case 'L':
    case 'K':
      return 'extension';
    default:
      throw new TarError(
        rule(['a member is of the unknown type {flag}', fr`un membre est du type inconnu {flag}`], {
          flag: JSON.stringify(flag),
        }),
        path,
      );
  }
}
