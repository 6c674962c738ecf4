import { constants } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Serial } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import type { ChartFacts } from '../../chart/chart-facts.ts';
import { decodeChartFacts, encodeChartFacts } from '../../chart/encode-chart-facts.ts';
import { writeFileAtomic } from '../../disk/atomic-file.ts';
import { openPlain, readWhole } from '../../disk/plain-file.ts';
import { removeLeftovers } from '../../disk/remove-leftovers.ts';

/** Bytes of the file: some fifty thousand charts. */
const mostBytes = 64 << 20;
/** Milliseconds from a change until it is written, so that the next ones are written with it. */
const gathering = 1000;
/** Milliseconds between two writes: each writes all facts. */
const writeInterval = 60_000;

/**
 * Facts of charts, by the digests of their manifests, in memory and in a file below the state root. A restart therefore
 * does not read the charts again. The file is a cache: if it has any fault, the charts are read again. Its folder
 * belongs to this instance, like the accounts; a file that another user owns or could write is not used.
 */
export interface ChartMemory {
  readonly size: number;
  get(manifest: Digest): ChartFacts | undefined;
  /** Remembers facts; they are written some time later, with others. */
  set(manifest: Digest, facts: ChartFacts): void;
  /** Forgets the facts of all other charts. */
  retain(needed: ReadonlySet<Digest>): void;
  /** Writes new facts to the file. A failure is logged once, and not thrown. */
  save(): Promise<void>;
}

interface ChartMemoryOptions {
  /** Undefined: in memory only. */
  readonly stateRoot: string | undefined;
  readonly report: Report;
}

/** Opens the memory with the facts of its file. Never fails. */
export async function openChartMemory({ stateRoot, report }: ChartMemoryOptions): Promise<ChartMemory> {
  const path = stateRoot === undefined ? undefined : join(stateRoot, 'chart-entries');
  const known = path === undefined ? undefined : await readFacts(stateRoot!, path);
  const facts = known ?? new Map<Digest, ChartFacts>();
  const writing = new Serial();
  let isChanged = false;
  let isRefused = false;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (path === undefined || !isChanged) return;
    isChanged = false;
    try {
      await removeLeftovers(path);
      // a copy, as facts come and go while it is written
      const pieces = encodeChartFacts([...facts], mostBytes);
      await writeFileAtomic(path, pieces, { mode: 0o600, place: 'state' });
      isRefused = false;
    } catch (error) {
      isChanged = true;
      if (!isRefused)
        report.log('warn', 'the entries of charts could not be kept for the next start', { error });
      isRefused = true;
    }
    writtenAt = performance.now();
  };
  const save = (): Promise<void> => writing.run(write);
  const change = (): void => {
    isChanged = true;
    if (path === undefined || timer !== undefined) return;
    const wait = Math.max(gathering, writtenAt + writeInterval - performance.now());
    timer = setTimeout(() => void save(), wait).unref();
  };

  return {
    get size() {
      return facts.size;
    },
    get: (manifest) => facts.get(manifest),
    set: (manifest, one) => {
      facts.set(manifest, one);
      change();
    },
    retain: (needed) => {
      for (const manifest of facts.keys()) if (!needed.has(manifest) && facts.delete(manifest)) change();
    },
    save,
  };
}

/** Reads the file. @returns undefined when there is none, or none that can be used */
async function readFacts(stateRoot: string, path: string): Promise<Map<Digest, ChartFacts> | undefined> {
  try {
    const { uid } = await stat(stateRoot);
    const file = await openPlain(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const found = await file.stat();
      if (found.uid !== uid || (found.mode & 0o022) !== 0 || found.size > mostBytes) return undefined;
      return await decodeChartFacts(await readWhole(file, found.size));
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
