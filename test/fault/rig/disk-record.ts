import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Recorded } from './fault-plan.ts';

/** A change of one file's bytes. */
export interface DataChange {
  readonly start: number;
  readonly end: number;
  readonly position: number;
  /** Absent: the file is cut to `position`. */
  readonly data?: Buffer;
}

/** A change of one name in a folder. */
export interface NameChange {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** The target of the name from then on; absent: nothing. */
  readonly target?: { readonly file: number } | 'folder';
  /** Changes that a journal makes together: those of one rename. */
  readonly unit: number;
}

interface Sync {
  readonly start: number;
  readonly end: number;
}

/** The changes of a process to the disk, in their order; lines of the record are its clock. */
export interface DiskRecord {
  readonly lines: number;
  /** Line of the first entry that is later than this moment (microseconds). */
  lineAfter(moment: number): number;
  readonly files: ReadonlyMap<number, { readonly changes: DataChange[]; readonly syncs: Sync[] }>;
  readonly folders: ReadonlyMap<string, { readonly changes: NameChange[]; readonly syncs: Sync[] }>;
}

const never = Number.POSITIVE_INFINITY;

/** Reads the record of the instrument below a folder that was empty when the recording began. */
export function readDiskRecord(path: string, root: string): DiskRecord {
  const entries = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recorded);
  const ends = new Map<number, number>();
  for (const [line, { phase, step }] of entries.entries()) if (phase === 'end') ends.set(step, line);
  const files = new Map<number, { changes: DataChange[]; syncs: Sync[] }>();
  const folders = new Map<string, { changes: NameChange[]; syncs: Sync[] }>([
    [root, { changes: [], syncs: [] }],
  ]);
  const names = new Map<string, number>();
  // a later process knows a file by another number
  const aliases = new Map<number, number>();
  const fileOf = (id: number) => {
    const known = files.get(id) ?? { changes: [], syncs: [] };
    files.set(id, known);
    return known;
  };
  const folderOf = (folder: string) => {
    const known = folders.get(folder) ?? { changes: [], syncs: [] };
    folders.set(folder, known);
    return known;
  };
  const change = (at: string, start: number, end: number, target?: NameChange['target']) => {
    const entry = {
      start,
      end,
      name: basename(at),
      unit: start,
      ...(target === undefined ? {} : { target }),
    };
    folderOf(dirname(at)).changes.push(entry);
  };
  const requireFile = (at: string): number => {
    const id = names.get(at);
    if (id === undefined) throw new Error(`the record does not know ${at}`);
    return id;
  };
  const makeFolders = (at: string, start: number, end: number): void => {
    if (at === root || folders.has(at) || !at.startsWith(root)) return;
    makeFolders(dirname(at), start, end);
    folderOf(at);
    change(at, start, end, 'folder');
  };
  for (const [start, entry] of entries.entries()) {
    if (entry.phase === 'end') continue;
    const end = entry.phase === 'note' ? start : (ends.get(entry.step) ?? never);
    const { op, path: at = '', to = '', position = 0, length = 0 } = entry;
    const id = aliases.get(entry.id ?? 0) ?? entry.id ?? 0;
    if (op === 'create') {
      names.set(at, id);
      fileOf(id);
      change(at, start, end, { file: id });
    } else if (op === 'write') {
      fileOf(id).changes.push({ start, end, position, data: Buffer.from(entry.data ?? '', 'base64') });
    } else if (op === 'truncate') {
      fileOf(id).changes.push({ start, end, position: length });
    } else if (op === 'sync') {
      // a folder that was opened has a number too
      (folders.get(at) ?? fileOf(id)).syncs.push({ start, end });
    } else if (op === 'mkdir') {
      makeFolders(at, start, end);
    } else if (op === 'rename' || op === 'link') {
      const file = requireFile(at);
      if (op === 'rename') {
        change(at, start, end);
        names.delete(at);
      }
      change(to, start, end, { file });
      names.set(to, file);
    } else if (op === 'unlink' || op === 'rm') {
      change(at, start, end);
      names.delete(at);
    } else if (op === 'base') {
      const known = names.get(at);
      if (known !== undefined && known !== id) aliases.set(entry.id ?? 0, known);
    } else throw new Error(`the record cannot replay ${op}`);
  }
  return {
    lines: entries.length,
    lineAfter: (moment) => {
      const line = entries.findIndex(({ at }) => at > moment);
      return line < 0 ? entries.length : line;
    },
    files,
    folders,
  };
}
