import { createHash } from 'node:crypto';
import { openPlain } from '../../disk/plain-file.ts';
import { toReadError } from '../../disk/read-error.ts';

const blockSize = 1 << 20;

/** SHA-256 of a file, in hexadecimal. @throws SVC-STO-001, SVC-STO-014 */
export async function hashPackFile(path: string): Promise<string> {
  try {
    await using file = await openPlain(path);
    const hash = createHash('sha256');
    const block = Buffer.allocUnsafe(blockSize);
    for (;;) {
      const { bytesRead } = await file.read(block, 0, blockSize);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(block.subarray(0, bytesRead));
    }
  } catch (error) {
    throw toReadError(error, path);
  }
}
