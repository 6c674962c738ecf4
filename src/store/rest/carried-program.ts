/** Folder of a medium with the release of svc that it brings, relative to the root. */
export const programFolder = 'program';

/** Whether a path of a medium, relative to the root, is that of a file or folder of the carried release. */
export const isProgramPath = (path: string): boolean =>
  path === programFolder || path.startsWith(`${programFolder}/`);

/** Lists {@link programFolder} and each folder below it that has one of these files. */
export function listProgramFolders(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    if (!isProgramPath(path)) continue;
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      folders.add(path.slice(0, end));
  }
  return folders;
}
