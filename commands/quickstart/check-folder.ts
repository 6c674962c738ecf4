import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Checks whether a folder can be used or created. @returns the reason why not, as a short phrase */
export async function checkFolder(path: string): Promise<string | undefined> {
  let folder = resolve(path);
  for (;;) {
    try {
      if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`;
      await access(folder, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTDIR') return `${dirname(folder)} is not a folder`;
      if (code !== 'ENOENT') return `${folder} is not writable (${code})`;
      folder = dirname(folder);
    }
  }
}
