import type { Content, Facts, Membership, Repository } from './content.ts';
import { linksOf, removeFrom, withItem } from './content-links.ts';
import type { ContentTable } from './content-table.ts';
import { type PairColumns, PairCounts } from './pair-counts.ts';

/**
 * Counts which repositories reach which content. The cost of adding or removing a holder is proportional to the content
 * that it alone reaches.
 */
export class ReachCounts {
  readonly #contents: ContentTable;
  /** Called with the number of content that a manifest has started to reach. */
  onReached: ((id: number) => void) | undefined;
  #released = new Set<Content>();
  /** Number of reached manifests of a repository (by its number) that need a blob (by its number in the table). */
  readonly #blobs: PairCounts;

  /**
   * @param expected approximate number of pairs of a repository and a blob
   * @param pairs counted before
   */
  constructor(contents: ContentTable, expected: number, pairs?: PairColumns) {
    this.#contents = contents;
    this.#blobs = pairs === undefined ? new PairCounts(expected) : PairCounts.of(pairs);
  }

  /** The pairs of a repository and a blob, without copies. */
  get pairs(): PairColumns {
    return this.#blobs.columns;
  }

  /** Returns the content that has lost a holder since the last call; it may have others. */
  takeReleased(): ReadonlySet<Content> {
    const released = this.#released;
    if (released.size > 0) this.#released = new Set();
    return released;
  }

  /** Returns whether a manifest that is reached in a repository needs a blob. */
  needsBlob(repository: Repository, id: number): boolean {
    return this.#blobs.has(repository.number, id);
  }

  /** Returns how many manifests that are reached in a repository need a blob. */
  countNeeds(repository: Repository, id: number): number {
    return this.#blobs.count(repository.number, id);
  }

  release(content: Content): void {
    this.#released.add(content);
  }

  /** Adds a manifest to a repository; `pushed` is a holder by itself. */
  put(repository: Repository, content: Content, pushed: boolean): void {
    const membership = this.#membership(repository, content);
    if (!membership.put) {
      membership.put = true;
      linksOf(content).members += 1;
    }
    if (pushed && !membership.pushed) {
      membership.pushed = true;
      this.link(repository, content);
    }
    const subject = content.facts?.subject;
    if (subject?.links?.homes.includes(repository)) this.#holdBySubject(repository, content);
  }

  /** Removes a manifest from a repository; tags and parents there may still reach it. */
  drop(repository: Repository, content: Content): void {
    const membership = repository.manifests.get(content);
    if (membership === undefined) return;
    let count = 0;
    if (membership.pushed) count += 1;
    if (membership.bySubject) count += 1;
    membership.pushed = false;
    membership.bySubject = false;
    this.#leave(content, membership);
    if (membership.refs === 0) repository.manifests.delete(content);
    for (; count > 0; count -= 1) this.unlink(repository, content);
  }

  /** Adds the facts of a manifest: the repositories that reach it now reach its references too. */
  learn(content: Content, { subject }: Facts): void {
    for (const home of content.links?.homes ?? [])
      for (const next of this.#expand(home, content)) this.link(home, next);
    this.#joinSubject(content, subject);
  }

  /** Corrects the facts of a manifest. Content that both versions reach is held throughout. */
  relearn(content: Content, before: Facts, after: Facts): void {
    const homes = [...(content.links?.homes ?? [])];
    const isMoved = before.subject !== after.subject;
    const left = isMoved ? this.#leaveSubject(content, before.subject) : [];
    if (isMoved) this.#joinSubject(content, after.subject);
    for (const home of homes) for (const next of this.#expand(home, content)) this.link(home, next);
    for (const home of homes) {
      this.#releaseBlobs(home, before);
      for (const child of before.manifests) this.unlink(home, child);
    }
    for (const home of left) this.unlink(home, content);
  }

  /** Adds one holder of a manifest in a repository. */
  link(repository: Repository, first: Content): void {
    const todo = [first];
    for (let content = todo.pop(); content !== undefined; content = todo.pop()) {
      const membership = this.#membership(repository, content);
      membership.refs += 1;
      if (membership.refs > 1) continue;
      this.#contents.countReach(content.id, 1);
      this.#resize(repository, content.id, 'manifest', 1);
      const links = linksOf(content);
      links.homes = withItem(links.homes, repository);
      this.onReached?.(content.id);
      todo.push(...this.#expand(repository, content));
    }
  }

  /** Removes one holder. */
  unlink(repository: Repository, first: Content): void {
    const todo = [first];
    for (let content = todo.pop(); content !== undefined; content = todo.pop()) {
      const membership = repository.manifests.get(content);
      if (membership === undefined || membership.refs === 0) continue;
      membership.refs -= 1;
      if (membership.refs > 0) continue;
      this.#resize(repository, content.id, 'manifest', -1);
      this.#contents.countReach(content.id, -1);
      this.#released.add(content);
      this.#leave(content, membership);
      repository.manifests.delete(content);
      removeFrom(linksOf(content).homes, repository);
      if (content.facts) this.#releaseBlobs(repository, content.facts);
      for (const referrer of content.links?.referrers ?? []) {
        const held = repository.manifests.get(referrer);
        if (!held?.bySubject) continue;
        held.bySubject = false;
        todo.push(referrer);
      }
      todo.push(...(content.facts?.manifests ?? []));
    }
  }

  #releaseBlobs(repository: Repository, { blobs }: Facts): void {
    for (const id of blobs) {
      if (this.#blobs.remove(repository.number, id) !== 0) continue;
      this.#resize(repository, id, 'blob', -1);
      this.#contents.countReach(id, -1);
      this.#released.add(this.#contents.at(id));
    }
  }

  #joinSubject(content: Content, subject: Content | undefined): void {
    if (subject === undefined) return;
    linksOf(subject).referrers = withItem(linksOf(subject).referrers, content);
    for (const home of subject.links?.homes ?? []) this.#holdBySubject(home, content);
  }

  /** @returns the repositories in which its subject has held it until now */
  #leaveSubject(content: Content, subject: Content | undefined): Repository[] {
    if (subject === undefined) return [];
    removeFrom(linksOf(subject).referrers, content);
    return (subject.links?.homes ?? []).filter((home) => {
      const membership = home.manifests.get(content);
      if (!membership?.bySubject) return false;
      membership.bySubject = false;
      return true;
    });
  }

  #membership(repository: Repository, content: Content): Membership {
    let membership = repository.manifests.get(content);
    if (membership === undefined) {
      membership = { refs: 0, put: false, pushed: false, bySubject: false };
      repository.manifests.set(content, membership);
    }
    return membership;
  }

  #leave(content: Content, membership: Membership): void {
    if (!membership.put) return;
    membership.put = false;
    linksOf(content).members -= 1;
    this.#released.add(content);
  }

  #holdBySubject(repository: Repository, referrer: Content): void {
    const membership = repository.manifests.get(referrer);
    if (!membership?.put || membership.bySubject) return;
    membership.bySubject = true;
    this.link(repository, referrer);
  }

  /** Counts on the size of a repository that starts or stops reaching content, as a manifest or as a blob. */
  #resize(repository: Repository, id: number, as: 'manifest' | 'blob', change: 1 | -1): void {
    const contents = this.#contents;
    const { size, number, manifests } = repository;
    if (size === undefined) return;
    const content = contents.peek(id);
    const isOtherToo =
      as === 'manifest' ? this.#blobs.has(number, id) : content !== undefined && manifests.has(content);
    // content reached both ways counts once: the size is counted anew when it is requested
    if (isOtherToo) repository.size = undefined;
    else if (contents.isPresent(id)) size.bytes += change * Math.max(0, contents.sizes[id]!);
  }

  /**
   * Marks the blobs of a manifest as reached in a repository.
   *
   * @returns the manifests to link there as a consequence
   */
  #expand(repository: Repository, content: Content): Content[] {
    const contents = this.#contents;
    const { facts } = content;
    const next = facts === undefined || facts.manifests.length === 0 ? [] : [...facts.manifests];
    for (const id of facts?.blobs ?? []) {
      if (this.#blobs.add(repository.number, id) > 1) continue;
      contents.countReach(id, 1);
      this.#resize(repository, id, 'blob', 1);
      this.onReached?.(id);
      if (repository.uploads.size > 0 && repository.uploads.delete(contents.at(id)))
        contents.uploads[id]! -= 1;
    }
    for (const referrer of content.links?.referrers ?? []) {
      const membership = repository.manifests.get(referrer);
      if (!membership?.put || membership.bySubject) continue;
      membership.bySubject = true;
      next.push(referrer);
    }
    return next;
  }
}
