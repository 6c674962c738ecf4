import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inspectVolume } from '../../../disk/volume.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import type { VolumeDemand } from './judge-volume.ts';

interface VolumesQuery {
  readonly storeRoot: string;
  readonly stateRoot?: string | undefined;
  /** Content to be stored, each once. */
  readonly missing: readonly Descriptor[];
  /** Bytes. Larger downloads are spooled; 0: none. */
  readonly resumeThreshold: number;
  /** Number of concurrent downloads. */
  readonly parallelism: number;
}

// bytes for each file, for ledgers, manifest lists and folders
const overheadPerFile = 512;

/** Device of a path, or of its nearest existing parent. */
async function deviceOf(path: string): Promise<number | undefined> {
  for (let at = path; ; at = dirname(at)) {
    try {
      return (await stat(at)).dev;
    } catch {
      if (dirname(at) === at) return undefined;
    }
  }
}

async function countEntries(folder: string): Promise<number> {
  return readdir(folder).then(
    (names) => names.length,
    () => 0,
  );
}

/**
 * Measures the volumes that a run writes to. A spool on the volume of the store becomes the blob by renaming,
 * so its bytes are counted once.
 *
 * @throws errors of inspecting a volume
 */
export async function measureVolumes(query: VolumesQuery): Promise<readonly VolumeDemand[]> {
  const { storeRoot, stateRoot, missing, resumeThreshold, parallelism } = query;
  const sum = missing.reduce((total, { size }) => total + size, 0);
  const largest = missing.reduce((most, { size }) => Math.max(most, size), 0);
  const volume = await inspectVolume(storeRoot);
  const arriving = new Map<string, number>();
  for (const { digest } of missing) {
    const algorithm = digest.slice(0, 6);
    arriving.set(algorithm, (arriving.get(algorithm) ?? 0) + 1);
  }
  let folderEntries = 0;
  if (volume.maxFolderEntries !== undefined && missing.length > 0) {
    for (const [algorithm, count] of arriving)
      folderEntries = Math.max(
        folderEntries,
        count + (await countEntries(join(storeRoot, 'blobs', algorithm))),
      );
  }
  const demands: VolumeDemand[] = [
    {
      target: 'store',
      path: storeRoot,
      volume,
      neededBytes: sum + missing.length * overheadPerFile,
      largestFileBytes: largest,
      folderEntries,
    },
  ];
  if (stateRoot === undefined) return demands;
  const spooled =
    resumeThreshold > 0 ? missing.filter(({ size }) => size >= resumeThreshold).map(({ size }) => size) : [];
  spooled.sort((a, b) => b - a);
  const isShared = (await deviceOf(storeRoot)) === (await deviceOf(stateRoot));
  const atOnce = spooled.slice(0, parallelism).reduce((total, size) => total + size, 0);
  demands.push({
    target: 'state',
    path: stateRoot,
    volume: await inspectVolume(stateRoot),
    neededBytes: isShared ? 0 : atOnce,
    largestFileBytes: spooled[0] ?? 0,
    folderEntries: 0,
  });
  return demands;
}
