import type { Digest } from '../base/digest.ts';
import type { ContentKind } from '../oci/kind.ts';
import type { Owner, TagRecord } from './model.ts';
import { SortedNames } from './sorted-names.ts';

/** One digest of the store, interned: whatever names it points at this object. */
export class Content {
  readonly digest: Digest;
  /** Bytes; -1 while unknown. */
  size = -1;
  /** A file of this name lies among the blobs. */
  present = false;
  /** Its bytes were hashed and made durable, by the ledger's word or by this process. */
  sound = false;
  /** Repositories (shadows included) that reach it from a root. */
  refs = 0;
  /** Repositories in which an upload or mount of it stands. */
  uploads = 0;
  facts: Facts | undefined;
  links: Links | undefined;

  constructor(digest: Digest) {
    this.digest = digest;
  }
}

/** What a manifest says, without its bytes. */
export interface Facts {
  readonly mediaType: string;
  readonly artifactType: string | undefined;
  readonly subject: Content | undefined;
  readonly manifests: readonly Content[];
  readonly blobs: readonly Content[];
}

/** What points at a digest; only manifests and subjects have it. */
export interface Links {
  readonly tags: Tag[];
  /** Repositories that reach it as a manifest. */
  readonly homes: Repository[];
  /** Manifests whose subject it is. */
  readonly referrers: Content[];
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
  readonly shadow: boolean;
  readonly tags: Map<string, Tag> = new Map();
  readonly tagNames: SortedNames = new SortedNames();
  readonly manifests: Map<Content, Membership> = new Map();
  /** How many reached manifests need each blob. */
  readonly blobs: Map<Content, number> = new Map();
  readonly uploads: Map<Content, Upload> = new Map();

  constructor(name: string, shadow: boolean) {
    this.name = name;
    this.shadow = shadow;
  }

  /** Whether anybody can see something in it, pending uploads aside. */
  get isListed(): boolean {
    return this.tags.size > 0 || this.manifests.size > 0;
  }
}
