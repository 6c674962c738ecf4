import { closeSync } from 'node:fs';
import { inspectRoot, isUnchanged, type TreeEntry } from './pack-walk.ts';

/** Milliseconds in which a second change may leave the times of an entry as they are: the unit of FAT. */
const coarseTimeMs = 2000;

/**
 * The first entries of a tree, open since they were inspected: they are read without another walk, and so is whether they
 * changed.
 */
export class HeldEntries {
  readonly #entries: TreeEntry[] = [];
  readonly #root: TreeEntry;
  readonly #before: number;
  /** Number of entries that may be held. */
  readonly room: number;

  /**
   * @param root descriptor of the open root
   * @param now current time, before anything else is inspected
   */
  constructor(root: number, room: number, now: number) {
    this.#root = inspectRoot(root);
    this.room = room;
    this.#before = now - coarseTimeMs;
  }

  get length(): number {
    return this.#entries.length;
  }

  [Symbol.iterator](): Iterator<TreeEntry> {
    return this.#entries.values();
  }

  /** Takes an entry as long as there is room. */
  add(entry: TreeEntry): void {
    if (this.#entries.length < this.room) this.#entries.push(entry);
  }

  /**
   * Whether no entry has changed since it was inspected. A name or the target of a link cannot change without its folder. A
   * folder that changed shortly before it was inspected proves nothing.
   */
  areUnchanged(): boolean {
    return [this.#root, ...this.#entries].every((entry) => entry.fd < 0 || isUnchanged(entry, this.#before));
  }

  close(): void {
    for (const { fd } of this.#entries) if (fd >= 0) closeSync(fd);
  }
}
