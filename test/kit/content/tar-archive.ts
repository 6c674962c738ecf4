import { toTarHeader } from '../../../src/disk/tar/header.ts';

/** One member of an archive made by hand, which may have values that no tool would write. Names are one character a byte. */
export interface RawMember {
  readonly path: string;
  /** The type flag; a file unless told. */
  readonly flag?: string;
  readonly content?: Buffer | string;
  readonly target?: string;
  /** The size in the header, instead of the size of the content that follows. */
  readonly size?: number | string;
  /** Changes the header before its checksum is made. */
  readonly edit?: (block: Buffer) => void;
  /** Changes the header after that. */
  readonly spoil?: (block: Buffer) => void;
}

const end = Buffer.alloc(1024);

function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

/** The blocks of one member. */
export function toRawMember(member: RawMember): Buffer {
  const { path, flag = '0', target = '', edit, spoil } = member;
  const content = Buffer.from(member.content ?? '');
  const size = member.size ?? content.length;
  const block = Buffer.alloc(512);
  block.write(path, 0, 100, 'latin1');
  block.write('0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(typeof size === 'string' ? size : size.toString(8).padStart(11, '0'), 124, 12, 'latin1');
  block.write('00000000000\0', 136);
  block.write(flag, 156, 1, 'latin1');
  block.write(target, 157, 100, 'latin1');
  block.write('ustar\x0000', 257);
  edit?.(block);
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  spoil?.(block);
  return Buffer.concat([block, pad(content)]);
}

/** An archive of such members, with its end. */
export function toRawArchive(members: readonly (RawMember | Buffer)[], tail: Buffer = end): Buffer {
  return Buffer.concat([
    ...members.map((member) => (Buffer.isBuffer(member) ? member : toRawMember(member))),
    tail,
  ]);
}

/** An extended header with these records. */
export function toPax(records: Readonly<Record<string, string>>, flag = 'x'): Buffer {
  const content = Object.entries(records)
    .map(([key, value]) => {
      const rest = Buffer.byteLength(` ${key}=${value}\n`, 'latin1');
      let length = rest + String(rest).length;
      if (String(length).length > String(rest).length) length = rest + String(length).length;
      return `${length} ${key}=${value}\n`;
    })
    .join('');
  return toRawMember({ path: 'PaxHeader', flag, content: Buffer.from(content, 'latin1') });
}

/** A GNU long name (`L`) or long link target (`K`). */
export function toLongName(name: string, flag = 'L'): Buffer {
  return toRawMember({ path: '././@LongLink', flag, content: Buffer.from(`${name}\0`, 'latin1') });
}

/** An archive as a tool makes it: paths with their content; a path that ends with `/` is a folder, an array is a link. */
export function toArchive(
  files: Readonly<Record<string, string | Buffer | readonly [target: string]>>,
): Buffer {
  const parts = Object.entries(files).flatMap(([path, value]) => {
    if (path.endsWith('/')) return [toTarHeader({ path, type: 'folder' })];
    if (Array.isArray(value)) return [toTarHeader({ path, type: 'link', target: value[0] })];
    const content = Buffer.from(value as string);
    return [toTarHeader({ path, type: 'file', size: content.length }), pad(content)];
  });
  return Buffer.concat([...parts, end]);
}
