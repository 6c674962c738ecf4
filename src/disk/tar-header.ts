/** What one entry of a tar archive says of itself. Owner, times and names of people are never said. */
export interface TarEntry {
  /** With `/`; a folder's ends with one. */
  readonly path: string;
  readonly type: 'file' | 'folder' | 'link';
  /** Bytes that follow the header, padded to whole blocks; 0 but for a file. */
  readonly size?: number;
  /** Permission bits. Default 0o644, for a folder 0o755, for a link 0o777. */
  readonly mode?: number;
  /** Where a link points. */
  readonly target?: string;
}

export const tarBlockBytes = 512;

/** What ends an archive: two empty blocks. */
export const tarEnd: Buffer = Buffer.alloc(2 * tarBlockBytes);

const typeFlags = { file: '0', link: '2', folder: '5' } as const;
const defaultModes = { file: 0o644, link: 0o777, folder: 0o755 } as const;
const nameBytes = 100;
const prefixBytes = 155;
/** The largest number of 11 octal digits. */
const maxSize = 0o77777777777;

/** Bytes of zeros that follow this many bytes of content. */
export function tarPadding(size: number): number {
  return (tarBlockBytes - (size % tarBlockBytes)) % tarBlockBytes;
}

/**
 * The header of an entry (POSIX.1-2001 pax, "ustar Interchange Format"): one block, and before it an extended header
 * when a name is longer than the block holds or not ASCII, or the size has more than 11 octal digits. The same entry is
 * always the same bytes: time 0, owner 0.
 */
export function toTarHeader(entry: TarEntry): Buffer {
  const { type, size = 0, mode = defaultModes[type], target = '' } = entry;
  const place = splitPath(entry.path);
  const isLong = target.length > nameBytes;
  const records: [string, string][] = [];
  if (place === undefined || !isAscii(entry.path)) records.push(['path', entry.path]);
  if (isLong || !isAscii(target)) records.push(['linkpath', target]);
  if (size > maxSize) records.push(['size', String(size)]);
  const [prefix, name] = place ?? ['', entry.path];
  const block = toBlock({
    prefix,
    name,
    flag: typeFlags[type],
    mode,
    size: size > maxSize ? 0 : size,
    target,
  });
  if (records.length === 0) return block;
  const data = Buffer.from(records.map(([key, value]) => toRecord(key, value)).join(''));
  const extended = { prefix: '', name: 'PaxHeader', flag: 'x', mode: 0o644, size: data.length, target: '' };
  return Buffer.concat([toBlock(extended), data, Buffer.alloc(tarPadding(data.length)), block]);
}

/** Prefix and name for the two fields of the block; undefined when the path fits in no way. */
function splitPath(path: string): readonly [prefix: string, name: string] | undefined {
  if (path.length <= nameBytes) return ['', path];
  // the name must not be empty: the slash that ends a folder's does not part it
  const at = path.indexOf('/', path.length - nameBytes - 1);
  return at > 0 && at <= prefixBytes && at < path.length - 1
    ? [path.slice(0, at), path.slice(at + 1)]
    : undefined;
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

/** `<length> <key>=<value>\n`, where the length counts its own digits. */
function toRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length += 1;
  return `${length} ${key}=${value}\n`;
}

function toBlock(fields: {
  readonly prefix: string;
  readonly name: string;
  readonly flag: string;
  readonly mode: number;
  readonly size: number;
  readonly target: string;
}): Buffer {
  const { prefix, name, flag, mode, size, target } = fields;
  const block = Buffer.alloc(tarBlockBytes);
  block.write(name, 0, nameBytes);
  writeOctal(block, 100, 8, mode & 0o7777);
  writeOctal(block, 108, 8, 0);
  writeOctal(block, 116, 8, 0);
  writeOctal(block, 124, 12, size);
  writeOctal(block, 136, 12, 0);
  block.write('        ', 148);
  block.write(flag, 156);
  block.write(target, 157, nameBytes);
  block.write('ustar\x0000', 257);
  writeOctal(block, 329, 8, 0);
  writeOctal(block, 337, 8, 0);
  block.write(prefix, 345, prefixBytes);
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function writeOctal(block: Buffer, at: number, width: number, value: number): void {
  block.write(value.toString(8).padStart(width - 1, '0'), at);
}
