import { basename, dirname } from 'node:path';
import { type GuardedFolder, openGuardedFolder } from '../guarded-folder.ts';

/**
 * Folders below an untrusted root, each reached through no link, opened once and held. Everything that is made, renamed or
 * removed through them is in exactly these folders, even if their names point elsewhere meanwhile.
 */
export interface HeldTree extends AsyncDisposable {
  /** Real path of the root, for messages. */
  readonly root: string;
  /** The folder at a path relative to the root, with `/`; '' is the root. It is made, durably, where it is missing. */
  folder(path: string): Promise<GuardedFolder>;
  /**
   * A path to a name that goes through its open folder, which is made where it is missing.
   *
   * @param path relative to the root, with `/`
   * @throws as `openGuardedFolder` with `create`
   */
  pathOf(path: string): Promise<string>;
  /** Removes a file, or a folder with all it has. A name that is absent is none. @throws the operating system's error */
  remove(path: string): Promise<void>;
  /** @throws SVC-STO-001 when a folder that is held is no longer where its name says */
  requireInPlace(): Promise<void>;
}

/** @param root real path of a folder, which exists @throws SVC-STO-001 */
export async function openHeldTree(root: string): Promise<HeldTree> {
  const held = new Map<string, Promise<GuardedFolder>>();
  const folder = (path: string): Promise<GuardedFolder> => {
    const known = held.get(path);
    if (known !== undefined) return known;
    const above = dirname(path);
    const parent = path === '' ? undefined : folder(above === '.' ? '' : above);
    const opened = (async () => {
      if (parent === undefined) return openGuardedFolder(root, '');
      return (await parent).folder(basename(path));
    })();
    held.set(path, opened);
    // the next call tries again
    opened.catch(() => held.delete(path));
    return opened;
  };
  const pathOf = async (path: string): Promise<string> => {
    const above = dirname(path);
    return (await folder(above === '.' ? '' : above)).pathOf(basename(path));
  };
  const closeAll = async (paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      const opened = held.get(path);
      held.delete(path);
      await opened?.then(
        (one) => one.close(),
        () => {},
      );
    }
  };
  await folder('');
  return {
    root,
    folder,
    pathOf,
    async remove(path) {
      const below = [...held.keys()].filter((one) => one === path || one.startsWith(`${path}/`));
      await closeAll(below);
      const above = dirname(path);
      await (await folder(above === '.' ? '' : above)).remove(basename(path));
    },
    async requireInPlace() {
      for (const opened of held.values()) (await opened).requireInPlace();
    },
    [Symbol.asyncDispose]: () => closeAll([...held.keys()]),
  };
}
