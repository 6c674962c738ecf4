/** Joins a path below a folder. @returns undefined when it leads out of the tree, or is none */
export function joinBelow(folder: string, path: string): string | undefined {
  const names = path.split('/').filter((name) => name !== '.');
  if (path === '' || names.some((name) => name === '' || name === '..')) return undefined;
  return [folder, ...names].filter(Boolean).join('/');
}
