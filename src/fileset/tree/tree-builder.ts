import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { findRpmRepositories } from '../../client/package-repositories.ts';
import { TarError } from '../../disk/tar/error.ts';
import type { TarMember } from '../../disk/tar/reader.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { filesetLimits } from '../limits.ts';
import { isRpmName } from '../package-check/rpm-signature.ts';
import { parseLayerPath } from './layer-path.ts';
import { LinkWalk, parentOf } from './link-walk.ts';
import { listFolders } from './list-folders.ts';
import {
  below,
  createRowReader,
  type FileRow,
  fromKey,
  type TreeTable,
  toKey,
  treeSchema,
} from './tree-rows.ts';

/**
 * Lists the repositories of a merged tree that have a package without a signature of its own, by the path of `repomd.xml`. A
 * package is of the nearest repository above it.
 */
function listUnsignedRepositories(database: DatabaseSync): void {
  const paths = database
    .prepare('SELECT path FROM package_index')
    .all()
    .map(({ path }) => fromKey(path));
  const folders = new Set(findRpmRepositories(paths).map(({ folder }) => folder));
  const found = new Set<string>();
  if (folders.size === 0) return;
  const put = database.prepare('INSERT INTO unsigned_repository (path) VALUES (?)');
  const files = database.prepare(
    'SELECT path FROM entry WHERE sha256 IN (SELECT sha256 FROM unsigned_file) ORDER BY path',
  );
  for (const { path } of files.iterate()) {
    const name = fromKey(path);
    if (!isRpmName(name)) continue;
    const folder = selectNearest(name, folders);
    if (folder === undefined || found.has(folder)) continue;
    found.add(folder);
    put.run(toKey(`${folder === '' ? '' : `${folder}/`}repodata/repomd.xml`));
    if (found.size === folders.size) return;
  }
}

/** The last folder above a path that is one of some folders. */
function selectNearest(path: string, folders: ReadonlySet<string>): string | undefined {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const folder = path.slice(0, at);
    if (folders.has(folder)) return folder;
  }
  return folders.has('') ? '' : undefined;
}

/** Links that are read before their ends are written. */
const batch = 1000;

/**
 * Records where each link of a merged tree leads, so that a reader looks up only the names of the requested path.
 *
 * @throws TarError when the links lead over too many names
 */
function resolveLinks(database: DatabaseSync, walk: LinkWalk): void {
  const select = database.prepare(
    `SELECT path, target FROM entry WHERE target IS NOT NULL AND path > ? ORDER BY path LIMIT ${batch}`,
  );
  const put = database.prepare('UPDATE entry SET place = ?, links = ? WHERE path = ?');
  for (let after = ''; ; ) {
    const rows = select.all(toKey(after));
    for (const { path: key, target: written } of rows) {
      const path = fromKey(key);
      const target = fromKey(written);
      const start = target.startsWith('/') ? '' : parentOf(path);
      const found = walk.follow(start, target.split('/'), { last: true, links: 1 });
      if (found.to !== 'nowhere')
        put.run(found.path === '' ? null : toKey(found.path), found.links, toKey(path));
      after = path;
    }
    if (rows.length < batch) return;
  }
}

/** Names of the files of the repositories of apt and dnf. */
const names = [
  'InRelease',
  'Release',
  'Release.gpg',
  'Packages',
  'Packages.gz',
  'Packages.xz',
  'Packages.zst',
  'repomd.xml',
  'repomd.xml.asc',
] as const;

/** More in one FileSet are not listed. */
const most = 10_000;

/** Lists the indexes of package repositories in any folder of a merged tree in a table of their own. */
function listPackageIndexes(database: DatabaseSync): void {
  const where = names.map(() => 'path = ? OR substr(path, -?) = ?').join(' OR ');
  const values = names.flatMap((name) => [toKey(name), name.length + 1, toKey(`/${name}`)]);
  database
    .prepare(
      `INSERT INTO package_index SELECT path FROM entry WHERE layer IS NOT NULL AND (${where}) ORDER BY path LIMIT ?`,
    )
    .run(...values, most);
}

const whiteout = '.wh.';
const opaque = '.wh..wh..opq';

/** Statements over one table of rows. */
interface Table {
  readonly put: StatementSync;
  readonly drop: StatementSync;
  readonly dropBelow: StatementSync;
  readonly dropPlain: StatementSync;
}

function openTable(database: DatabaseSync, table: TreeTable): Table {
  return {
    put: database.prepare(
      `INSERT OR REPLACE INTO ${table} (path, layer, offset, size, sha256, target) VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    drop: database.prepare(`DELETE FROM ${table} WHERE path = ?`),
    dropBelow: database.prepare(`DELETE FROM ${table} WHERE path > ? AND path < ?`),
    dropPlain: database.prepare(
      `DELETE FROM ${table} WHERE path = ? AND (layer IS NOT NULL OR target IS NOT NULL)`,
    ),
  };
}

/**
 * Merges layers, the lowest first, into a table (OCI image specification, Image Layer Filesystem Changeset). Later
 * entries replace earlier ones; whiteouts remove entries of lower layers. Devices and pipes are not part of the tree,
 * but replace an entry of the same name. Every row is written, moved and removed once in its layer, so that the time
 * grows with the number of headers. Blocks: use it in a thread.
 */
export class TreeBuilder {
  readonly #database: DatabaseSync;
  readonly #walk: LinkWalk;
  /** The lower layers. */
  readonly #lower: Table;
  readonly #upper: Table;
  readonly #note: StatementSync;
  #layer = 0;
  /** Table of the layer: the lowest layer has no rows to tell from its own. */
  #own: Table;
  /** The folder of the last entry, as written, and its path in the tree. */
  #folder: { readonly named: string; readonly path: string } | undefined;

  /** @param database empty; all changes are in one transaction, which the caller ends */
  constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec(treeSchema);
    this.#lower = openTable(database, 'entry');
    this.#upper = openTable(database, 'upper');
    this.#note = database.prepare('INSERT OR IGNORE INTO unsigned_file (sha256) VALUES (?)');
    this.#own = this.#lower;
    const readUpper = createRowReader(database, 'upper');
    const readLower = createRowReader(database, 'entry');
    const find = (table: TreeTable) =>
      database.prepare(`SELECT 1 FROM ${table} WHERE path > ? AND path < ? LIMIT 1`);
    const [findUpper, findLower] = [find('upper'), find('entry')];
    this.#walk = new LinkWalk({
      read: (path) => (this.#isUpper ? readUpper(path) : undefined) ?? readLower(path),
      hasBelow: (path) => {
        const range = below(path);
        return findLower.get(...range) !== undefined || findUpper.get(...range) !== undefined;
      },
    });
  }

  get #isUpper(): boolean {
    return this.#own === this.#upper;
  }

  /** Starts a layer, which is higher than the one before. */
  beginLayer(layer: number): void {
    this.#layer = layer;
    this.#own = layer === 0 ? this.#lower : this.#upper;
    this.#folder = undefined;
  }

  endLayer(): void {
    if (!this.#isUpper) return;
    this.#database.exec('INSERT OR REPLACE INTO entry SELECT * FROM upper; DELETE FROM upper');
    this.#own = this.#lower;
  }

  /**
   * Ends the tree after its last layer.
   *
   * @param isRead false for a tree that is only judged: nobody looks at its folders
   * @throws TarError
   */
  end({ isRead }: { readonly isRead: boolean }): void {
    resolveLinks(this.#database, this.#walk);
    listPackageIndexes(this.#database);
    listUnsignedRepositories(this.#database);
    if (isRead) listFolders(this.#database);
    this.#database.exec('DROP TABLE upper; DROP TABLE unsigned_file');
  }

  /**
   * Adds one member of the layer.
   *
   * @param sha256 digest of its bytes, for a file
   * @throws TarError
   */
  add(member: TarMember, sha256: Uint8Array | undefined): void {
    this.#walk.allow();
    const { type, path: written } = member;
    const names = parseLayerPath(written);
    const name = names.at(-1);
    if (name === undefined) {
      if (type !== 'folder')
        throw new TarError(rule(['the root is not a folder', fr`la racine n’est pas un dossier`]), written);
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
    if (path.length > filesetLimits.pathBytes)
      throw new TarError(rule(['its links make it too long', fr`ses liens le rendent trop long`]), written);
    if (type === 'folder') {
      this.#openFolder(path);
      return;
    }
    this.#clear(path);
    switch (type) {
      case 'file':
        this.#putFile(path, { ...member, layer: this.#layer, sha256: sha256! });
        return;
      case 'link':
        if (member.target === '' || member.target.length > filesetLimits.pathBytes)
          throw new TarError(
            rule(['a link that cannot be followed', fr`un lien qui ne peut pas être suivi`]),
            written,
          );
        this.#putLink(path, member.target);
        return;
      case 'hard-link':
        this.#link(path, member);
    }
  }

  /** Notes that a package has no signature of its own. @param sha256 digest of its bytes */
  noteUnsigned(sha256: Uint8Array): void {
    this.#note.run(sha256);
  }

  #putFile(path: string, { layer, offset, size, sha256 }: Omit<FileRow, 'kind'>): void {
    this.#own.put.run(toKey(path), layer, offset, size, sha256, null);
    this.#walk.fill(path);
  }

  #putLink(path: string, target: string): void {
    this.#own.put.run(toKey(path), null, null, null, null, toKey(target));
    this.#walk.fill(path);
  }

  /** Returns the folder that names lead to through the links of the tree. @throws TarError */
  #place(names: readonly string[], written: string): string {
    const named = names.join('/');
    if (this.#folder?.named === named) return this.#folder.path;
    const found = this.#walk.follow('', names, { last: true });
    if (found.to === 'no-row') {
      this.#folder = { named, path: found.path };
      return found.path;
    }
    const why = found.to === 'row' ? 'file' : found.why;
    throw new TarError(placeRules[why], written);
  }

  /** Adds a folder; its content stays. */
  #openFolder(path: string): void {
    const key = toKey(path);
    const tables = this.#isUpper ? [this.#lower, this.#upper] : [this.#lower];
    for (const { dropPlain } of tables) if (dropPlain.run(key).changes > 0) this.#folder = undefined;
    this.#own.put.run(key, null, null, null, null, null);
  }

  /** Removes the entries at a path and below it, of every layer. */
  #clear(path: string): void {
    this.#dropAll(this.#lower, path);
    if (this.#isUpper) this.#dropAll(this.#upper, path);
    // names that led into it may lead elsewhere now
    const { named = '', path: place = '' } = this.#folder ?? {};
    if ([named, place].some((one) => one === path || one.startsWith(`${path}/`))) this.#folder = undefined;
  }

  #dropAll(table: Table, path: string): void {
    const { changes } = table.drop.run(toKey(path));
    const { changes: more } = table.dropBelow.run(...below(path));
    if (changes > 0 || more > 0) this.#walk.remove();
  }

  /** Applies a whiteout: only lower layers have rows in its table. */
  #takeAway(folder: string, name: string, written: string): void {
    this.#folder = undefined;
    const isOpaque = name === opaque;
    if (!isOpaque && name.startsWith(`${whiteout}${whiteout}`)) return;
    const hidden = name.slice(whiteout.length);
    if (hidden === '' || hidden === '.' || hidden === '..')
      throw new TarError(rule(['a whiteout of no name', fr`une suppression sans nom`]), written);
    if (!this.#isUpper) return;
    if (!isOpaque) this.#dropAll(this.#lower, join(folder, hidden));
    else {
      if (folder === '') this.#database.exec('DELETE FROM entry');
      else this.#lower.dropBelow.run(...below(folder));
      this.#walk.remove();
    }
  }

  /** Adds another name of an existing entry. */
  #link(path: string, { path: written, target }: TarMember): void {
    const found = this.#walk.follow('', parseLayerPath(target), { last: false });
    if (found.to !== 'row')
      throw new TarError(
        rule(['a hard link to what is not there', fr`un lien physique vers un fichier absent`]),
        written,
      );
    const { row } = found;
    if (row.kind === 'link') this.#putLink(path, row.target);
    else this.#putFile(path, row);
  }
}

const placeRules = {
  file: rule(['it is below a file', fr`il est sous un fichier`]),
  outside: rule(['it leads outside the tree', fr`il mène hors de l’arborescence`]),
  links: rule(['a link above it has no target', fr`un lien au-dessus n’a pas de cible`]),
} as const;

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
