/** Error codes of a temporary lack of resources of the process or the machine. */
const shortages: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EAGAIN']);

/** Error codes of a device or server that does not respond and may come back. */
const absences: ReadonlySet<string> = new Set(['EIO', 'ENODEV', 'ENOTCONN', 'ENXIO', 'ESTALE', 'ETIMEDOUT']);

/**
 * Returns whether a system code (errno(3)) means that descriptors, memory or another resource ran out. The same call
 * can succeed a moment later: the file is not at fault.
 */
export function isShortage(code: string | undefined): boolean {
  return code !== undefined && shortages.has(code);
}

/** Returns whether a system code is transient for a file that was read: a shortage, or an unavailable device. */
export function isTransientCode(code: string | undefined): boolean {
  return isShortage(code) || (code !== undefined && absences.has(code));
}
