import { uploadLimits } from './registry/upload-sessions.ts';

interface DescriptorPlan {
  /** Maximum number of open connections. Undefined: no limit. */
  readonly connections: number | undefined;
  /** Maximum number of open uploads. */
  readonly uploads: number;
}

/**
 * Descriptors reserved for the instance itself: store, ledgers, queue, log, threads, outgoing connections and
 * their files.
 */
const own = 128;
/**
 * Descriptors of one connection (socket and served file) and of one upload (file, and a second descriptor
 * with direct I/O).
 */
const each = 2;

/**
 * Divides the file descriptors of the process between connections and uploads, so that connections cannot use
 * them up.
 *
 * @param openFiles the soft limit of the process (getrlimit(2), RLIMIT_NOFILE); undefined when there is no
 *   limit
 */
export function planDescriptors(openFiles: number | undefined): DescriptorPlan {
  if (openFiles === undefined) return { connections: undefined, uploads: uploadLimits.sessions };
  const left = Math.max(0, openFiles - own);
  const uploads = Math.max(4, Math.min(uploadLimits.sessions, Math.floor(left / 4 / each)));
  return { connections: Math.max(16, Math.floor(left / each) - uploads), uploads };
}
