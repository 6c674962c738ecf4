import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { TarError } from './error.ts';

/** Records of an extended header that this reader uses. */
export interface PaxRecords {
  path?: string;
  linkpath?: string;
  /** Bytes. */
  size?: number;
}

const space = 0x20;
const newline = 0x0a;

/**
 * Reads the records of an extended header (POSIX.1-2001 pax): `<length> <key>=<value>\n`, where the decimal length
 * includes the whole record. Of a repeated key the last value counts; an empty value deletes the key.
 *
 * @throws TarError
 */
export function parsePaxRecords(bytes: Buffer): PaxRecords {
  const records: PaxRecords = {};
  for (let at = 0; at < bytes.length; ) {
    const end = at + readLength(bytes, at);
    const start = bytes.indexOf(space, at) + 1;
    const equals = bytes.indexOf('=', start);
    if (end > bytes.length || start >= end || equals < 0 || equals >= end || bytes[end - 1] !== newline)
      throw new TarError(rule(['an extended header is malformed', fr`un en-tête étendu est mal formé`]));
    const key = bytes.toString('latin1', start, equals);
    take(records, key, bytes.toString('latin1', equals + 1, end - 1));
    at = end;
  }
  return records;
}

function readLength(bytes: Buffer, at: number): number {
  const text = /^([1-9][0-9]{0,6}) /.exec(bytes.toString('latin1', at, at + 8))?.[1];
  if (text === undefined)
    throw new TarError(rule(['an extended header is malformed', fr`un en-tête étendu est mal formé`]));
  return Number(text);
}

function take(records: PaxRecords, key: string, value: string): void {
  if (key.startsWith('GNU.sparse.')) throw new TarError(rule(['a sparse file', fr`un fichier creux`]));
  if (key !== 'path' && key !== 'linkpath' && key !== 'size') return;
  if (value === '') {
    delete records[key];
    return;
  }
  if (key !== 'size') {
    if (value.includes('\0'))
      throw new TarError(rule(['a name with a zero byte', fr`un nom avec un octet nul`]), value);
    records[key] = value;
    return;
  }
  const size = Number(value);
  if (!/^[0-9]{1,16}$/.test(value) || !Number.isSafeInteger(size))
    throw new TarError(
      rule(['an extended header has no usable size', fr`un en-tête étendu n’a pas de taille utilisable`]),
    );
  records.size = size;
}
