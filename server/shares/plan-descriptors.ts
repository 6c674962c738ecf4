import { resources } from '../../src/base/shares/resources.ts';
import type { Bounds } from '../../src/base/shares/shares.ts';

/** The share of each use in the descriptors. */
interface DescriptorPlan {
  readonly connections: Bounds;
  readonly uploads: Bounds;
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

/** Bounds with a smaller total; the reserve and the share of an origin keep their part of it. */
function toScaled(bounds: Bounds, total: number): Bounds {
  const scale = (units: number): number => Math.ceil((units * total) / bounds.total);
  const { account, admin, origin } = bounds.share;
  return {
    total,
    reserve: scale(bounds.reserve),
    share: { origin: scale(origin), account, admin: Math.min(admin, total) },
  };
}

/**
 * Divides the file descriptors of the process between connections and uploads, so that connections cannot use
 * them up.
 *
 * @param openFiles the soft limit of the process (getrlimit(2), RLIMIT_NOFILE); undefined when there is no
 *   limit
 */
export function planDescriptors(openFiles: number | undefined): DescriptorPlan {
  const { connections, uploads } = resources;
  if (openFiles === undefined) return { connections, uploads };
  const left = Math.max(0, openFiles - own);
  const ofUploads = Math.max(4, Math.min(uploads.total, Math.floor(left / 4 / each)));
  const ofConnections = Math.max(16, Math.min(connections.total, Math.floor(left / each) - ofUploads));
  return { connections: toScaled(connections, ofConnections), uploads: toScaled(uploads, ofUploads) };
}
