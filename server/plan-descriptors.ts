import { uploadLimits } from './registry/upload-sessions.ts';

interface DescriptorPlan {
  /** Connections held at once; undefined where there is no limit to share. */
  readonly connections: number | undefined;
  /** Uploads kept open at once. */
  readonly uploads: number;
}

/** For what is open anyway: store, ledgers, queue, log, threads, outgoing connections and what they write. */
const own = 128;
/** A connection and the file that it is sent; an upload and its second way past the page cache. */
const each = 2;

/**
 * Shares the file descriptors of the process, so that no number of connections keeps it from opening a file.
 *
 * @param openFiles the soft limit of the process (getrlimit(2), RLIMIT_NOFILE); undefined where there is none
 */
export function planDescriptors(openFiles: number | undefined): DescriptorPlan {
  if (openFiles === undefined) return { connections: undefined, uploads: uploadLimits.sessions };
  const left = Math.max(0, openFiles - own);
  const uploads = Math.max(4, Math.min(uploadLimits.sessions, Math.floor(left / 4 / each)));
  return { connections: Math.max(16, Math.floor(left / each) - uploads), uploads };
}
