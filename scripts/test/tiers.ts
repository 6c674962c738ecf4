/**
 * Folders of long tests. Such a test opens a browser, needs a program that no system has by itself, plays a long scene,
 * kills processes or builds a release. The tests of all other folders are short.
 */
export const longFolders = [
  'test/browser',
  'test/compare',
  'test/e2e',
  'test/fault',
  'test/hostile',
  'test/interop',
  'test/release',
] as const;

/** Whether a test is long, by the folder in which it stands. @param file a path in the project */
export const isLong = (file: string): boolean => longFolders.some((folder) => file.startsWith(`${folder}/`));
