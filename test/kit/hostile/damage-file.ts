import { open } from 'node:fs/promises';

/** Inverts one byte of a file, in place: its size and name stay. */
export async function damageFile(path: string, offset: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const byte = Buffer.alloc(1);
    const { bytesRead } = await file.read(byte, 0, 1, offset);
    if (bytesRead !== 1) throw new Error(`${path} has no byte at ${offset}`);
    byte[0]! ^= 0xff;
    await file.write(byte, 0, 1, offset);
  } finally {
    await file.close();
  }
}
