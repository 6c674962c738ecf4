import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatHeader, type Opening, sealBatch, sealCommit, toTag } from '../../../src/ledger/codec.ts';
import type { CarriedMedium } from '../scene/carried-medium.ts';

type Change = (records: any[]) => readonly unknown[];

/**
 * Writes a ledger of a carried medium anew, whole and well formed. So would a forger with the sources but without the
 * maker's key. The inventory is made to agree.
 *
 * @param change gets every record, and returns those to be written: values, or lines of JSON as they shall stand there
 */
export async function forgeLedger(
  medium: CarriedMedium,
  name: 'content' | 'recipes',
  change: Change,
): Promise<void> {
  await medium.relist(await forgeLedgerAt(medium.root, name, change));
}

/** The same in the folder of any store, beside any inventory. @returns the ledger's path below the root */
export async function forgeLedgerAt(
  root: string,
  name: 'content' | 'recipes',
  change: Change,
): Promise<string> {
  const names = await readdir(join(root, 'ledger'));
  const path = `ledger/${names
    .filter((file) => file.startsWith(name))
    .sort()
    .at(-1)}`;
  const text = await readFile(join(root, path), 'utf8');
  const lines = text.trimEnd().split('\n');
  const records = lines.map((line) => JSON.parse(line)).filter((line) => line.op !== undefined);
  const [first, ...rest] = change(records).map((one) =>
    typeof one === 'string' ? one : JSON.stringify(one),
  );
  const generation = lines
    .map((line) => JSON.parse(line))
    .find((line) => line.generation !== undefined).generation;
  const opening: Opening = { kind: 'opening', ledger: name, generation, predecessor: undefined };
  let written = formatHeader(opening);
  let after = toTag(opening);
  const add = (sequence: number, batch: readonly string[]): void => {
    const payload = Buffer.from(batch.map((line) => `${line}\n`).join(''));
    const header = sealBatch(
      name,
      { sequence, generation, records: batch.length, after },
      payload,
      undefined,
    );
    written += formatHeader(header) + payload.toString();
    after = toTag(header);
  };
  add(1, [first!]);
  const length = Buffer.byteLength(written);
  const sha256 = createHash('sha256').update(written).digest('hex');
  const commit = sealCommit({ sequence: 1, generation, length, sha256 }, undefined);
  written += formatHeader(commit);
  after = toTag(commit);
  if (rest.length > 0) add(2, rest);
  await writeFile(join(root, path), written);
  return path;
}
