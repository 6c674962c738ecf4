import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fr, type Sentence } from '../../../src/text/language.ts';

/** Checks whether a folder can be used or created. @returns the reason why not, as a short phrase */
export async function checkFolder(path: string): Promise<Sentence | undefined> {
  let folder = resolve(path);
  for (;;) {
    try {
      if (!(await stat(folder)).isDirectory()) return notFolder(folder);
      await access(folder, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTDIR') return notFolder(dirname(folder));
      if (code !== 'ENOENT')
        return [
          `${folder} is not writable (${code})`,
          fr`${folder} n’est pas accessible en écriture (${String(code)})`,
        ];
      folder = dirname(folder);
    }
  }
}

const notFolder = (path: string): Sentence => [`${path} is not a folder`, fr`${path} n’est pas un dossier`];
