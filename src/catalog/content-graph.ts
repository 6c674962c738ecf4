import type { Digest } from '../base/digest.ts';
import type { Steps } from '../base/pacer.ts';
import type { Owner } from '../contract/content.ts';
import { type Content, Repository, Tag, type Upload } from './content.ts';
import { linksOf, removeFrom, withItem } from './content-links.ts';
import {
  type ContentChange,
  isSameOwner,
  type ManifestChange,
  type PublishedChange,
  type TagChange,
} from './content-records.ts';
import { ContentTable } from './content-table.ts';
import { FactBook, type LearntFacts } from './fact-book.ts';
import { toSnapshot } from './graph-snapshot.ts';
import type { GraphImage } from './image/columns.ts';
import { fromImage } from './image/from-image.ts';
import { toImage } from './image/to-image.ts';
import { KindTally } from './kind-tally.ts';
import type { Publication } from './model.ts';
import type { PlainManifests } from './plain-manifests.ts';
import { rePoint, withOwner } from './re-point.ts';
import { ReachCounts } from './reach-counts.ts';
import { SharedValues } from './shared-values.ts';
import { SortedNames } from './sorted-names.ts';

/** The target of a tag, and its time. */
type Naming = Pick<Tag, 'content' | 'kind' | 'owners' | 'since'>;

const namingOf = ({ content, kind, owners, since }: Tag): Naming => ({ content, kind, owners, since });

/** Highest place that a record may claim: a higher one, which no store reaches, would leave no places for later tags. */
const latestSince = 2 ** 48;

/**
 * References between repositories, tags, manifests and blobs, counted, so that the cost of a change is proportional to
 * its extent. Applying the same records in the same order always gives the same graph: the store opens and changes in
 * this way.
 */
export class ContentGraph {
  contents: ContentTable;
  repositories: Map<string, Repository> = new Map();
  shadows: Map<string, Repository> = new Map();
  /** Recipes published under tags that have been deleted since, by repository and tag. */
  publications: Map<string, Map<string, Publication>> = new Map();
  /** Names of repositories that have content, shadows included. */
  names: SortedNames = new SortedNames();
  tally: KindTally = new KindTally();
  #counts: ReachCounts;
  /** Last number given to a repository. */
  #numbers = 0;
  /** Last place given to a tag (`StoreIndex.sinceOf`). */
  #since = 0;
  #facts: FactBook;
  #listed = new Set<string>();
  #shared = new SharedValues();
  #loading = false;

  /** @param expected approximate number of digests */
  constructor(expected = 0, contents: ContentTable = new ContentTable(expected)) {
    this.contents = contents;
    this.#counts = new ReachCounts(contents, expected);
    this.#facts = new FactBook(contents, this.#shared);
  }

  /** Makes the graph that an image shows. The columns of the image are used, not copied. */
  static of(image: GraphImage): ContentGraph {
    const graph = new ContentGraph();
    const { figures, pairs, unvouched } = image;
    Object.assign(graph, fromImage(image, graph.#shared));
    const columns = { slots: pairs, used: figures.usedPairs, live: figures.livePairs };
    graph.#counts = new ReachCounts(graph.contents, 0, columns);
    graph.#facts = new FactBook(graph.contents, graph.#shared, unvouched);
    graph.#numbers = figures.lastNumber;
    graph.#since = figures.lastSince;
    for (const side of [graph.repositories, graph.shadows])
      for (const { name, isListed } of side.values()) {
        if (!isListed || graph.#listed.has(name)) continue;
        graph.#listed.add(name);
        graph.names.load(name);
      }
    graph.names.settle();
    return graph;
  }

  /** Returns an image of the graph, as `toImage` does. */
  image(): Steps<GraphImage> {
    const [lastNumber, lastSince] = [this.#numbers, this.#since];
    return toImage(this, {
      pairs: this.#counts.pairs,
      unvouched: this.#facts.unvouched,
      lastNumber,
      lastSince,
    });
  }

  /** Called with the number of content that a manifest has started to reach. */
  set onReached(told: ((id: number) => void) | undefined) {
    this.#counts.onReached = told;
  }

  /** Postpones sorting until `finishLoad`. */
  startLoad(): void {
    this.#loading = true;
  }

  finishLoad(): void {
    this.#loading = false;
    this.names.settle();
    for (const side of [this.repositories, this.shadows])
      for (const repository of side.values()) repository.settle();
  }

  /** Replaces the graph with another. Only while no change is in progress: the identity of content objects changes. */
  become(other: ContentGraph): void {
    const { onReached } = this.#counts;
    this.#counts = other.#counts;
    this.#counts.onReached = onReached;
    this.contents = other.contents;
    this.repositories = other.repositories;
    this.shadows = other.shadows;
    this.publications = other.publications;
    this.names = other.names;
    this.tally = other.tally;
    this.#facts = other.#facts;
    this.#listed = other.#listed;
    this.#numbers = other.#numbers;
    this.#since = other.#since;
  }

  /** Forgets all references; files that are present stay known, without a holder. */
  clear(): void {
    const { contents } = this;
    contents.clear();
    this.become(new ContentGraph(0, contents));
  }

  /** Returns the approximate number of records of `snapshot`. */
  liveRecords(): number {
    let count = 0;
    for (const tags of this.publications.values()) count += tags.size;
    for (const side of [this.repositories, this.shadows])
      for (const repository of side.values()) count += repository.liveRecords;
    return count;
  }

  get(digest: Digest): Content | undefined {
    return this.contents.get(digest);
  }

  isUnvouched({ id }: Pick<Content, 'id'>): boolean {
    return this.#facts.isUnvouched(id);
  }

  /** Returns whether a manifest that is reached in a repository needs a blob. */
  needsBlob(repository: Repository | undefined, { id }: Pick<Content, 'id'>): boolean {
    return repository !== undefined && this.#counts.needsBlob(repository, id);
  }

  /** Returns how many manifests that are reached in a repository need a blob. */
  countNeeds(repository: Repository, { id }: Pick<Content, 'id'>): number {
    return this.#counts.countNeeds(repository, id);
  }

  intern(digest: Digest): Content {
    return this.contents.internContent(digest);
  }

  /** Forgets a digest that no record names and no file has. */
  forget({ id }: Pick<Content, 'id'>): void {
    const { contents } = this;
    if (contents.isPresent(id) || contents.refs[id]! > 0 || contents.uploads[id]! > 0) return;
    if (contents.named[id]! > 0) return;
    const content = contents.peek(id);
    if (content?.facts !== undefined || (content?.links?.members ?? 0) > 0) return;
    contents.delete(id);
  }

  /**
   * Applies one record.
   *
   * @returns content that has no holder any more after this record
   */
  apply(change: ContentChange): readonly Content[] {
    switch (change.op) {
      case 'medium':
        break;
      case 'manifest':
        this.#learn(change);
        break;
      case 'put':
        this.#put(
          this.#repository(change.repo, change.held === true),
          this.intern(change.digest),
          change.pushed === true,
        );
        break;
      case 'tag':
        this.#tag(change);
        break;
      case 'untag': {
        const tag = this.tag(change.repo, change.tag);
        if (tag) this.#untag(tag);
        break;
      }
      case 'disown':
        this.#disown(change.repo, change.tag, change.owner);
        break;
      case 'unhold': {
        const tag = this.shadows.get(change.repo)?.tags.get(change.tag);
        // it is served from now on
        if (tag)
          this.#move(tag, this.#repository(change.repo, false), { ...namingOf(tag), since: this.#next() });
        break;
      }
      case 'drop': {
        const repository = this.repositories.get(change.repo);
        const content = this.contents.get(change.digest);
        if (repository && content) this.#drop(repository, content);
        break;
      }
      case 'upload':
        this.#upload(this.#repository(change.repo, false), this.intern(change.digest), change.size, {
          actor: change.actor,
          at: change.at,
        });
        break;
      case 'unblob': {
        const repository = this.repositories.get(change.repo);
        const content = this.contents.get(change.digest);
        if (repository && content) this.#endUpload(repository, content);
        break;
      }
      case 'published':
        this.#publish(change);
        break;
      case 'unpublished':
        this.publications.delete(change.repo);
        break;
      case 'verified':
        for (const digest of change.digests) {
          const id = this.contents.find(digest);
          if (id !== undefined) this.#facts.vouch(id);
        }
        break;
    }
    return this.#settle();
  }

  /** Applies the oldest record of a manifest that was not taken from `lines`. @returns as `apply` */
  applyPlain(lines: PlainManifests): readonly Content[] {
    this.#count(this.#facts.learnPlain(lines));
    return this.#settle();
  }

  tag(repository: string, tag: string): Tag | undefined {
    return this.repositories.get(repository)?.tags.get(tag) ?? this.shadows.get(repository)?.tags.get(tag);
  }

  /** Returns the aliases whose owners had a tag before other owners pointed it elsewhere. */
  displacedFrom(repository: string, tag: string): readonly Tag[] {
    return [this.repositories, this.shadows].flatMap(
      (side) => side.get(repository)?.displacedFrom(tag) ?? [],
    );
  }

  /** Returns the records from which this graph can be built again, for compaction. */
  snapshot(): Generator<ContentChange> {
    return toSnapshot(this);
  }

  #repository(name: string, shadow: boolean): Repository {
    const side = shadow ? this.shadows : this.repositories;
    let repository = side.get(name);
    if (repository === undefined) {
      this.#numbers += 1;
      repository = new Repository(name, this.#numbers, shadow, this.tally);
      side.set(name, repository);
    }
    return repository;
  }

  #learn(change: ManifestChange): void {
    this.#count(this.#facts.learn(change));
  }

  #count(learnt: LearntFacts | undefined): void {
    if (learnt === undefined) return;
    const { content, facts, replaced } = learnt;
    if (replaced === undefined) this.#counts.learn(content, facts);
    else this.#counts.relearn(content, replaced, facts);
  }

  #put(repository: Repository, content: Content, pushed: boolean): void {
    this.#counts.put(repository, content, pushed);
    this.#list(repository);
  }

  #tag(change: TagChange): void {
    const home = this.#repository(change.repo, change.held === true);
    const content = this.intern(change.digest);
    const old = this.tag(change.repo, change.tag);
    const isSame = old?.content === content && old.home === home;
    const naming = {
      content,
      kind: change.kind,
      owners: isSame ? withOwner(old.owners, change.owner) : [change.owner],
      since: isSame ? old.since : this.#sinceOf(change, home, content),
    };
    if (old === undefined) this.#setTag(home, change.tag, naming);
    else if (old.content !== content && change.keeps === true) this.#rePoint(old, home, naming, change);
    else this.#move(old, home, naming);
  }

  /** The place of a tag that gets content: the one of its alias when the content comes back to it. */
  #sinceOf({ tag, since }: TagChange, home: Repository, content: Content): number {
    if (since !== undefined && since <= latestSince) {
      this.#since = Math.max(this.#since, since);
      return since;
    }
    const alias = home.displacedFrom(tag).find((one) => one.content === content);
    return alias?.since ?? this.#next();
  }

  #next(): number {
    this.#since += 1;
    return this.#since;
  }

  /** Owners that do not follow the tag keep its previous content under an alias. */
  #rePoint(old: Tag, home: Repository, naming: Naming, change: TagChange): void {
    const { owners, kept } = rePoint(old, change.owner, {
      digestAt: (tag) => this.tag(change.repo, tag)?.digest,
      displaced: () => this.displacedFrom(change.repo, change.tag),
    });
    if (kept) {
      const alias = this.tag(change.repo, kept.tag);
      const all = kept.owners.reduce(withOwner, alias?.owners ?? []);
      const place = alias !== undefined && !alias.held ? alias.home : old.home;
      const previous = { ...namingOf(old), owners: all };
      if (alias) this.#move(alias, place, previous);
      else this.#setTag(place, kept.tag, previous);
    }
    this.#move(old, home, { ...naming, owners });
  }

  #publish({ repo, tag, digest, document }: PublishedChange): void {
    const tags = this.publications.get(repo) ?? new Map<string, Publication>();
    tags.set(tag, { digest, ...(document === undefined ? {} : { document }) });
    this.publications.set(repo, tags);
  }

  #disown(name: string, tagName: string, owner: Owner): void {
    const tag = this.tag(name, tagName);
    if (tag === undefined) return;
    const owners = tag.owners.filter((other) => !isSameOwner(other, owner));
    if (owners.length === tag.owners.length) return;
    if (owners.length === 0) this.#untag(tag);
    else this.#move(tag, tag.home, { ...namingOf(tag), owners });
  }

  /** Links the new holder before the old one is unlinked, so that no shared count falls to zero in between. */
  #move(old: Tag, home: Repository, naming: Naming): void {
    const { content } = naming;
    const kept = old.home === home;
    if (kept) {
      removeFrom(linksOf(old.content).tags, old);
      home.setTag(this.#newTag(home, old.tag, naming));
      if (old.content === content) return;
      this.#counts.link(home, content);
      this.#counts.unlink(home, old.content);
      this.#list(home);
      return;
    }
    this.#setTag(home, old.tag, naming);
    this.#untag(old);
  }

  #newTag(home: Repository, tag: string, naming: Naming): Tag {
    const made = new Tag(home, { ...naming, tag, owners: this.#shared.owners(naming.owners) });
    const links = linksOf(naming.content);
    links.tags = withItem(links.tags, made);
    return made;
  }

  #setTag(home: Repository, tag: string, naming: Naming): void {
    home.setTag(this.#newTag(home, tag, naming));
    if (this.#loading) home.tagNames.load(tag);
    else home.tagNames.add(tag);
    this.#list(home);
    this.#counts.link(home, naming.content);
  }

  #untag(tag: Tag): void {
    const { home, content } = tag;
    removeFrom(linksOf(content).tags, tag);
    home.deleteTag(tag);
    home.tagNames.delete(tag.tag);
    this.#counts.unlink(home, content);
    this.#list(home);
  }

  #drop(repository: Repository, content: Content): void {
    for (const tag of [...(content.links?.tags ?? [])]) if (tag.home === repository) this.#untag(tag);
    this.#counts.drop(repository, content);
    this.#list(repository);
  }

  #upload(repository: Repository, content: Content, size: number, upload: Upload): void {
    if (content.size < 0) content.size = size;
    if (this.needsBlob(repository, content)) return;
    if (!repository.uploads.has(content)) content.uploads += 1;
    repository.uploads.set(content, upload);
  }

  #endUpload(repository: Repository, content: Content): void {
    if (!repository.uploads.delete(content)) return;
    content.uploads -= 1;
    this.#counts.release(content);
    this.#tidy(repository);
  }

  /** Updates the sorted names and drops a repository object that has become empty. */
  #list(repository: Repository): void {
    const { name } = repository;
    if (repository.isListed && this.#listed.has(name)) return;
    const isListed =
      this.repositories.get(name)?.isListed === true || this.shadows.get(name)?.isListed === true;
    if (isListed && !this.#listed.has(name)) {
      this.#listed.add(name);
      if (this.#loading) this.names.load(name);
      else this.names.add(name);
    } else if (!isListed && this.#listed.delete(name)) {
      this.names.delete(name);
    }
    this.#tidy(repository);
  }

  #tidy(repository: Repository): void {
    if (repository.isListed || repository.uploads.size > 0) return;
    const side = repository.shadow ? this.shadows : this.repositories;
    if (side.get(repository.name) === repository) side.delete(repository.name);
  }

  /** Drops the facts of content without a holder, as the ledger no longer has them either. */
  #settle(): readonly Content[] {
    const released = this.#counts.takeReleased();
    if (released.size === 0) return [];
    const gone: Content[] = [];
    for (const content of released) {
      if (content.refs > 0 || content.uploads > 0 || (content.links?.members ?? 0) > 0) continue;
      const facts = this.#facts.drop(content);
      this.contents.unvouch(content.id);
      // only the process that wrote a file knows that the file is whole
      if (this.#loading) content.sound = false;
      if (facts?.subject) {
        removeFrom(linksOf(facts.subject).referrers, content);
        this.forget(facts.subject);
      }
      gone.push(content);
    }
    return gone;
  }
}
