import type { Digest } from '../base/digest.ts';
import type { Owner } from '../contract/content.ts';
import type { ContentKind } from '../oci/kind.ts';
import { isAttachmentTag } from '../oci/reference.ts';
import { selectNewest } from '../recipe/version.ts';
import { none } from './content-links.ts';
import type { ContentTable } from './content-table.ts';
import type { StoredGraph } from './image/stored-graph.ts';
import type { KindTally } from './kind-tally.ts';
import type { TagRecord } from './model.ts';
import { SortedNames } from './sorted-names.ts';

/**
 * One digest of the store. A digest has one object while it has a holder. Its figures are in the table, so that a digest
 * that is never requested (most blobs) needs no object at all.
 */
export class Content {
  readonly #table: ContentTable;
  readonly id: number;
  #facts: Facts | undefined;
  #links: Links | undefined;
  /** Where its facts and its links are until they are requested. */
  #storedFacts: StoredGraph | undefined;
  #storedLinks: StoredGraph | undefined;

  constructor(table: ContentTable, id: number, stored?: StoredGraph) {
    this.#table = table;
    this.id = id;
    this.#storedFacts = stored;
    this.#storedLinks = stored;
  }

  get facts(): Facts | undefined {
    if (this.#storedFacts !== undefined) this.facts = this.#storedFacts.factsOf(this.id);
    return this.#facts;
  }
  set facts(facts: Facts | undefined) {
    this.#storedFacts = undefined;
    this.#facts = facts;
  }

  get links(): Links | undefined {
    if (this.#storedLinks !== undefined) this.links = this.#storedLinks.linksOf(this.id);
    return this.#links;
  }
  set links(links: Links | undefined) {
    this.#storedLinks = undefined;
    this.#links = links;
  }

  /** The referrers among its links: where links are stored, the others are not read for them. */
  get referrers(): readonly Content[] {
    return this.#storedLinks?.referrersOf(this.id) ?? this.#links?.referrers ?? none;
  }

  get digest(): Digest {
    return this.#table.digestOf(this.id);
  }

  /** Bytes; -1 while unknown. */
  get size(): number {
    return this.#table.sizes[this.id]!;
  }
  set size(size: number) {
    this.#table.setSize(this.id, size);
  }

  /** Whether the store has a blob file of this digest. */
  get present(): boolean {
    return this.#table.isPresent(this.id);
  }
  set present(present: boolean) {
    this.#table.setPresent(this.id, present);
  }

  /** Whether its bytes were hashed and made durable, according to the ledger or by this process. */
  get sound(): boolean {
    return this.#table.isSound(this.id);
  }
  set sound(sound: boolean) {
    this.#table.setSound(this.id, sound);
  }

  /**
   * Whether this process wrote or hashed the file, or found that it was not changed while the store was not in use by
   * this instance. Without this, an earlier process recorded `sound`.
   */
  get settled(): boolean {
    return this.#table.isSettled(this.id);
  }
  settle(): void {
    this.#table.settle(this.id);
  }

  /** Number of repositories (shadows included) that reach it from a root. */
  get refs(): number {
    return this.#table.refs[this.id]!;
  }

  /** Number of repositories with an upload or mount of this content. */
  get uploads(): number {
    return this.#table.uploads[this.id]!;
  }
  set uploads(uploads: number) {
    this.#table.uploads[this.id] = uploads;
  }
}

/** Content of a manifest that the graph needs, without its bytes. */
export interface Facts {
  readonly mediaType: string;
  readonly artifactType: string | undefined;
  readonly subject: Content | undefined;
  readonly manifests: readonly Content[];
  /** Numbers of the blobs in the table. */
  readonly blobs: readonly number[];
}

/** References to a digest; only manifests and subjects have them. */
export interface Links {
  tags: Tag[];
  /** Repositories that reach it as a manifest. */
  homes: Repository[];
  /** Manifests whose subject it is. */
  referrers: Content[];
  /** Number of repositories it was put into, reached or not. */
  members: number;
}

export class Tag {
  readonly home: Repository;
  readonly tag: string;
  readonly content: Content;
  readonly kind: ContentKind;
  readonly owners: readonly Owner[];
  /** As of `StoreIndex.sinceOf`. */
  readonly since: number;

  constructor(
    home: Repository,
    { tag, content, kind, owners, since }: Pick<Tag, 'tag' | 'content' | 'kind' | 'owners' | 'since'>,
  ) {
    this.home = home;
    this.tag = tag;
    this.content = content;
    this.kind = kind;
    this.owners = owners;
    this.since = since;
  }

  get digest(): Digest {
    return this.content.digest;
  }

  get held(): boolean {
    return this.home.shadow;
  }

  toRecord(): TagRecord {
    const { home, tag, digest, kind, owners, held } = this;
    return { repository: home.name, tag, digest, kind, owners, held };
  }
}

/** Holders of a manifest in a repository. */
export interface Membership {
  /** Tags, reaching parents and subject in this repository, plus one if it was pushed. */
  refs: number;
  put: boolean;
  pushed: boolean;
  /** Counted in `refs` because its subject is reached. */
  bySubject: boolean;
}

/**
 * Bytes of everything present that a repository reaches, each file counted once. Counted on with each reference, and
 * invalid once content that is reached anywhere appears, disappears or changes its size: `shifts` of the table has grown.
 */
export interface KnownSize {
  bytes: number;
  readonly shifts: number;
}

export interface Upload {
  readonly actor: string;
  readonly at: number;
}

/** Tags and manifests of a repository of an image, which are read when they are requested. */
export interface StoredRepository {
  /** Numbers of its tags and manifests. */
  readonly tags: number;
  readonly manifests: number;
  /** As of `Repository`. */
  readonly hasUnreached: boolean;
  listTags(home: Repository): Iterable<Tag>;
  listManifests(): Iterable<readonly [Content, Membership]>;
}

/** One repository. Its shadow, of the same name, has the held content, which is listed by name and not served. */
export class Repository {
  readonly name: string;
  /** Unique in a graph and never reused. */
  readonly number: number;
  readonly shadow: boolean;
  readonly #tags: Map<string, Tag> = new Map();
  /** Number of versions of each kind; tags of signatures and fallback indexes are not counted. */
  readonly #kinds: Map<ContentKind, number> = new Map();
  readonly #tagNames: SortedNames = new SortedNames();
  /** Names of aliases, by the tags that their owners had before. */
  #displaced: Map<string, Set<string>> | undefined;
  readonly #manifests: Map<Content, Membership> = new Map();
  readonly uploads: Map<Content, Upload> = new Map();
  /** Number of versions with each list of owners. Tags share their lists, so there are few. */
  readonly #owners: Map<readonly Owner[], number> = new Map();
  readonly #tally: KindTally;
  /** The newest version, once it was requested: held up to date as tags change, forgotten when it goes. */
  #newest: string | undefined;
  /** Its size, if it was requested, as of a number of shifts of the table (see `KnownSize`). */
  size: KnownSize | undefined;
  /** Where its tags and manifests are until they are requested. */
  #stored: StoredRepository | undefined;

  /**
   * @param tally of the graph that the repository is in
   * @param stored its tags and manifests, which the tally counts already
   */
  constructor(name: string, number: number, shadow: boolean, tally: KindTally, stored?: StoredRepository) {
    this.name = name;
    this.number = number;
    this.shadow = shadow;
    this.#tally = tally;
    this.#stored = stored;
  }

  get tags(): ReadonlyMap<string, Tag> {
    this.load();
    return this.#tags;
  }

  get tagNames(): SortedNames {
    this.load();
    return this.#tagNames;
  }

  get manifests(): Map<Content, Membership> {
    this.load();
    return this.#manifests;
  }

  get kinds(): ReadonlyMap<ContentKind, number> {
    this.load();
    return this.#kinds;
  }

  /** Lists of owners that versions have, each once. */
  get owners(): Iterable<readonly Owner[]> {
    this.load();
    return this.#owners.keys();
  }

  /** The newest version; the first call reads every tag. Undefined without versions. */
  get newest(): string | undefined {
    this.#newest ??= selectNewest([...this.tags.keys()].filter((tag) => !isAttachmentTag(tag)));
    return this.#newest;
  }

  /** Approximate number of records of `snapshot`. */
  get liveRecords(): number {
    const { tags, manifests } = this.#stored ?? { tags: this.#tags.size, manifests: this.#manifests.size };
    return tags + 2 * manifests + this.uploads.size;
  }

  /** Whether it has a manifest that was put and that nothing reaches. */
  get hasUnreached(): boolean {
    if (this.#stored !== undefined) return this.#stored.hasUnreached;
    for (const { put, refs } of this.#manifests.values()) if (put && refs === 0) return true;
    return false;
  }

  /** Reads its tags and manifests, where they are stored. */
  load(): void {
    const stored = this.#stored;
    if (stored === undefined) return;
    this.#stored = undefined;
    for (const tag of stored.listTags(this)) {
      this.#tags.set(tag.tag, tag);
      this.#tagNames.load(tag.tag);
      this.#displace(tag);
      if (!isAttachmentTag(tag.tag)) this.#countVersion(tag, 1);
    }
    this.#tagNames.settle();
    for (const [content, membership] of stored.listManifests()) this.#manifests.set(content, membership);
  }

  /** Sorts the names of tags that were added in bulk. */
  settle(): void {
    this.#tagNames.settle();
  }

  setTag(tag: Tag): void {
    const old = this.tags.get(tag.tag);
    if (old !== undefined) this.#leave(old);
    this.#tags.set(tag.tag, tag);
    this.#count(tag, 1);
    this.#displace(tag);
  }

  deleteTag(tag: Tag): void {
    this.load();
    if (this.#tags.delete(tag.tag)) this.#leave(tag);
  }

  #displace(tag: Tag): void {
    for (const { displaced } of tag.owners) {
      if (displaced === undefined) continue;
      this.#displaced ??= new Map();
      const aliases = this.#displaced.get(displaced.tag) ?? new Set();
      this.#displaced.set(displaced.tag, aliases.add(tag.tag));
    }
  }

  /** Aliases whose owners had a tag before others pointed it elsewhere. */
  displacedFrom(tag: string): readonly Tag[] {
    this.load();
    return [...(this.#displaced?.get(tag) ?? [])].map((alias) => this.#tags.get(alias)!);
  }

  #leave(tag: Tag): void {
    this.#count(tag, -1);
    for (const { displaced } of tag.owners) {
      const aliases = displaced && this.#displaced?.get(displaced.tag);
      if (aliases?.delete(tag.tag) && aliases.size === 0) this.#displaced?.delete(displaced!.tag);
    }
  }

  #count(one: Tag, change: 1 | -1): void {
    const { tag, kind } = one;
    this.#tally.touch(kind);
    if (isAttachmentTag(tag)) return;
    this.#tally.versions += change;
    if (this.#newest !== undefined) {
      if (change > 0) this.#newest = selectNewest([this.#newest, tag]);
      else if (this.#newest === tag) this.#newest = undefined;
    }
    const had = this.#kinds.has(kind);
    this.#countVersion(one, change);
    if (had !== this.#kinds.has(kind)) this.#tally.countSide(this.name, kind, change);
  }

  /** Counts a version here, and not in the graph. */
  #countVersion({ kind, owners }: Tag, change: 1 | -1): void {
    const count = (this.#kinds.get(kind) ?? 0) + change;
    if (count > 0) this.#kinds.set(kind, count);
    else this.#kinds.delete(kind);
    const owned = (this.#owners.get(owners) ?? 0) + change;
    if (owned > 0) this.#owners.set(owners, owned);
    else this.#owners.delete(owners);
  }

  /** Whether clients can see content in it, pending uploads aside. */
  get isListed(): boolean {
    const { tags, manifests } = this.#stored ?? { tags: this.#tags.size, manifests: this.#manifests.size };
    return tags > 0 || manifests > 0;
  }
}
