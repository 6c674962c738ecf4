/** Names at the top of a folder of packages that only the making of its index uses. */
export const indexWork = {
  /** Lock file: its holder makes and packs the index. */
  lock: '.svc-index.lock',
  /** Begins the name of the folder in which an index is made. */
  folder: '.svc-index-',
} as const;

/** Whether a name is that of a folder in which an index is made; an interrupted command leaves it behind. */
export function isIndexFolder(name: string): boolean {
  return name.startsWith(indexWork.folder) && /^[A-Za-z0-9]{6}$/.test(name.slice(indexWork.folder.length));
}

/** Whether a name at the top of a folder belongs to the making of its index. It is no content: it is never packed. */
export function isIndexWork(name: string): boolean {
  return name === indexWork.lock || name === `${indexWork.lock}.holder` || isIndexFolder(name);
}
