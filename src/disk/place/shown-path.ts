import { readlinkSync } from 'node:fs';

const through = /^\/proc\/self\/fd\/(\d+)(?=\/|$)/;

/**
 * The path of a file for messages: one that goes through an open folder (`GuardedFolder.pathOf`) has the number of a descriptor,
 * which says nothing to people. A folder that is closed keeps that path.
 */
export function toShownPath(path: string): string {
  const [, fd] = through.exec(path) ?? [];
  if (fd === undefined) return path;
  try {
    const folder = readlinkSync(`/proc/self/fd/${fd}`);
    const rest = path.replace(through, '').replace(/\/\.?$/, '');
    return folder.startsWith('/') ? `${folder}${rest}` : path;
  } catch {
    return path;
  }
}
