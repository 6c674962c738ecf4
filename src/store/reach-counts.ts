import type { Content, Facts, Membership, Repository } from './content.ts';
import { linksOf, removeFrom, withItem } from './content-links.ts';
import type { ContentTable } from './content-table.ts';
import { PairCounts } from './pair-counts.ts';

/**
 * Which repositories reach what, counted: whoever adds or takes away a holder pays for what that holder alone reaches,
 * and for nothing else.
 */
export class ReachCounts {
  readonly #contents: ContentTable;
  /** Called for content that a manifest has come to reach. */
  onReached: ((id: number) => void) | undefined;
  #released = new Set<Content>();
  /** How many reached manifests of a repository, by its number, need a blob, by its number in the table. */
  readonly #blobs: PairCounts;

  /** @param expected about how many pairs of a repository and a blob there will be */
  constructor(contents: ContentTable, expected: number) {
    this.#contents = contents;
    this.#blobs = new PairCounts(expected);
  }

  /** What has lost a holder since the last call; some of it has others. */
  takeReleased(): ReadonlySet<Content> {
    const released = this.#released;
    if (released.size > 0) this.#released = new Set();
    return released;
  }

  /** Whether a manifest that is reached in a repository needs a blob. */
  needsBlob(repository: Repository, id: number): boolean {
    return this.#blobs.has(repository.number, id);
  }

  release(content: Content): void {
    this.#released.add(content);
  }

  /** A manifest belongs to a repository; `pushed` is a holder of its own. */
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

  /** A manifest belongs to a repository no more; tags and parents there may still reach it. */
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

  /** What a manifest says has become known: whoever reaches it reaches what it names. */
  learn(content: Content, { subject }: Facts): void {
    if (subject) linksOf(subject).referrers = withItem(linksOf(subject).referrers, content);
    for (const home of content.links?.homes ?? [])
      for (const next of this.#expand(home, content)) this.link(home, next);
    for (const home of subject?.links?.homes ?? []) this.#holdBySubject(home, content);
  }

  /** One more holder of a manifest in a repository. */
  link(repository: Repository, first: Content): void {
    const todo = [first];
    for (let content = todo.pop(); content !== undefined; content = todo.pop()) {
      const membership = this.#membership(repository, content);
      membership.refs += 1;
      if (membership.refs > 1) continue;
      content.refs += 1;
      const links = linksOf(content);
      links.homes = withItem(links.homes, repository);
      this.onReached?.(content.id);
      todo.push(...this.#expand(repository, content));
    }
  }

  /** One holder less. */
  unlink(repository: Repository, first: Content): void {
    const todo = [first];
    for (let content = todo.pop(); content !== undefined; content = todo.pop()) {
      const membership = repository.manifests.get(content);
      if (membership === undefined || membership.refs === 0) continue;
      membership.refs -= 1;
      if (membership.refs > 0) continue;
      content.refs -= 1;
      this.#released.add(content);
      this.#leave(content, membership);
      repository.manifests.delete(content);
      removeFrom(linksOf(content).homes, repository);
      for (const id of content.facts?.blobs ?? []) {
        if (this.#blobs.remove(repository.number, id) !== 0) continue;
        this.#contents.refs[id]! -= 1;
        this.#released.add(this.#contents.at(id));
      }
      for (const referrer of content.links?.referrers ?? []) {
        const held = repository.manifests.get(referrer);
        if (!held?.bySubject) continue;
        held.bySubject = false;
        todo.push(referrer);
      }
      todo.push(...(content.facts?.manifests ?? []));
    }
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

  /**
   * A manifest is reached in a repository, so its blobs are.
   *
   * @returns the manifests to link there because of it
   */
  #expand(repository: Repository, content: Content): Content[] {
    const contents = this.#contents;
    const { facts } = content;
    const next = facts === undefined || facts.manifests.length === 0 ? [] : [...facts.manifests];
    for (const id of facts?.blobs ?? []) {
      if (this.#blobs.add(repository.number, id) > 1) continue;
      contents.refs[id]! += 1;
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
