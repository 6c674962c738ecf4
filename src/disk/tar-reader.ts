import { parseTarBlock, type TarBlock } from './tar-block.ts';
import { TarError } from './tar-error.ts';
import { type PaxRecords, parsePaxRecords } from './tar-pax.ts';

const blockBytes = 512;

/** One member of an archive. Names are one character a byte (latin1), as they stand in it: nothing is cleaned. */
export interface TarMember {
  readonly path: string;
  /** `other`: a device or a pipe. */
  readonly type: 'file' | 'folder' | 'link' | 'hard-link' | 'other';
  /** Bytes of content; 0 but for a file. */
  readonly size: number;
  /** Where its content begins, in bytes from the begin of the archive. */
  readonly offset: number;
  /** Where a link leads. */
  readonly target: string;
}

export interface TarVisitor {
  /** A member begins. */
  begin(member: TarMember): void;
  /** Content of the file that has begun; the buffer is the caller's own and may be used again. */
  content(chunk: Buffer): void;
  /** The member is complete. */
  end(member: TarMember): void;
}

export interface TarLimits {
  /** Headers, extended ones included. */
  readonly headers: number;
  /** Bytes of one extended header or long name. */
  readonly extensionBytes: number;
}

/** Names that a member gets from the extended headers before it. */
interface Extension extends PaxRecords {
  longPath?: string;
  longTarget?: string;
}

/**
 * Reads a tar archive (ustar, pax, GNU long names) as its bytes pass by: nothing is kept but one header. What one reader
 * would take for this and another for that is refused, not guessed: sparse files, links with content, unknown types.
 * What follows the end of the archive is not looked at.
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
  /** Empty blocks in a row; two are the end. */
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

  /** Headers seen so far. */
  get headers(): number {
    return this.#headers;
  }

  /** Takes the next bytes; all of them are used when it returns. */
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

  /** The bytes have ended. @throws TarError when the archive has not */
  end(): void {
    if (this.#empty >= 2) return;
    const isWhole = this.#filled === 0 && this.#contentLeft === 0 && this.#paddingLeft === 0;
    if (!isWhole || this.#extension !== undefined) throw new TarError('the archive is cut off');
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

  /** @param offset of what follows the block */
  #open(bytes: Buffer, offset: number): void {
    const block = parseTarBlock(bytes);
    if (block === undefined) {
      this.#empty += 1;
      if (this.#extension !== undefined) throw new TarError('an extended header belongs to no entry');
      return;
    }
    if (this.#empty > 0) throw new TarError('an empty block stands among the entries');
    this.#headers += 1;
    if (this.#headers > this.#limits.headers) throw new TarError(`more than ${this.#limits.headers} entries`);
    if ('xgLK'.includes(block.flag)) this.#openExtension(block);
    else this.#openMember(block, offset);
  }

  #openExtension({ flag, size }: TarBlock): void {
    const { extensionBytes } = this.#limits;
    if (size > extensionBytes)
      throw new TarError(`an extended header is larger than ${extensionBytes} bytes`);
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
    if (type === undefined) throw new TarError(`an entry of type ${JSON.stringify(block.flag)}`, path);
    if (type !== 'file' && size > 0) throw new TarError('only a file has content', path);
    if (!Number.isSafeInteger(offset + size + blockBytes)) throw new TarError('the size is too large', path);
    this.#member = { path, type, size, offset, target };
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
      // it would hold for every entry that follows, in the eyes of some readers
      if (Object.keys(parsePaxRecords(bytes)).length > 0)
        throw new TarError('a global header renames what follows');
      if (Object.keys(extension).length === 0) this.#extension = undefined;
      return;
    }
    if (flag === 'x') Object.assign(extension, parsePaxRecords(bytes));
    else extension[flag === 'L' ? 'longPath' : 'longTarget'] = toName(bytes);
    if (extension.path !== undefined && extension.longPath !== undefined)
      throw new TarError('an entry has two names', extension.path);
    if (extension.linkpath !== undefined && extension.longTarget !== undefined)
      throw new TarError('a link has two targets', extension.linkpath);
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
