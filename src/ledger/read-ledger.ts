import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { openGuardedFolder } from '../disk/guarded-folder.ts';
import { openGuarded } from '../disk/guarded-open.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { isSyncUnsupported, syncFolder } from '../disk/sync-folder.ts';
import { toWriteError } from '../disk/write-error.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { formatGenerationName, inspectGeneration, parseGenerationName, showsUse } from './generation.ts';
import { type LedgerReading, loadGeneration, type ReadOptions } from './load-generation.ts';
import { LedgerReader } from './reader.ts';

/** More generation files than any interrupted run leaves. The limit keeps planted files from being read. */
const maxGenerations = 8;
/** Bytes; enough for some ten million manifests. */
const maxLedgerBytes = 4n << 30n;

/** Reads a ledger without changing anything. @throws SVC-STO-001 */
export async function readLedger<R>(options: ReadOptions<R>): Promise<LedgerReading> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await readNow(options);
    } catch (error) {
      // while another process writes, a compaction may remove the file between listing and opening
      if (!isAbsent(error) || attempt === 4) throw error;
    }
  }
}

/**
 * Syncs a file before its owner appends to it or remembers its state. Bytes written by a killed process can be read,
 * but a power cut may still lose them.
 */
async function makeDurable(file: FileHandle, folder: string): Promise<void> {
  try {
    await file.datasync();
    await syncFolder(folder);
  } catch (error) {
    if (!isSyncUnsupported(error)) throw toWriteError(error, folder);
  }
}

/** Returns the numbers of the generations in the folder, highest first. */
export async function listGenerations(root: string, folder: string, name: string): Promise<number[]> {
  try {
    await using opened = await openGuardedFolder(root, folder);
    const names = await opened.list();
    const found = names.flatMap((file) => parseGenerationName(name, file) ?? []);
    return found.sort((a, b) => b - a);
  } catch (cause) {
    if (isAbsent(cause)) return [];
    throw cause;
  }
}

async function readNow<R>(options: ReadOptions<R>): Promise<LedgerReading> {
  const { root, folder, name } = options;
  const generations = await listGenerations(root, folder, name);
  if (generations.length > maxGenerations) {
    const path = join(root, folder, formatGenerationName(name, generations[0]!));
    throw svcError('SVC-STO-001', {
      path,
      detail: rule(
        [
          'there are {count} other generations in its folder',
          fr`il y a {count} autres générations dans son dossier`,
        ],
        { count: generations.length },
      ),
    });
  }
  for (const [index, generation] of generations.entries()) {
    const file = await openGuarded(root, join(folder, formatGenerationName(name, generation)));
    try {
      const identity = await file.stat({ bigint: true });
      if (identity.size > maxLedgerBytes) {
        const path = join(root, folder, formatGenerationName(name, generation));
        throw svcError('SVC-STO-001', {
          path,
          detail: rule(['larger than {limit} bytes', fr`plus de {limit} octets`], {
            limit: Number(maxLedgerBytes),
          }),
        });
      }
      const isLast = index === generations.length - 1;
      if (await isHollow(file, identity)) {
        // no program leaves such a file: it is no generation, and reading it would take minutes
        if (!isLast) continue;
        const path = join(root, folder, formatGenerationName(name, generation));
        throw svcError('SVC-STO-001', {
          path,
          detail: rule(
            [
              'most of its {size} bytes were never written',
              fr`la plupart de ses {size} octets n’ont jamais été écrits`,
            ],
            { size: Number(identity.size) },
          ),
        });
      }
      const reader = new LedgerReader(file, Number(identity.size));
      const inspection = await inspectGeneration(reader, name, generation);
      const committed = inspection.kind === 'committed' ? inspection : undefined;
      // a predecessor is removed only after the commit; a first generation that was never committed was never used
      const isUnused =
        inspection.kind === 'uncommitted' &&
        generation === 1 &&
        (inspection.isWhole || !(await showsUse(reader, name, generation)));
      if (!committed && (!isLast || isUnused)) continue;
      const leftovers = generations.filter((other) => other !== generation);
      if (options.writable) await makeDurable(file, join(root, folder));
      return { ...(await loadGeneration(options, file, identity, generation, committed)), leftovers };
    } finally {
      await file.close();
    }
  }
  const leftovers = generations;
  return {
    ...nothing,
    leftovers,
    path: join(root, folder, formatGenerationName(name, 1)),
    hash: createHash('sha256'),
  };
}

/** Bytes of room in which a volume counts the size of a file. */
const allocationBytes = 512n;
/** Bytes of a ledger for one byte on disk: more than any volume compresses a ledger to. */
const densest = 64n;

/**
 * Returns whether most of a file is a hole. Ledgers are appended to, and have none. Some volumes report no room at all:
 * there, the beginning of the file decides.
 */
async function isHollow(file: FileHandle, { size, blocks }: BigIntStats): Promise<boolean> {
  if (size <= 1n << 20n || blocks * allocationBytes * densest >= size) return false;
  if (blocks > 0n) return true;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
  return buffer.subarray(0, bytesRead).every((byte) => byte === 0);
}

const nothing = {
  generation: 0,
  identity: undefined,
  length: 0,
  sequence: 0,
  records: 0,
  batches: 0,
  tag: '',
  keyed: false,
  authors: { verified: 0, unkeyed: 0, foreign: 0 },
  prefix: 'unknown',
  unreadable: 0,
  damage: undefined,
  lost: [],
  truncatedTail: undefined,
} as const;
