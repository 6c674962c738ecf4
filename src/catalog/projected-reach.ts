import type { Digest } from '../base/digest.ts';
import type { Steps } from '../base/pacer.ts';
import type { Repository } from './content.ts';
import type { ContentGraph } from './content-graph.ts';
import type { ArrivingManifest, ReachChange } from './model.ts';

interface ProjectedFacts {
  readonly manifests: readonly Digest[];
  readonly blobs: readonly Digest[];
}

/** A repository after the change. Has the counts that the change touches; all others are those of the graph. */
interface ProjectedRepository {
  readonly real: Repository | undefined;
  readonly manifests: Map<Digest, number>;
  readonly blobs: Map<Digest, number>;
  readonly bySubject: Map<Digest, boolean>;
}

/**
 * Computes which content would be reached if tags changed: continues the counted references of `ReachCounts` beside the
 * graph, which does not change. Costs as much as the change itself.
 */
export class ProjectedReach {
  readonly #graph: ContentGraph;
  readonly #arriving = new Map<Digest, ArrivingManifest>();
  readonly #sizes = new Map<Digest, number>();
  readonly #repositories = new Map<string, ProjectedRepository>();
  /** Number of repositories in which a digest would be reached. */
  readonly #refs = new Map<Digest, number>();
  /** Number of repositories that a digest would no longer be put into. */
  readonly #left = new Map<Digest, number>();
  readonly #released = new Set<Digest>();

  private constructor(graph: ContentGraph) {
    this.#graph = graph;
  }

  /** Projects a change, one manifest or tag in a step. */
  static *of(graph: ContentGraph, { arriving, coming, leaving }: ReachChange): Steps<ProjectedReach> {
    const made = new ProjectedReach(graph);
    for (const manifest of arriving) {
      made.#arrive(manifest);
      yield;
    }
    for (const digest of made.#arriving.keys()) {
      for (const home of graph.get(digest)?.links?.homes ?? [])
        made.#expand(made.#repository(home.name, home.shadow), digest);
      yield;
    }
    for (const { repository, digest, held } of coming) {
      made.#link(made.#repository(repository, held), digest);
      yield;
    }
    for (const { repository, digest, held } of leaving) {
      made.#unlink(made.#repository(repository, held), digest);
      yield;
    }
    return made;
  }

  #arrive(manifest: ArrivingManifest): void {
    this.#sizes.set(manifest.digest, manifest.size);
    for (const { digest, size } of manifest.blobs) this.#sizes.set(digest, size);
    if (this.#graph.get(manifest.digest)?.facts === undefined) this.#arriving.set(manifest.digest, manifest);
  }

  /** Returns everything present below a manifest, itself included. */
  reach(root: Digest): ReadonlySet<Digest> {
    const reached = new Set<Digest>();
    const todo = [root];
    for (let digest = todo.pop(); digest !== undefined; digest = todo.pop()) {
      if (reached.has(digest) || !this.isPresent(digest)) continue;
      reached.add(digest);
      const { manifests, blobs } = this.#factsOf(digest);
      todo.push(...manifests);
      for (const blob of blobs) if (this.isPresent(blob)) reached.add(blob);
    }
    return reached;
  }

  /** Returns whether content is present or arriving. */
  isPresent(digest: Digest): boolean {
    return this.#sizes.has(digest) || this.#graph.get(digest)?.present === true;
  }

  /** Returns the size in bytes of arriving content; undefined for content that only the store has. */
  arrivingSize(digest: Digest): number | undefined {
    return this.#sizes.get(digest);
  }

  /** Returns content of the store that no tag, upload or membership would hold any more. */
  *released(): Generator<Digest> {
    for (const digest of this.#released) {
      const content = this.#graph.get(digest);
      if (content === undefined || this.#refsOf(digest) > 0 || content.uploads > 0) continue;
      if ((content.links?.members ?? 0) > (this.#left.get(digest) ?? 0)) continue;
      yield digest;
    }
  }

  #link(home: ProjectedRepository, first: Digest): void {
    const todo = [first];
    for (let digest = todo.pop(); digest !== undefined; digest = todo.pop()) {
      const refs = this.#manifestRefs(home, digest) + 1;
      home.manifests.set(digest, refs);
      if (refs > 1) continue;
      this.#refs.set(digest, this.#refsOf(digest) + 1);
      this.#expand(home, digest);
    }
  }

  /** Marks the content that a manifest names, and its referrers, as reached in a repository. */
  #expand(home: ProjectedRepository, digest: Digest): void {
    const { manifests, blobs } = this.#factsOf(digest);
    for (const blob of blobs) {
      const needs = this.#needs(home, blob) + 1;
      home.blobs.set(blob, needs);
      if (needs === 1) this.#refs.set(blob, this.#refsOf(blob) + 1);
    }
    for (const child of manifests) this.#link(home, child);
    for (const referrer of this.#referrers(home, digest))
      if (!this.#isBySubject(home, referrer)) {
        home.bySubject.set(referrer, true);
        this.#link(home, referrer);
      }
  }

  #unlink(home: ProjectedRepository, first: Digest): void {
    const todo = [first];
    for (let digest = todo.pop(); digest !== undefined; digest = todo.pop()) {
      const refs = this.#manifestRefs(home, digest) - 1;
      if (refs < 0) continue;
      home.manifests.set(digest, refs);
      if (refs > 0) continue;
      this.#refs.set(digest, this.#refsOf(digest) - 1);
      this.#released.add(digest);
      if (this.#isPut(home, digest)) this.#left.set(digest, (this.#left.get(digest) ?? 0) + 1);
      const { manifests, blobs } = this.#factsOf(digest);
      for (const blob of blobs) {
        const needs = this.#needs(home, blob) - 1;
        home.blobs.set(blob, needs);
        if (needs !== 0) continue;
        this.#refs.set(blob, this.#refsOf(blob) - 1);
        this.#released.add(blob);
      }
      for (const referrer of this.#referrers(home, digest))
        if (this.#isBySubject(home, referrer)) {
          home.bySubject.set(referrer, false);
          todo.push(referrer);
        }
      todo.push(...manifests);
    }
  }

  #repository(name: string, held: boolean): ProjectedRepository {
    const key = `${held ? 'held' : 'open'} ${name}`;
    const known = this.#repositories.get(key);
    if (known) return known;
    const side = held ? this.#graph.shadows : this.#graph.repositories;
    const made = { real: side.get(name), manifests: new Map(), blobs: new Map(), bySubject: new Map() };
    this.#repositories.set(key, made);
    return made;
  }

  #factsOf(digest: Digest): ProjectedFacts {
    const facts = this.#graph.get(digest)?.facts;
    if (facts === undefined) {
      const { manifests = [], blobs = [] } = this.#arriving.get(digest) ?? {};
      return { manifests, blobs: [...new Set(blobs.map((blob) => blob.digest))] };
    }
    return {
      manifests: facts.manifests.map((child) => child.digest),
      blobs: facts.blobs.map((id) => this.#graph.contents.digestOf(id)),
    };
  }

  #refsOf(digest: Digest): number {
    return this.#refs.get(digest) ?? this.#graph.get(digest)?.refs ?? 0;
  }

  #manifestRefs({ real, manifests }: ProjectedRepository, digest: Digest): number {
    const content = this.#graph.get(digest);
    return manifests.get(digest) ?? (content && real?.manifests.get(content)?.refs) ?? 0;
  }

  #needs({ real, blobs }: ProjectedRepository, digest: Digest): number {
    const content = this.#graph.get(digest);
    return blobs.get(digest) ?? (content && real ? this.#graph.countNeeds(real, content) : 0);
  }

  #isPut({ real }: ProjectedRepository, digest: Digest): boolean {
    const content = this.#graph.get(digest);
    return content !== undefined && real?.manifests.get(content)?.put === true;
  }

  #isBySubject({ real, bySubject }: ProjectedRepository, digest: Digest): boolean {
    const content = this.#graph.get(digest);
    return bySubject.get(digest) ?? (content && real?.manifests.get(content)?.bySubject) ?? false;
  }

  /** Returns the manifests of a repository whose subject is a digest. */
  #referrers(home: ProjectedRepository, digest: Digest): Digest[] {
    const referrers = this.#graph.get(digest)?.links?.referrers ?? [];
    return referrers.map((content) => content.digest).filter((referrer) => this.#isPut(home, referrer));
  }
}
