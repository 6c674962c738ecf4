import type { Digest } from '../base/digest.ts';
import type { Content, Facts } from './content.ts';
import { none } from './content-links.ts';
import type { ManifestChange } from './content-records.ts';
import type { ContentTable } from './content-table.ts';
import type { PlainManifests } from './plain-manifests.ts';
import type { SharedValues } from './shared-values.ts';

/** Facts of a manifest that have changed. */
export interface LearntFacts {
  readonly content: Content;
  readonly facts: Facts;
  /** Earlier facts, which no longer apply. */
  readonly replaced?: Facts;
}

/** The facts of manifests, and which content this store has hashed itself. */
export class FactBook {
  readonly #contents: ContentTable;
  readonly #shared: SharedValues;
  /** Content known only from the ledger of an adopted store; this instance has not hashed it. */
  readonly #unvouched: Set<number>;
  /** Numbers of a manifest and its blobs. */
  #ids = new Uint32Array(0);

  constructor(contents: ContentTable, shared: SharedValues, unvouched: Iterable<number> = []) {
    this.#contents = contents;
    this.#shared = shared;
    this.#unvouched = new Set(unvouched);
  }

  /** Numbers of the content that this instance has not hashed. */
  get unvouched(): Iterable<number> {
    return this.#unvouched;
  }

  isUnvouched(id: number): boolean {
    return this.#unvouched.has(id);
  }

  /** Records that this store has hashed the bytes of a digest. */
  vouch(id: number): void {
    this.#contents.vouch(id);
    if (this.#unvouched.size > 0) this.#unvouched.delete(id);
  }

  /**
   * Learns the facts of a manifest. The first record counts until the manifest has no holder any more, unless a later
   * record whose bytes were hashed differs.
   *
   * @returns undefined when the facts stay as they are
   */
  learn(change: ManifestChange): LearntFacts | undefined {
    const contents = this.#contents;
    const content = contents.internContent(change.digest);
    const blobs = this.#internBlobs(change);
    for (const id of [content.id, ...blobs]) {
      if (change.unverified !== true) this.vouch(id);
      else if (!contents.isVouched(id)) this.#unvouched.add(id);
    }
    if (content.size < 0) content.size = change.size;
    if (content.facts !== undefined && change.unverified === true) return undefined;
    return this.#take(content, this.#toFacts(change, blobs));
  }

  /** As `learn`, of the oldest record that was not taken from `lines`. */
  learnPlain(lines: PlainManifests): LearntFacts | undefined {
    const contents = this.#contents;
    const { type, size, blobs: count, first } = lines.take();
    if (this.#ids.length !== count + 1) this.#ids = new Uint32Array(count + 1);
    const ids = contents.internAllWords(lines.words, first, this.#ids);
    const content = contents.at(ids[0]!);
    this.vouch(content.id);
    const blobs: number[] = [];
    for (let i = 1; i <= count; i += 1) {
      const id = ids[i]!;
      this.vouch(id);
      if (contents.sizes[id]! < 0) contents.setSize(id, lines.sizes[first + i]!);
      if (!blobs.includes(id)) blobs.push(id);
    }
    if (content.size < 0) content.size = size;
    const mediaType = this.#shared.text(type);
    return this.#take(content, {
      mediaType,
      artifactType: undefined,
      subject: undefined,
      manifests: none,
      // a copy has no spare capacity, unlike an array that was pushed to
      blobs: blobs.slice(),
    });
  }

  /** @returns undefined when the facts stay as they are */
  #take(content: Content, facts: Facts): LearntFacts | undefined {
    const known = content.facts;
    if (known !== undefined && isSameFacts(known, facts)) return undefined;
    content.facts = facts;
    this.#contents.lessons += 1;
    this.#name(facts, 1);
    if (known !== undefined) this.#name(known, -1);
    return { content, facts, ...(known === undefined ? {} : { replaced: known }) };
  }

  /** Forgets the facts of content that has no holder any more. @returns the facts, if there were any */
  drop(content: Content): Facts | undefined {
    const { facts } = content;
    content.facts = undefined;
    if (facts) {
      this.#contents.lessons += 1;
      this.#name(facts, -1);
    }
    this.#unvouched.delete(content.id);
    return facts;
  }

  #internBlobs({ blobs: sizes = [] }: ManifestChange): number[] {
    const contents = this.#contents;
    const blobs: number[] = [];
    for (let i = 0; i < sizes.length; i += 2) {
      const id = contents.intern(sizes[i] as Digest);
      if (contents.sizes[id]! < 0) contents.setSize(id, sizes[i + 1] as number);
      if (!blobs.includes(id)) blobs.push(id);
    }
    // a copy has no spare capacity, unlike an array that was pushed to
    return blobs.slice();
  }

  #toFacts({ type, artifactType, subject, manifests }: ManifestChange, blobs: readonly number[]): Facts {
    const intern = (digest: Digest): Content => this.#contents.internContent(digest);
    return {
      mediaType: this.#shared.text(type),
      artifactType: artifactType === undefined ? undefined : this.#shared.text(artifactType),
      subject: subject === undefined ? undefined : intern(subject),
      manifests: manifests === undefined ? none : [...new Set(manifests)].map(intern),
      blobs,
    };
  }

  /** Counts the manifests that name each digest of `facts`. */
  #name({ subject, manifests, blobs }: Facts, count: 1 | -1): void {
    const { named } = this.#contents;
    for (const id of blobs) named[id]! += count;
    for (const { id } of manifests) named[id]! += count;
    if (subject) named[subject.id]! += count;
  }
}

function isSameFacts(a: Facts, b: Facts): boolean {
  const isSame = <T>(one: readonly T[], other: readonly T[]): boolean =>
    one.length === other.length && one.every((item, i) => item === other[i]);
  return (
    a.mediaType === b.mediaType &&
    a.artifactType === b.artifactType &&
    a.subject === b.subject &&
    isSame(a.manifests, b.manifests) &&
    isSame(a.blobs, b.blobs)
  );
}
