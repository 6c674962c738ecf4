import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { GuardedFolder } from '../disk/guarded-folder.ts';
import { writeAll } from '../disk/write-all.ts';
import { formatHeader, type Predecessor, sealBatch, sealCommit, toTag } from './codec.ts';
import { formatGenerationName } from './generation.ts';

interface NewGeneration {
  readonly ledger: string;
  readonly generation: number;
  readonly predecessor: Predecessor | undefined;
  readonly key: Buffer | undefined;
}

/** End of a ledger, with everything that an append needs. */
export interface LedgerTip {
  readonly generation: number;
  /** Bytes up to the end of the last whole batch; `hash` covers them. */
  readonly length: number;
  readonly hash: Hash;
  readonly sequence: number;
  readonly records: number;
  readonly batches: number;
  /** Tag of the last entry. */
  readonly tag: string;
}

/** End of a new file, which is open for appending. */
export interface WrittenGeneration extends LedgerTip {
  readonly file: FileHandle;
}

/** Bytes of records in one batch of a snapshot; also bounds how long the event loop is blocked at a time. */
const sliceBytes = 256 << 10;

/**
 * Writes a generation with its commit line, and makes the file and its name durable. When it fails, the file may still
 * exist and may even be whole: the caller removes it or stops.
 *
 * @param batches the records as JSON lines, already in batches; see `toSlices`
 * @throws the error of the operating system, or of the folder
 */
export async function writeGeneration(
  folder: GuardedFolder,
  options: NewGeneration,
  batches: Iterable<Slice>,
): Promise<WrittenGeneration> {
  const { ledger, generation, predecessor, key } = options;
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
  const file = await folder.open(formatGenerationName(ledger, generation), flags, 0o644);
  try {
    const hash = createHash('sha256');
    let [length, sequence, records, count] = [0, predecessor?.sequence ?? 0, 0, 0];
    const write = async (...pieces: Buffer[]): Promise<void> => {
      for (const piece of pieces) hash.update(piece);
      await writeAll(file, pieces, length);
      for (const piece of pieces) length += piece.length;
    };
    const opening = { kind: 'opening', ledger, generation, predecessor } as const;
    await write(Buffer.from(formatHeader(opening)));
    let tag = toTag(opening);
    for (const { payload, records: number } of batches) {
      sequence += 1;
      const header = sealBatch(ledger, { sequence, generation, records: number, after: tag }, payload, key);
      await write(Buffer.from(formatHeader(header)), payload);
      tag = toTag(header);
      records += number;
      count += 1;
    }
    const sha256 = hash.copy().digest('hex');
    const commit = sealCommit({ sequence, generation, length, sha256 }, key);
    await write(Buffer.from(formatHeader(commit)));
    await file.sync();
    await folder.sync();
    return { file, generation, length, hash, sequence, records, batches: count, tag: toTag(commit) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Records as JSON lines. */
interface Slice {
  readonly payload: Buffer;
  readonly records: number;
}

/** Splits records into batches. Lazy: a record after the current batch is not read yet. */
export function* toSlices(records: Iterable<unknown>): Generator<Slice> {
  let text = '';
  let count = 0;
  for (const record of records) {
    text += `${JSON.stringify(record)}\n`;
    count += 1;
    if (text.length < sliceBytes) continue;
    yield { payload: Buffer.from(text), records: count };
    text = '';
    count = 0;
  }
  if (count > 0) yield { payload: Buffer.from(text), records: count };
}
