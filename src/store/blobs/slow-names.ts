/** Filesystems where a lookup by name reads the folder sequentially; presence is taken from the ledger. */
export const slowNames: ReadonlySet<string> = new Set(['vfat', 'exfat']);
