import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { TarError } from './error.ts';

/** Content of one header block. Names have one character per byte. */
export interface TarBlock {
  readonly path: string;
  /** The type flag, one character. */
  readonly flag: string;
  /** Bytes of content that follow. */
  readonly size: number;
  readonly target: string;
  /** Whether the mode has the type of a folder, which some readers believe and others do not. */
  readonly hasFolderMode: boolean;
}

const checksumAt = 148;
const checksumEnd = 156;

/**
 * Reads a header block: POSIX.1-2001 ("ustar Interchange Format"), GNU, and the format of Version 7 Unix.
 *
 * @param block 512 bytes
 * @returns undefined when the block is empty
 * @throws TarError
 */
export function parseTarBlock(block: Buffer): TarBlock | undefined {
  const { unsigned, signed } = sum(block);
  if (unsigned === emptySum && isEmpty(block)) return undefined;
  const expected = readOctal(block, checksumAt, checksumEnd);
  if (expected !== unsigned && expected !== signed)
    throw new TarError(
      rule(['a header does not match its checksum', fr`un en-tête ne correspond pas à sa somme de contrôle`]),
    );
  const name = readName(block, 0, 100);
  // only POSIX has a prefix: other formats store times there
  const isPosix = block.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isPosix ? readName(block, 345, 500) : '';
  if (block.toString('latin1', 257, 265) === 'ustar  \0' && !(isTime(block, 345) && isTime(block, 357)))
    throw new TarError(
      rule([
        'a GNU header with a prefix, which readers of Go take for a part of the name',
        fr`un en-tête GNU avec un préfixe, que les lecteurs de Go prennent pour une partie du nom`,
      ]),
      name,
    );
  // the tar of that name has times behind a shorter prefix
  if (prefix.length > 131 && block.toString('latin1', 508, 512) === 'tar\0')
    throw new TarError(rule(['a header in the format of star', fr`un en-tête au format de star`]), prefix);
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    flag: String.fromCharCode(block[156]!),
    size: readSize(block, 124, 136),
    target: readName(block, 157, 257),
    hasFolderMode: hasFolderMode(block),
  };
}

/** Whether a field of twelve bytes is a time as GNU has it: nothing, octal digits, or a binary number. */
function isTime(block: Buffer, at: number): boolean {
  const first = block[at]!;
  if (first === 0 || first >= 0x80) return true;
  return /^[\0 ]*[0-7]*[\0 ]*$/.test(block.toString('latin1', at, at + 12));
}

const zero = 0x30;

/** Reads the type in the mode of an entry; a mode that cannot be read counts as that of a folder. */
function hasFolderMode(block: Buffer): boolean {
  // as most archives have it: permissions only, which need no number
  if (block[100] === zero && block[101] === zero && block[102] === zero && block[107]! <= 0x20) return false;
  const mode = readOctal(block, 100, 108);
  return mode === undefined || (mode & 0o170000) === 0o040000;
}

const emptySum = 32 * (checksumEnd - checksumAt);

/** Returns both checksums in use, over signed and unsigned bytes, with blanks in place of the checksum itself. */
function sum(block: Buffer): { readonly unsigned: number; readonly signed: number } {
  let unsigned = emptySum;
  let high = 0;
  for (let i = 0; i < 512; i += 1) {
    if (i === checksumAt) i = checksumEnd;
    const byte = block[i]!;
    unsigned += byte;
    if (byte > 127) high += 1;
  }
  return { unsigned, signed: unsigned - 256 * high };
}

function isEmpty(block: Buffer): boolean {
  for (let i = checksumAt; i < checksumEnd; i += 1) if (block[i] !== 0) return false;
  return true;
}

function readName(block: Buffer, from: number, to: number): string {
  let end = from;
  while (end < to && block[end] !== 0) end += 1;
  return block.toString('latin1', from, end);
}

function readOctal(block: Buffer, from: number, to: number): number | undefined {
  const text = block
    .toString('latin1', from, to)
    .replace(/^[ \0]+/, '')
    .replace(/[ \0].*$/s, '');
  return /^[0-7]*$/.test(text) ? Number.parseInt(text || '0', 8) : undefined;
}

/** Reads octal digits, or, with the highest bit set, a binary number (GNU). */
function readSize(block: Buffer, from: number, to: number): number {
  const first = block[from]!;
  let size: number | undefined;
  if (first < 0x80) size = readOctal(block, from, to);
  else if (first === 0x80) {
    size = 0;
    for (let i = from + 1; i < to; i += 1) size = size * 256 + block[i]!;
  }
  if (size === undefined || !Number.isSafeInteger(size))
    throw new TarError(rule(['a header has no usable size', fr`un en-tête n’a pas de taille utilisable`]));
  return size;
}
