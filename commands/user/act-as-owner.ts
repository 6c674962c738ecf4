import { statSync } from 'node:fs';
import process from 'node:process';

/**
 * As root, makes this process act as the owner of a state folder that exists. A file of root in it would lock out
 * everybody: the service runs as that owner and could not read it. The real user, which audit records name, stays.
 */
export function actAsOwner(stateRoot: string): void {
  if (process.geteuid?.() !== 0) return;
  const folder = statSync(stateRoot, { throwIfNoEntry: false });
  if (folder === undefined || folder.uid === 0) return;
  process.setegid?.(folder.gid);
  process.seteuid?.(folder.uid);
}
