import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';

/** A folder, or the nearest existing one above it, whose owner gets the files made below. */
function statNearest(path: string): Stats | undefined {
  for (let at = resolve(path); ; at = dirname(at)) {
    const folder = statSync(at, { throwIfNoEntry: false });
    if (folder !== undefined || at === dirname(at)) return folder;
  }
}

/**
 * As root, makes this process act as the owner of a store or state folder, or of the folder in which it is created. A file of
 * root in it would lock out the service, which runs as that owner. The real user, which audit records name, stays.
 *
 * @returns acts as root again when it is disposed of; a command that writes until it ends need not
 */
export function actAsOwner(path: string): Disposable {
  const asBefore: Disposable = { [Symbol.dispose]: () => {} };
  if (process.geteuid?.() !== 0) return asBefore;
  const folder = statNearest(path);
  if (folder === undefined || folder.uid === 0) return asBefore;
  const group = process.getegid?.() ?? 0;
  process.setegid?.(folder.gid);
  process.seteuid?.(folder.uid);
  return {
    [Symbol.dispose]: () => {
      process.seteuid?.(0);
      process.setegid?.(group);
    },
  };
}
