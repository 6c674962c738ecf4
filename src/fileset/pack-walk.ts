import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import type { TarEntry } from '../disk/tar/header.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { isIndexWork } from './index-work.ts';
import { filesetLimits } from './limits.ts';
import { checkMode, checkName, checkTarget } from './pack-rules.ts';

/** An entry of a tree, without anything that differs between machines. */
export interface TreeEntry extends Required<TarEntry> {
  /** Differs if the entry has changed. */
  readonly stamp: number;
  /** Descriptor of the open file, until the next entry is requested, or of a held file or folder; -1 if not open. */
  readonly fd: number;
}

interface WalkOptions {
  /** Opens files instead of only inspecting them. Default: false. */
  readonly open?: boolean;
  /** How many of the first entries stay open, folders too, until the caller closes them. Default: none. */
  readonly hold?: number;
  /** How many of the first entries are passed over, without inspecting their files. Default: none. */
  readonly from?: number;
  /** Called for an entry that must not be packed; if it returns, the walk continues after the entry. */
  readonly refuse: (path: string, rule: Rule) => void;
  /** Maximum number of entries. */
  readonly entries?: number;
}

interface Folder {
  readonly fd: number;
  /** Whether the caller closes it. */
  readonly isHeld: boolean;
  /** Path with a slash at its end; '' for the root. */
  readonly path: string;
  readonly listed: readonly Dirent[];
  next: number;
}

const reading = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const namesAtOnce = 1024;

/**
 * Walks a tree in the order of its names, folders before their content. No link is followed even if entries are
 * replaced meanwhile: each folder is held open, and its entries are inspected through it. Files used only for making an
 * index are left out.
 *
 * @param root descriptor of an open folder, which stays open
 * @throws SVC-FIL-001 for an entry that cannot be read or has changed; the error of `refuse`
 */
export function* walkTree(root: number, options: WalkOptions): Generator<TreeEntry> {
  const { open = false, hold = 0, from = 0, refuse, entries = filesetLimits.entries } = options;
  let room = entries;
  let count = 0;
  const enter = (fd: number, path: string, isHeld: boolean): Folder => {
    const listed = listFolder(fd, path, room);
    if (listed === undefined)
      throw svcError('SVC-FIL-001', {
        path: '.',
        rule: rule(['more than {entries} entries', fr`plus de {entries} entrées`], { entries }),
      });
    room -= listed.length;
    return { fd, isHeld, path, listed, next: 0 };
  };
  const folders: Folder[] = [enter(root, '', true)];
  try {
    for (let folder = folders.at(-1); folder !== undefined; folder = folders.at(-1)) {
      const listed = folder.listed[folder.next];
      if (listed === undefined) {
        folders.pop();
        if (!folder.isHeld) closeSync(folder.fd);
        continue;
      }
      folder.next += 1;
      const { name } = listed;
      if (folder.path === '' && isIndexWork(name)) continue;
      const path = folder.path + name;
      const depth = folders.length - 1;
      requireLength(path, depth);
      const broken = checkName(name);
      if (broken !== undefined) {
        refuse(path, broken);
        continue;
      }
      const isPassed = count < from;
      if (isPassed && !listed.isDirectory()) {
        count += 1;
        continue;
      }
      const isHeld = count < hold;
      const { stats, fd, target } = attempt(path, () =>
        lookAt(childOf(folder.fd, name), listed.isDirectory() || ((open || isHeld) && listed.isFile())),
      );
      const wrong = checkMode(stats.mode) ?? (target === '' ? undefined : checkTarget(target, depth));
      let isKept = false;
      try {
        if (wrong !== undefined) {
          refuse(path, wrong);
          continue;
        }
        if (stats.isDirectory() && fd < 0) throw svcError('SVC-FIL-001', { path, rule: changed });
        count += 1;
        isKept = isHeld;
        if (!stats.isDirectory()) yield toEntry(path, stats, target, fd);
        else {
          if (!isPassed) yield toEntry(`${path}/`, stats, '', isHeld ? fd : -1);
          folders.push(enter(fd, `${path}/`, isHeld));
          isKept = true;
        }
      } finally {
        if (fd >= 0 && !isKept) closeSync(fd);
      }
    }
  } finally {
    for (const { fd, isHeld } of folders) if (!isHeld) closeSync(fd);
  }
}

/** @throws SVC-FIL-001 */
function requireLength(path: string, depth: number): void {
  const { depth: names, pathBytes } = filesetLimits;
  if (depth >= names)
    throw svcError('SVC-FIL-001', {
      path,
      rule: rule(['more than {names} names in a path', fr`plus de {names} noms dans un chemin`], { names }),
    });
  if (Buffer.byteLength(path) >= pathBytes)
    throw svcError('SVC-FIL-001', {
      path: `${path.slice(0, 512)}…`,
      rule: rule(['a path of more than {pathBytes} bytes', fr`un chemin de plus de {pathBytes} octets`], {
        pathBytes,
      }),
    });
}

/** Returns a path to an entry that goes through an open folder. */
function childOf(fd: number, name: string): string {
  return `/proc/self/fd/${fd}/${name}`;
}

/** Opens only entries listed as a folder or a file: opening another type can have side effects. */
function lookAt(
  at: string,
  open: boolean,
): { readonly stats: Stats; readonly fd: number; readonly target: string } {
  let fd = -1;
  if (open) {
    try {
      fd = openSync(at, reading);
    } catch (error) {
      // the error for a link with O_NOFOLLOW
      if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    }
  }
  if (fd < 0) {
    const stats = lstatSync(at);
    return { stats, fd, target: stats.isSymbolicLink() ? readlinkSync(at) : '' };
  }
  try {
    return { stats: fstatSync(fd), fd, target: '' };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Lists a folder, sorted by name; undefined when it has more entries than `room`. */
function listFolder(fd: number, path: string, room: number): Dirent[] | undefined {
  return attempt(path === '' ? '.' : path, () => {
    const entries = opendirSync(childOf(fd, ''), { bufferSize: namesAtOnce });
    try {
      const listed: Dirent[] = [];
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
        if (listed.length === room) return undefined;
        listed.push(entry);
      }
      return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
    } finally {
      entries.closeSync();
    }
  });
}

const gone = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL', 'ENXIO', 'ESTALE']);

/** @throws SVC-FIL-001 for an error of the system */
function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (syscall === undefined) throw cause;
    const reason = gone.has(code ?? '') ? changed : rule(['it cannot be read', fr`il est illisible`]);
    throw svcError('SVC-FIL-001', { path, rule: reason }, { cause });
  }
}

/** Rule broken by a tree that changes while it is packed. */
export const changed = rule(['it changed while it was packed', fr`il a changé pendant l’empaquetage`]);

function toEntry(path: string, stats: Stats, target: string, fd: number): TreeEntry {
  const type = stats.isFile() ? 'file' : target === '' ? 'folder' : 'link';
  const size = type === 'file' ? stats.size : 0;
  // the permissions of a link have no meaning, and would depend on the umask
  const mode = type === 'link' ? 0o777 : stats.mode & 0o777;
  return { path, type, size, mode, target, fd, stamp: toStamp(path, stats, size, target) };
}

/** Inspects an open folder as the root of a tree. */
export function inspectRoot(fd: number): TreeEntry {
  return toEntry('', fstatSync(fd), '', fd);
}

/** Whether a held entry is as it was yielded, and its last change is older than a time. */
export function isUnchanged({ path, target, fd, stamp }: TreeEntry, before: number): boolean {
  const stats = fstatSync(fd);
  return stats.ctimeMs < before && toEntry(path, stats, target, fd).stamp === stamp;
}

const numbers = new Float64Array(4);
const words = new Uint32Array(numbers.buffer);

/** Returns a number of 32 bits that almost certainly differs if the entry has changed. */
function toStamp(path: string, stats: Stats, size: number, target: string): number {
  let stamp = 0;
  const mix = (word: number): void => {
    stamp = Math.imul(stamp ^ word, 0x9e3779b1);
    stamp ^= stamp >>> 15;
  };
  for (const text of [path, target]) {
    for (let i = 0; i < text.length; i += 1) mix(text.charCodeAt(i));
    mix(-1);
  }
  numbers[0] = stats.mode;
  numbers[1] = size;
  numbers[2] = stats.ctimeMs;
  numbers[3] = stats.mtimeMs;
  for (const word of words) mix(word);
  return stamp;
}
