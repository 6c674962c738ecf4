import type { ReadAt } from './read-at.ts';

const magic = '!<arch>\n';
const headerBytes = 60;
/** More members than any package has. */
const mostMembers = 64;

/** Whether the members of a Debian package end at the end of the file, and include the three required ones (deb(5)). */
export async function isWholeDeb(read: ReadAt, size: number): Promise<boolean> {
  if ((await read(0, magic.length)).toString('latin1') !== magic) return false;
  const names: string[] = [];
  let at = magic.length;
  while (at < size) {
    const header = (await read(at, headerBytes)).toString('latin1');
    const length = header.slice(48, 58).trimEnd();
    if (names.length === mostMembers || header.slice(58) !== '`\n' || !/^[0-9]{1,10}$/.test(length))
      return false;
    names.push(header.slice(0, 16).trimEnd().replace(/\/$/, ''));
    const end = at + headerBytes + Number(length);
    // dpkg reads a last member without the byte that fills it up to an even length
    at = end === size ? end : end + (end % 2);
  }
  const has = (prefix: string): boolean => names.some((name) => name.startsWith(prefix));
  return at === size && names[0] === 'debian-binary' && has('control.tar') && has('data.tar');
}
