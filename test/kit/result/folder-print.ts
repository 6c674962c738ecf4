import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

const separator = Buffer.from('/');

/**
 * Everything that can be seen of a folder, a line for each name of any form. Two prints are equal when nothing was
 * written, made, renamed or removed in between. Small files are read, so that clocks do not decide; those with a second
 * name are not, since that may be one of somewhere else.
 *
 * @param isLeftOut relative paths that are neither looked at nor entered
 */
export function folderPrint(root: string, isLeftOut: (path: string) => boolean = () => false): string[] {
  const lines: string[] = [];
  const walk = (folder: Buffer, prefix: string): void => {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      const path = Buffer.concat([folder, separator, name]);
      const shown = `${prefix}${name.toString('latin1')}`;
      if (isLeftOut(shown)) continue;
      const info = lstatSync(path, { bigint: true });
      const { mode, size, ino, nlink, ctimeNs } = info;
      // the folder above a left-out path may change with it
      const own = info.isDirectory() ? [mode, ino] : [mode, ino, nlink, size, ctimeNs];
      const content = info.isSymbolicLink()
        ? readlinkSync(path)
        : info.isFile() && nlink === 1n && size < 1 << 20
          ? createHash('sha256').update(readFileSync(path)).digest('hex')
          : '';
      lines.push(`${shown} ${own.join(' ')} ${content}`);
      if (info.isDirectory()) walk(path, `${shown}/`);
    }
  };
  walk(Buffer.from(root), '');
  return lines.sort();
}
