import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataChange, DiskRecord, NameChange } from './disk-record.ts';

/**
 * The effect of the cut on changes that no sync has made durable: `dropped`: none arrived; `kept`: all did, whole.
 * `mixed`: each did or did not. `torn`: besides, a part of a write arrived, or only its length.
 */
export type Fate = 'dropped' | 'kept' | 'mixed' | 'torn';
export const fates: readonly Fate[] = ['dropped', 'kept', 'mixed', 'torn'];

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Whether a sync that had ended by the cut began after this had ended. */
function isDurable({ end }: Span, syncs: readonly Span[], cut: number): boolean {
  return syncs.some((sync) => sync.end <= cut && sync.start > end);
}

type Piece = Pick<DataChange, 'position' | 'data'>;

/** A disk writes whole sectors. */
const sectorBytes = 512;

/** The parts of an older write that went to the disk with a later one, since they lie in the same sectors. */
function* shareSectors({ position, data }: Piece, kept: ReadonlySet<number>): Generator<Piece> {
  if (data === undefined) return;
  const end = position + data.length;
  for (let at = position; at < end; ) {
    const sector = Math.floor(at / sectorBytes);
    const next = Math.min(end, (sector + 1) * sectorBytes);
    if (kept.has(sector)) yield { position: at, data: data.subarray(at - position, next - position) };
    at = next;
  }
}

function toContent(changes: readonly DataChange[], keep: (change: DataChange) => Piece | undefined): Buffer {
  const kept = changes.map(keep);
  // the sectors that later writes have brought to the disk, from the last write to the first
  const sectors = new Set<number>();
  const pieces: Piece[] = [];
  for (let i = changes.length - 1; i >= 0; i -= 1) {
    pieces.push(...shareSectors(changes[i]!, sectors));
    const change = kept[i];
    if (change === undefined) continue;
    pieces.push(change);
    const { position, data } = change;
    // room that was made and never filled has brought nothing to the disk
    if (data === undefined || data.length === 0 || data.buffer !== changes[i]!.data!.buffer) continue;
    const last = Math.floor((position + data.length - 1) / sectorBytes);
    for (let sector = Math.floor(position / sectorBytes); sector <= last; sector += 1) sectors.add(sector);
  }
  let content = Buffer.alloc(0);
  for (const { position, data } of pieces.reverse()) {
    const size = data === undefined ? position : Math.max(content.length, position + data.length);
    const next = Buffer.alloc(size);
    content.copy(next, 0, 0, Math.min(size, content.length));
    data?.copy(next, position);
    content = next;
  }
  return content;
}

/** A part of a write, as a power cut leaves it: some sectors from its start, or its length without its bytes. */
function tear(change: DataChange, random: () => number): DataChange {
  const { data } = change;
  if (data === undefined || data.length === 0) return change;
  if (random() < 0.3) return { ...change, data: Buffer.alloc(data.length) };
  const sectors = Math.floor((random() * data.length) / sectorBytes) * sectorBytes;
  const bytes = random() < 0.5 ? sectors : Math.floor(random() * data.length);
  return { ...change, data: data.subarray(0, bytes) };
}

/**
 * Makes the disk as it may be after the power went at a line of the record, in a folder of its own.
 *
 * @param root the folder that was recorded
 */
export function replayDisk(
  record: DiskRecord,
  cut: number,
  fate: Fate,
  random: () => number,
  root: string,
  target: string,
): void {
  const coin = (): boolean => fate === 'kept' || (fate !== 'dropped' && random() < 0.5);
  // a rename is one change of a journal: where one of its sides is durable, the other is too
  const units = new Map<number, boolean>();
  for (const { changes, syncs } of record.folders.values())
    for (const change of changes) if (isDurable(change, syncs, cut)) units.set(change.unit, true);
  const isThere = (change: NameChange): boolean => {
    if (change.start > cut) return false;
    if (!units.has(change.unit)) units.set(change.unit, coin());
    return units.get(change.unit)!;
  };
  const write = (folder: string, to: string): void => {
    mkdirSync(to, { recursive: true });
    const names = new Map<string, NonNullable<NameChange['target']> | undefined>();
    for (const change of record.folders.get(folder)?.changes ?? [])
      if (isThere(change)) names.set(change.name, change.target);
    for (const [name, what] of names) {
      if (what === undefined) continue;
      if (what === 'folder') write(join(folder, name), join(to, name));
      else writeFileSync(join(to, name), contentOf(what.file));
    }
  };
  const contents = new Map<number, Buffer>();
  const contentOf = (id: number): Buffer => {
    const known = contents.get(id);
    if (known) return known;
    const { changes, syncs } = record.files.get(id)!;
    const content = toContent(
      changes.filter(({ start }) => start <= cut),
      (change) => {
        if (isDurable(change, syncs, cut)) return change;
        if (!coin()) return undefined;
        return fate === 'torn' ? tear(change, random) : change;
      },
    );
    contents.set(id, content);
    return content;
  };
  write(root, target);
}
