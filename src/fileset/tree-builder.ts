import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { TarError } from '../disk/tar/error.ts';
import type { TarMember } from '../disk/tar/reader.ts';
import { parseLayerPath } from './layer-path.ts';
import { filesetLimits } from './limits.ts';
import { createRowReader, followPath, type RowReader, toKey, treeSchema } from './tree-rows.ts';

const whiteout = '.wh.';
const opaque = '.wh..wh..opq';

/**
 * Merges layers, the lowest first, into a table (OCI image specification, Image Layer Filesystem Changeset): later
 * entries replace earlier ones, whiteouts remove entries of lower layers. Devices and pipes are not part of the tree,
 * but replace an entry of the same name.
 */
export class TreeBuilder {
  readonly #read: RowReader;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;
  readonly #dropBelow: StatementSync;
  #layer = 0;
  /** The folder of the last entry, as written, and its path in the tree. */
  #folder: { readonly named: string; readonly path: string } | undefined;

  /** @param database empty; all changes are in one transaction, which the caller ends */
  constructor(database: DatabaseSync) {
    database.exec(treeSchema);
    this.#read = createRowReader(database);
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO entry (path, born, layer, offset, size, sha256, target) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#drop = database.prepare('DELETE FROM entry WHERE path = ? AND born < ?');
    this.#dropBelow = database.prepare('DELETE FROM entry WHERE path > ? AND path < ? AND born < ?');
  }

  /** Starts a layer, which is higher than the one before. */
  beginLayer(layer: number): void {
    this.#layer = layer;
    this.#folder = undefined;
  }

  /**
   * Adds one member of the layer.
   *
   * @param sha256 digest of its bytes, for a file
   * @throws TarError
   */
  add(member: TarMember, sha256: Uint8Array | undefined): void {
    const { type, path: written } = member;
    const names = parseLayerPath(written);
    const name = names.at(-1);
    if (name === undefined) {
      if (type !== 'folder') throw new TarError('the root is not a folder', written);
      return;
    }
    const folders = names.slice(0, -1);
    // internal data of a union filesystem
    if (folders.some((one) => one.startsWith(whiteout))) return;
    const folder = this.#place(folders, written);
    if (name.startsWith(whiteout)) {
      this.#takeAway(folder, name, written);
      return;
    }
    const path = join(folder, name);
    if (type === 'folder') {
      if (this.#drop.run(toKey(path), this.#layer + 1).changes > 0) this.#folder = undefined;
      return;
    }
    this.#clear(path);
    switch (type) {
      case 'file':
        this.#put.run(toKey(path), this.#layer, this.#layer, member.offset, member.size, sha256!, null);
        return;
      case 'link':
        if (member.target === '' || member.target.length > filesetLimits.pathBytes)
          throw new TarError('a link that cannot be followed', written);
        this.#put.run(toKey(path), this.#layer, null, null, null, null, toKey(member.target));
        return;
      case 'hard-link':
        this.#link(path, member);
    }
  }

  /** Returns the folder that names lead to through the links of the tree. @throws TarError */
  #place(names: readonly string[], written: string): string {
    const named = names.join('/');
    if (this.#folder?.named === named) return this.#folder.path;
    const found = followPath(this.#read, names, { last: true });
    if (found.to === 'no-row') {
      this.#folder = { named, path: found.path };
      return found.path;
    }
    const why = found.to === 'row' ? 'file' : found.why;
    throw new TarError(placeRules[why], written);
  }

  /** Removes the entries at a path and below it, of every layer. */
  #clear(path: string): void {
    const [from, to] = below(path);
    this.#drop.run(toKey(path), this.#layer + 1);
    this.#dropBelow.run(from, to, this.#layer + 1);
    // names that led into it may lead elsewhere now
    const { named = '', path: place = '' } = this.#folder ?? {};
    if ([named, place].some((one) => one === path || one.startsWith(`${path}/`))) this.#folder = undefined;
  }

  #takeAway(folder: string, name: string, written: string): void {
    this.#folder = undefined;
    if (name === opaque) {
      const [from, to] = below(folder);
      this.#dropBelow.run(from, to, this.#layer);
      return;
    }
    if (name.startsWith(`${whiteout}${whiteout}`)) return;
    const hidden = name.slice(whiteout.length);
    if (hidden === '' || hidden === '.' || hidden === '..')
      throw new TarError('a whiteout of no name', written);
    const path = join(folder, hidden);
    const [from, to] = below(path);
    this.#drop.run(toKey(path), this.#layer);
    this.#dropBelow.run(from, to, this.#layer);
  }

  /** Adds another name of an existing entry. */
  #link(path: string, { path: written, target }: TarMember): void {
    const found = followPath(this.#read, parseLayerPath(target), { last: false });
    if (found.to !== 'row') throw new TarError('a hard link to what is not there', written);
    const { row } = found;
    if (row.kind === 'link')
      this.#put.run(toKey(path), this.#layer, null, null, null, null, toKey(row.target));
    else this.#put.run(toKey(path), this.#layer, row.layer, row.offset, row.size, row.sha256, null);
  }
}

const placeRules = {
  file: 'it is below a file',
  outside: 'it leads outside the tree',
  links: 'a link above it has no target',
} as const;

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Returns the bounds, both exclusive, of all paths below a folder. */
function below(folder: string): readonly [from: Buffer, to: Buffer] {
  if (folder === '') return [Buffer.alloc(0), Buffer.alloc(filesetLimits.pathBytes + 1, 0xff)];
  // `0` follows `/`
  return [toKey(`${folder}/`), toKey(`${folder}0`)];
}
