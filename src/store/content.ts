import type { Digest } from '../base/digest.ts';
import type { ContentKind } from '../oci/kind.ts';
import { isAttachmentTag } from '../oci/reference.ts';
import type { ContentTable } from './content-table.ts';
import type { Owner, TagRecord } from './model.ts';
import { SortedNames } from './sorted-names.ts';

/**
 * One digest of the store. There is one object a digest while anything holds it; its figures lie in the table, so that
 * a digest which nobody asks for (most blobs) needs no object at all.
 */
export class Content {
  readonly #table: ContentTable;
  readonly id: number;
  facts: Facts | undefined;
  links: Links | undefined;

  constructor(table: ContentTable, id: number) {
    this.#table = table;
    this.id = id;
  }

  get digest(): Digest {
    return this.#table.digestOf(this.id);
  }

  /** Bytes; -1 while unknown. */
  get size(): number {
    return this.#table.sizes[this.id]!;
  }
  set size(size: number) {
    this.#table.sizes[this.id] = size;
  }

  /** A file of this name lies among the blobs. */
  get present(): boolean {
    return this.#table.isPresent(this.id);
  }
  set present(present: boolean) {
    this.#table.setPresent(this.id, present);
  }

  /** Its bytes were hashed and made durable, by the ledger's word or by this process. */
  get sound(): boolean {
    return this.#table.isSound(this.id);
  }
  set sound(sound: boolean) {
    this.#table.setSound(this.id, sound);
  }

  /** Repositories (shadows included) that reach it from a root. */
  get refs(): number {
    return this.#table.refs[this.id]!;
  }
  set refs(refs: number) {
    this.#table.refs[this.id] = refs;
  }

  /** Repositories in which an upload or mount of it stands. */
  get uploads(): number {
    return this.#table.uploads[this.id]!;
  }
  set uploads(uploads: number) {
    this.#table.uploads[this.id] = uploads;
  }
}

/** What a manifest says, without its bytes. */
export interface Facts {
  readonly mediaType: string;
  readonly artifactType: string | undefined;
  readonly subject: Content | undefined;
  readonly manifests: readonly Content[];
  /** Numbers in the table. */
  readonly blobs: readonly number[];
}

/** What points at a digest; only manifests and subjects have it. */
export interface Links {
  tags: Tag[];
  /** Repositories that reach it as a manifest. */
  homes: Repository[];
  /** Manifests whose subject it is. */
  referrers: Content[];
  /** Repositories it was put into, reached or not. */
  members: number;
}

export class Tag {
  readonly home: Repository;
  readonly tag: string;
  readonly content: Content;
  readonly kind: ContentKind;
  readonly owners: readonly Owner[];

  constructor(home: Repository, tag: string, content: Content, kind: ContentKind, owners: readonly Owner[]) {
    this.home = home;
    this.tag = tag;
    this.content = content;
    this.kind = kind;
    this.owners = owners;
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

/** How a repository holds a manifest. */
export interface Membership {
  /** Tags, reaching parents and subject of this repository, and one more when it was pushed. */
  refs: number;
  put: boolean;
  pushed: boolean;
  /** Counted in `refs` because its subject is reached. */
  bySubject: boolean;
}

export interface Upload {
  readonly actor: string;
  readonly at: number;
}

/** One repository. Its shadow, of the same name, has what is held: listed by name and not served. */
export class Repository {
  readonly name: string;
  /** Its own in a graph, and never another's. */
  readonly number: number;
  readonly shadow: boolean;
  readonly #tags: Map<string, Tag> = new Map();
  /** How many versions there are of each kind; tags of signatures and fallback indexes are none. */
  readonly #kinds: Map<ContentKind, number> = new Map();
  readonly tagNames: SortedNames = new SortedNames();
  readonly manifests: Map<Content, Membership> = new Map();
  readonly uploads: Map<Content, Upload> = new Map();

  constructor(name: string, number: number, shadow: boolean) {
    this.name = name;
    this.number = number;
    this.shadow = shadow;
  }

  get tags(): ReadonlyMap<string, Tag> {
    return this.#tags;
  }

  get kinds(): ReadonlyMap<ContentKind, number> {
    return this.#kinds;
  }

  setTag(tag: Tag): void {
    const old = this.#tags.get(tag.tag);
    if (old !== undefined) this.#count(old, -1);
    this.#tags.set(tag.tag, tag);
    this.#count(tag, 1);
  }

  deleteTag(tag: Tag): void {
    if (this.#tags.delete(tag.tag)) this.#count(tag, -1);
  }

  #count({ tag, kind }: Tag, change: 1 | -1): void {
    if (isAttachmentTag(tag)) return;
    const count = (this.#kinds.get(kind) ?? 0) + change;
    if (count > 0) this.#kinds.set(kind, count);
    else this.#kinds.delete(kind);
  }

  /** Whether anybody can see something in it, pending uploads aside. */
  get isListed(): boolean {
    return this.tags.size > 0 || this.manifests.size > 0;
  }
}
