import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tarEnd, tarPadding, toTarHeader } from '../../../../src/disk/tar/header.ts';
import type { Files } from './mutation.ts';

export function toMember(path: string, bytes: Buffer): Buffer {
  return Buffer.concat([
    toTarHeader({ path, type: 'file', size: bytes.length }),
    bytes,
    Buffer.alloc(tarPadding(bytes.length)),
  ]);
}

export function toTar(files: Files, ...more: readonly Buffer[]): Buffer {
  return Buffer.concat([...[...files].map(([path, bytes]) => toMember(path, bytes)), ...more, tarEnd]);
}

export async function toFolder(files: Files, root: string): Promise<void> {
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes);
  }
}

/** A header block with fields set by hand, its sum made right again. */
export function forge(change: (block: Buffer) => void, path = 'oci-layout', size = 30): Buffer {
  const block = toTarHeader({ path, type: 'file', size });
  change(block);
  block.write('        ', 148);
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** An extended header with these records before a member. */
export function extended(flag: 'x' | 'g' | 'L', data: Buffer | string): Buffer {
  const bytes = Buffer.from(data as string);
  const block = forge((header) => header.write(flag, 156), 'PaxHeader', bytes.length);
  return Buffer.concat([block, bytes, Buffer.alloc(tarPadding(bytes.length))]);
}

export function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length += 1;
  return `${length}${rest}`;
}
