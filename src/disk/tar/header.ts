/** One entry of a tar archive. Owners and times are always 0. */
export interface TarEntry {
  /** With `/`; the path of a folder ends with one. */
  readonly path: string;
  readonly type: 'file' | 'folder' | 'link';
  /** Bytes that follow the header, padded to whole blocks; 0 for all but files. */
  readonly size?: number;
  /** Permission bits. Default 0o644, for a folder 0o755, for a link 0o777. */
  readonly mode?: number;
  /** Target of a link. */
  readonly target?: string;
}

export const tarBlockBytes = 512;

/** End of an archive: two empty blocks. */
export const tarEnd: Buffer = Buffer.alloc(2 * tarBlockBytes);

const typeFlags = { file: '0', link: '2', folder: '5' } as const;
const defaultModes = { file: 0o644, link: 0o777, folder: 0o755 } as const;
const nameBytes = 100;
const prefixBytes = 155;
/** The largest number of 11 octal digits. */
const maxSize = 0o77777777777;

/** Returns the number of zero bytes that follow `size` bytes of content. */
export function tarPadding(size: number): number {
  return (tarBlockBytes - (size % tarBlockBytes)) % tarBlockBytes;
}

/**
 * Returns the header of an entry (POSIX.1-2001 pax, "ustar Interchange Format"). It is one block. An extended header
 * precedes it when a name is not ASCII or longer than its field, or the size has more than 11 octal digits. The same
 * entry always gives the same bytes: time 0, owner 0.
 */
export function toTarHeader(entry: TarEntry): Buffer {
  const records = toRecords(entry);
  const data = Buffer.from(records);
  const extension = records === '' ? 0 : tarBlockBytes + data.length + tarPadding(data.length);
  const header = Buffer.alloc(extension + tarBlockBytes);
  if (records !== '') {
    const extended = { prefix: '', name: 'PaxHeader', flag: 'x', mode: 0o644, size: data.length, target: '' };
    putBlock(header, 0, extended);
    data.copy(header, tarBlockBytes);
  }
  putEntry(header, extension, entry);
  return header;
}

/**
 * Writes the header of an entry into a buffer with room for one block.
 *
 * @returns false, with nothing written, when the header needs more than one block
 */
export function putTarHeader(entry: TarEntry, into: Buffer, at: number): boolean {
  if (toRecords(entry) !== '') return false;
  putEntry(into, at, entry);
  return true;
}

/** Returns the size of the header of an entry in bytes. */
export function measureTarHeader(entry: TarEntry): number {
  const extended = Buffer.byteLength(toRecords(entry));
  return extended === 0 ? tarBlockBytes : 2 * tarBlockBytes + extended + tarPadding(extended);
}

/** Returns the pax records for values that the block cannot hold. */
function toRecords({ path, size = 0, target = '' }: TarEntry): string {
  let records = '';
  if (splitPath(path) === undefined || !isAscii(path)) records += toRecord('path', path);
  if (target.length > nameBytes || !isAscii(target)) records += toRecord('linkpath', target);
  if (size > maxSize) records += toRecord('size', String(size));
  return records;
}

/** Splits a path into the prefix and name fields of the block; undefined when the path does not fit. */
function splitPath(path: string): readonly [prefix: string, name: string] | undefined {
  if (path.length <= nameBytes) return ['', path];
  // the name must not be empty: the slash at the end of a folder's path is no separator
  const at = path.indexOf('/', path.length - nameBytes - 1);
  return at > 0 && at <= prefixBytes && at < path.length - 1
    ? [path.slice(0, at), path.slice(at + 1)]
    : undefined;
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

/** Formats `<length> <key>=<value>\n`, where the length includes its own digits. */
function toRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length += 1;
  return `${length} ${key}=${value}\n`;
}

interface BlockFields {
  readonly prefix: string;
  readonly name: string;
  readonly flag: string;
  readonly mode: number;
  readonly size: number;
  readonly target: string;
}

/** A block in which all variable fields are empty; its checksum is that of blanks. */
const blank = Buffer.alloc(tarBlockBytes);
for (const at of [108, 116, 329, 337]) blank.write('0000000', at);
blank.write('00000000000', 136);
blank.write('        ', 148);
blank.write('ustar\x0000', 257);
const blankSum = sumOf(blank, 0, tarBlockBytes);

function putEntry(into: Buffer, at: number, entry: TarEntry): void {
  const { type, path, size = 0, mode = defaultModes[type], target = '' } = entry;
  const [prefix, name] = splitPath(path) ?? ['', path];
  putBlock(into, at, { prefix, name, flag: typeFlags[type], mode, size: size > maxSize ? 0 : size, target });
}

function putBlock(into: Buffer, at: number, { prefix, name, flag, mode, size, target }: BlockFields): void {
  into.set(blank, at);
  let sum = blankSum;
  sum += putText(into, at, name, nameBytes);
  sum += putOctal(into, at + 100, mode & 0o7777, 7);
  sum += putOctal(into, at + 124, size, 11);
  sum += putText(into, at + 156, flag, 1);
  if (target !== '') sum += putText(into, at + 157, target, nameBytes);
  if (prefix !== '') sum += putText(into, at + 345, prefix, prefixBytes);
  putOctal(into, at + 148, sum, 6);
  into[at + 154] = 0;
}

/** Writes as much of a text as fits, in whole characters. @returns the sum of the written bytes */
function putText(into: Buffer, at: number, text: string, width: number): number {
  const length = Math.min(text.length, width);
  let sum = 0;
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return sumOf(into, at, at + into.write(text, at, width));
    into[at + i] = code;
    sum += code;
  }
  return sum;
}

/** Writes a number in octal digits with leading zeros. @returns the sum of the written bytes */
function putOctal(into: Buffer, at: number, value: number, digits: number): number {
  let sum = 0;
  for (let i = digits - 1, rest = value; i >= 0; i -= 1, rest = Math.floor(rest / 8)) {
    const code = 0x30 + (rest % 8);
    into[at + i] = code;
    sum += code;
  }
  return sum;
}

function sumOf(block: Buffer, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += block[at]!;
  return sum;
}
