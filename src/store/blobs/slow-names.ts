/** Filesystems where a lookup by name reads the folder sequentially; the ledger decides presence. */
export const slowNames: ReadonlySet<string> = new Set(['vfat', 'exfat']);
