import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { parseTarBlock, type TarBlock } from './block.ts';
import { TarError } from './error.ts';
import { type PaxRecords, parsePaxRecords } from './pax.ts';

const blockBytes = 512;

/** One member of an archive. Names have one character per byte (latin1), exactly as in the archive. */
export interface TarMember {
  readonly path: string;
  /** `other`: a device or a pipe. */
  readonly type: 'file' | 'folder' | 'link' | 'hard-link' | 'other';
  /** Bytes of content; 0 for all but files. */
  readonly size: number;
  /** Position of its content, in bytes from the beginning of the archive. */
  readonly offset: number;
  /** Target of a link. */
  readonly target: string;
  /** Whether some readers take a file for a folder, by its mode. */
  readonly hasFolderMode: boolean;
}

interface TarVisitor {
  /** Called at the beginning of a member. */
  begin(member: TarMember): void;
  /** Called with content of the current file; the buffer belongs to the caller and may be reused after the call. */
  content(chunk: Buffer): void;
  /** Called when the member is complete. */
  end(member: TarMember): void;
}

interface TarLimits {
  /** Number of headers, extended ones included. */
  readonly headers: number;
  /** Bytes of one extended header or long name. */
  readonly extensionBytes: number;
}

/** Values that a member gets from the extended headers before it. */
interface Extension extends PaxRecords {
  longPath?: string;
  longTarget?: string;
}

/**
 * Reads a tar archive (ustar, pax, GNU long names) as a stream: keeps one header at a time. Refuses everything that
 * readers interpret differently: sparse files, links with content, unknown types. Ignores bytes after the end of the
 * archive.
 *
 * @throws TarError by `write` and `end`
 */
export class TarReader {
  readonly #visitor: TarVisitor;
  readonly #limits: TarLimits;
  readonly #header = Buffer.alloc(blockBytes);
  #filled = 0;
  #position = 0;
  #headers = 0;
  /** Number of consecutive empty blocks; two end the archive. */
  #empty = 0;
  #extension: Extension | undefined;
  #reading: { readonly flag: string; readonly bytes: Buffer; filled: number } | undefined;
  #member: TarMember | undefined;
  #contentLeft = 0;
  #paddingLeft = 0;

  constructor(visitor: TarVisitor, limits: TarLimits) {
    this.#visitor = visitor;
    this.#limits = limits;
  }

  /** Number of headers so far. */
  get headers(): number {
    return this.#headers;
  }

  /** Reads the next bytes; does not keep the buffer. */
  write(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && this.#empty < 2) {
      const before = at;
      if (this.#contentLeft > 0) at = this.#takeContent(chunk, at);
      else if (this.#paddingLeft > 0) at += this.#skip(chunk.length - at);
      else at = this.#takeHeader(chunk, at);
      this.#position += at - before;
      if (this.#contentLeft === 0 && this.#filled === 0) this.#finish();
    }
  }

  /**
   * Skips content of the current file, which the visitor does not get.
   *
   * @param most maximum bytes to skip
   * @returns bytes skipped; 0 when a header comes next
   */
  passContent(most: number): number {
    if (this.#reading || this.#contentLeft === 0) return 0;
    const count = Math.min(most, this.#contentLeft);
    this.#contentLeft -= count;
    this.#position += count;
    if (this.#contentLeft === 0) this.#finish();
    return count;
  }

  /** Ends the archive. @throws TarError when it is incomplete */
  end(): void {
    if (this.#empty >= 2) return;
    const isWhole = this.#filled === 0 && this.#contentLeft === 0 && this.#paddingLeft === 0;
    if (!isWhole || this.#extension !== undefined)
      throw new TarError(rule(['the archive is cut off', fr`l’archive est coupée`]));
  }

  #skip(available: number): number {
    const count = Math.min(available, this.#paddingLeft);
    this.#paddingLeft -= count;
    return count;
  }

  #takeContent(chunk: Buffer, at: number): number {
    const count = Math.min(chunk.length - at, this.#contentLeft);
    this.#contentLeft -= count;
    const piece = chunk.subarray(at, at + count);
    if (this.#reading) {
      piece.copy(this.#reading.bytes, this.#reading.filled);
      this.#reading.filled += count;
    } else this.#visitor.content(piece);
    return at + count;
  }

  #takeHeader(chunk: Buffer, at: number): number {
    const count = Math.min(blockBytes - this.#filled, chunk.length - at);
    const isWhole = count === blockBytes;
    if (!isWhole) chunk.copy(this.#header, this.#filled, at, at + count);
    this.#filled += count;
    if (this.#filled < blockBytes) return at + count;
    this.#filled = 0;
    this.#open(isWhole ? chunk.subarray(at, at + count) : this.#header, this.#position + count);
    return at + count;
  }

  /** @param offset of the first byte after the block */
  #open(bytes: Buffer, offset: number): void {
    const block = parseTarBlock(bytes);
    if (block === undefined) {
      this.#empty += 1;
      if (this.#extension !== undefined)
        throw new TarError(
          rule([
            'an extended header belongs to no entry',
            fr`un en-tête étendu n’appartient à aucune entrée`,
          ]),
        );
      return;
    }
    if (this.#empty > 0)
      throw new TarError(
        rule(['an empty block stands among the entries', fr`un bloc vide se trouve parmi les entrées`]),
      );
    this.#headers += 1;
    if (this.#headers > this.#limits.headers)
      throw new TarError(
        rule(['more than {headers} entries', fr`plus de {headers} entrées`], {
          headers: this.#limits.headers,
        }),
      );
    if ('xgLK'.includes(block.flag)) this.#openExtension(block);
    else this.#openMember(block, offset);
  }

  #openExtension({ flag, size }: TarBlock): void {
    const { extensionBytes } = this.#limits;
    if (size > extensionBytes)
      throw new TarError(
        rule(
          [
            'an extended header is larger than {extensionBytes} bytes',
            fr`un en-tête étendu a plus de {extensionBytes} octets`,
          ],
          { extensionBytes },
        ),
      );
    this.#extension ??= {};
    this.#reading = { flag, bytes: Buffer.alloc(size), filled: 0 };
    this.#expect(size);
  }

  #openMember(block: TarBlock, offset: number): void {
    const extension = this.#extension ?? {};
    this.#extension = undefined;
    const path = extension.path ?? extension.longPath ?? block.path;
    const target = extension.linkpath ?? extension.longTarget ?? block.target;
    const size = extension.size ?? block.size;
    const type = toType(block.flag, path);
    if (type === undefined)
      throw new TarError(
        rule(['an entry of type {flag}', fr`une entrée de type {flag}`], {
          flag: JSON.stringify(block.flag),
        }),
        path,
      );
    if (type !== 'file' && size > 0)
      throw new TarError(rule(['only a file has content', fr`seul un fichier a un contenu`]), path);
    if (!Number.isSafeInteger(offset + size + blockBytes))
      throw new TarError(rule(['the size is too large', fr`la taille est trop grande`]), path);
    const { hasFolderMode } = block;
    this.#member = { path, type, size, offset, target, hasFolderMode };
    this.#visitor.begin(this.#member);
    this.#expect(size);
  }

  #expect(size: number): void {
    this.#contentLeft = size;
    this.#paddingLeft = (blockBytes - (size % blockBytes)) % blockBytes;
  }

  #finish(): void {
    const member = this.#member;
    const reading = this.#reading;
    this.#member = undefined;
    this.#reading = undefined;
    if (member) this.#visitor.end(member);
    if (reading) this.#extend(reading.flag, reading.bytes);
  }

  #extend(flag: string, bytes: Buffer): void {
    const extension = this.#extension ?? {};
    if (flag === 'g') {
      // some readers would apply it to every later entry
      if (Object.keys(parsePaxRecords(bytes)).length > 0)
        throw new TarError(
          rule(['a global header renames what follows', fr`un en-tête global renomme la suite`]),
        );
      if (Object.keys(extension).length === 0) this.#extension = undefined;
      return;
    }
    if (flag === 'x') Object.assign(extension, parsePaxRecords(bytes));
    else extension[flag === 'L' ? 'longPath' : 'longTarget'] = toName(bytes);
    if (extension.path !== undefined && extension.longPath !== undefined)
      throw new TarError(rule(['an entry has two names', fr`une entrée a deux noms`]), extension.path);
    if (extension.linkpath !== undefined && extension.longTarget !== undefined)
      throw new TarError(rule(['a link has two targets', fr`un lien a deux cibles`]), extension.linkpath);
  }
}

/** A GNU long name ends with a zero byte. */
function toName(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('latin1', 0, end < 0 ? bytes.length : end);
}

function toType(flag: string, path: string): TarMember['type'] | undefined {
  switch (flag) {
    case '0':
    case '\0':
    case '7':
      return path.endsWith('/') ? 'folder' : 'file';
    case '1':
      return 'hard-link';
    case '2':
      return 'link';
    case '3':
    case '4':
    case '6':
      return 'other';
    case '5':
      return 'folder';
    default:
      return undefined;
  }
}
