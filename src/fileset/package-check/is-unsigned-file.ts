import { open } from 'node:fs/promises';
import { isUnsignedRpm, rpmHeadBytes } from './rpm-signature.ts';

/** Reads the beginning of a package. @returns as `isUnsignedRpm` @throws the errors of the disk */
export async function isUnsignedFile(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(rpmHeadBytes), 0, rpmHeadBytes, 0);
    return isUnsignedRpm(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
