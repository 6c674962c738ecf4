import { type BigIntStats, lstatSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreIndex, SyncRecord } from '../../catalog/model.ts';
import { toFilesystem } from '../../disk/filesystem.ts';
import type { Place } from '../../disk/place/place.ts';
import { toSystemCode } from '../../disk/system-code.ts';
import type { Rule } from '../../text/rule.ts';
import type { ForeignReason, OpenStoreOptions, Standing, Store } from '../model.ts';
import type { StoreCore } from '../store-core.ts';
import { openStore } from './open-store.ts';
import { inspectLedgers } from './read-ledgers.ts';

/** Files and folders of which one changes with every copy onto a store: names of blobs, the manifest, the ledgers. */
const looked = ['media.jsonl', 'index.json', 'oci-layout', 'ledger', 'blobs/sha256', 'blobs/sha512'] as const;

/**
 * Inspects the files that a copy of a store changes, without reading them, by a fixed number of system calls. A blob that is
 * overwritten in place is not detected.
 *
 * @param root the folder of the store, also by a link to it
 * @param ledgers paths of the ledgers in force, relative to the root
 * @returns a text that is another one after a change, and when another volume is mounted there
 */
function stampStore(root: string, ledgers: readonly string[]): string {
  try {
    const { dev, ino } = statSync(root, { bigint: true });
    const renumbers = toFilesystem(statfsSync(root).type).renumbers;
    const parts = [...looked, ...ledgers].map((path) => stampPath(join(root, path), renumbers));
    return [`${dev} ${renumbers ? '' : ino}`, ...parts].join('\n');
  } catch (error) {
    return `away ${toSystemCode(error)}`;
  }
}

function stampPath(path: string, renumbers: boolean): string {
  let info: BigIntStats;
  try {
    info = lstatSync(path, { bigint: true });
  } catch (error) {
    return String(toSystemCode(error));
  }
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = info;
  return [dev, renumbers ? '' : ino, mode, size, mtimeNs, ctimeNs].join(' ');
}

/**
 * The store of a running instance: the same object while the medium in its folder is replaced and opened anew. Its
 * users see the store that is open now; earlier work ends with the store of its time, or fails.
 */
export interface ServedStore extends Store {
  /**
   * Whether the disk has other files than those that were opened last. Looks at a fixed number of names. False for a store
   * of this instance, which its lock keeps others from, and while the disk is opened.
   */
  isChanged(): boolean;
  /** Whether the store that is held is not the one on the disk: it changed, or could not be opened. */
  isOutdated(): boolean;
  /** Treats the opened files as changed: a file was found in a state that the look at the names does not show. */
  distrust(): void;
  /** Closes a store whose disk is gone: its index is still held, and nothing of the disk. */
  release(): Promise<void>;
  /**
   * Closes the store and opens the one that the disk has now; never creates one. After a failure the index of the store
   * that was closed is still held, and nothing can be written.
   *
   * @throws the errors of `openStore`
   */
  reopen(): Promise<void>;
}

interface ServedStoreOptions extends OpenStoreOptions {
  /** Called with each store that was opened again. */
  readonly onReopened?: (store: Store) => Promise<void>;
}

interface Opened {
  readonly store: Store;
  /** Of the files that were opened; undefined when they changed meanwhile. */
  readonly stamp: string | undefined;
}

async function open(options: OpenStoreOptions): Promise<Opened> {
  const { root } = options;
  const look = async (ledgers: readonly string[]) => {
    const found = await inspectLedgers(root).catch(() => undefined);
    return `${stampStore(root, ledgers)}\n${found?.stamp}`;
  };
  const before = await look([]);
  const store = await openStore(options);
  const { content, recipes } = store.ledgers;
  const stamp = stampStore(root, [content, recipes]);
  const isSame = store.standing === 'ours' || (await look([])) === before;
  return { store, stamp: isSame ? stamp : undefined };
}

class Served implements ServedStore {
  readonly #options: ServedStoreOptions;
  #opened: Opened;
  /** Of the files that could not be opened, while they are there. */
  #unopened: string | undefined;
  #isOutdated = false;
  #isOpening = false;

  constructor(options: ServedStoreOptions, opened: Opened) {
    this.#options = options;
    this.#opened = opened;
  }

  isChanged(): boolean {
    if (this.standing === 'ours' || this.#isOpening) return false;
    if (this.#unopened !== undefined) return this.#unopened !== this.#stamp();
    return this.#opened.stamp === undefined || this.#opened.stamp !== this.#stamp();
  }

  isOutdated(): boolean {
    return this.#isOutdated || this.isChanged();
  }

  distrust(): void {
    this.#opened = { store: this.#opened.store, stamp: undefined };
  }

  async release(): Promise<void> {
    this.#isOutdated = true;
    await this.#opened.store[Symbol.asyncDispose]();
  }

  async reopen(): Promise<void> {
    const { onReopened, ...options } = this.#options;
    this.#isOutdated = true;
    this.#isOpening = true;
    const before = this.#stamp();
    try {
      // its lock would keep a store of this instance from being opened
      await this.#opened.store[Symbol.asyncDispose]();
      this.#opened = await open({ ...options, create: false });
      this.#unopened = undefined;
    } catch (error) {
      this.#unopened = before;
      throw error;
    } finally {
      this.#isOpening = false;
    }
    this.#isOutdated = false;
    await onReopened?.(this.#opened.store);
  }

  #stamp(): string {
    const { content, recipes } = this.ledgers;
    return stampStore(this.#options.root, [content, recipes]);
  }

  get root(): string {
    return this.#opened.store.root;
  }

  get place(): Place {
    return this.#opened.store.place;
  }

  get mediaId(): string {
    return this.#opened.store.mediaId;
  }

  get standing(): Standing {
    return this.#opened.store.standing;
  }

  get reason(): ForeignReason | undefined {
    return this.#opened.store.reason;
  }

  get readOnly(): Rule | undefined {
    return this.#opened.store.readOnly;
  }

  get notices(): readonly Rule[] {
    return this.#opened.store.notices;
  }

  get earlier(): string | undefined {
    return this.#opened.store.earlier;
  }

  get damage(): Store['damage'] {
    return this.#opened.store.damage;
  }

  get contradicted(): number {
    return this.#opened.store.contradicted;
  }

  get ledgers(): Store['ledgers'] {
    return this.#opened.store.ledgers;
  }

  get index(): StoreIndex {
    return this.#opened.store.index;
  }

  get lastSync(): SyncRecord | undefined {
    return this.#opened.store.lastSync;
  }

  get head(): string {
    return this.#opened.store.head;
  }

  get core(): StoreCore {
    return this.#opened.store.core;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.store[Symbol.asyncDispose]();
  }
}

/** Opens the store of an instance. @throws the errors of `openStore` */
export async function openServedStore(options: ServedStoreOptions): Promise<ServedStore> {
  const { onReopened: _, ...first } = options;
  return new Served(options, await open(first));
}
