import { constants } from 'node:fs';

/** Replacement character, for bytes in a name that are not UTF-8. */
const replacement = '\ufffd';

function checkText(text: string): string | undefined {
  if (text.includes(replacement)) return 'is not UTF-8';
  if (text.includes('\\')) return 'has a backslash, which separates folders on some systems';
  if (/^[A-Za-z]:/.test(text)) return 'begins with a drive letter';
  return undefined;
}

/** Returns the rule that the name of an entry breaks. */
export function checkName(name: string): string | undefined {
  // OCI image specification, Image Layer Filesystem Changeset, Whiteouts
  if (name.startsWith('.wh.')) return 'a name that begins with .wh. marks a deletion in a layer';
  const rule = checkText(name);
  return rule === undefined ? undefined : `its name ${rule}`;
}

/**
 * Returns the rule that the target of a link breaks. `..` is allowed only at the beginning: after a name, which could be
 * another link, it could lead outside.
 *
 * @param depth number of folders between the root and the link
 */
export function checkTarget(target: string, depth: number): string | undefined {
  const rule = checkText(target);
  if (rule !== undefined) return `the target of the link ${rule}`;
  if (target.startsWith('/')) return `the target of the link is outside the folder: ${target}`;
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const down = parts.findIndex((part) => part !== '..');
  const ups = down < 0 ? parts.length : down;
  if (ups > depth) return `the target of the link is outside the folder: ${target}`;
  if (parts.indexOf('..', ups) >= 0) return `the target of the link has .. after a name: ${target}`;
  return undefined;
}

/** Returns the rule that the type and permissions of an entry break. @param mode as returned by `lstat` */
export function checkMode(mode: number): string | undefined {
  const type = mode & constants.S_IFMT;
  const special = specialTypes.get(type);
  if (special !== undefined) return `it is ${special}`;
  if (mode & 0o4000) return 'it is setuid';
  // on a folder, setgid only sets the group of new files, and is not kept
  if (mode & 0o2000 && type !== constants.S_IFDIR) return 'it is setgid';
  return undefined;
}

const specialTypes: ReadonlyMap<number, string> = new Map([
  [constants.S_IFIFO, 'a named pipe'],
  [constants.S_IFCHR, 'a character device'],
  [constants.S_IFBLK, 'a block device'],
  [constants.S_IFSOCK, 'a socket'],
]);
