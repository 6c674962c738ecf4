import { type BigIntStats, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '../../base/digest.ts';
import type { GateRefusal } from '../../base/gate-refusal.ts';
import type { Report } from '../../base/report.ts';
import { isAliasOf } from '../../catalog/re-point.ts';
import { isSameNode, type Node } from '../../disk/place/same-node.ts';
import { isTransient, toReadError } from '../../disk/read-error.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import type { Store } from '../../store/model.ts';
import type { ClearedRecipe } from './judge-recipe.ts';
import type { MediumVerification } from './verify-medium.ts';
import type { Withdrawal } from './withdrawals.ts';

/** Identity of the verified medium: its identifier, its ledgers, and the volume it was on. */
interface Binding {
  readonly mediaId: string;
  readonly head: string;
  /** Device and inode of its root folder; undefined when it could not be read. */
  readonly place: Node<number> | undefined;
}

/** Cleared recipes of one repository, and their tags. */
interface ClearedRepository {
  /** Digests that verified documents give to each tag. */
  readonly tags: Map<string, Set<Digest>>;
  readonly recipes: Set<ClearedRecipe>;
}

/**
 * Decides which content of a foreign store may be served: none until it was verified in this zone, then all that
 * cleared recipes reach. The digest of a tag comes from the verified documents, not from the index of the store. The
 * state is in memory only, and bound to the verified state of the medium, its ledgers and its volume. In an instance it
 * is also bound to the opened files: after they are exchanged, nothing is served before the next verdict.
 */
export class Clearance {
  readonly #store: Store;
  readonly #hasZone: boolean;
  readonly #report: Report;
  readonly #isChanged: () => boolean;
  #isReplaced = false;
  #isAway = false;
  #bound: Binding | undefined;
  #wasJudged = false;
  #awaits: GateRefusal['awaits'];
  #recipes: readonly ClearedRecipe[] = [];
  /** Cleared recipes that need another disk, or the registry of the zone. */
  #partial: readonly ClearedRecipe[] = [];
  #part: number | undefined;
  #withdrawals: readonly Withdrawal[] = [];
  #repositories = new Map<string, ClearedRepository>();

  constructor(options: {
    readonly store: Store;
    readonly zone: string | undefined;
    readonly report: Report;
    /** Whether the disk has other files than those that were opened. Default: they are not compared. */
    readonly isChanged?: (() => boolean) | undefined;
  }) {
    this.#store = options.store;
    this.#isChanged = options.isChanged ?? (() => false);
    this.#hasZone = options.zone !== undefined;
    this.#report = options.report;
  }

  /** Whether content must be cleared before it is served: that of a foreign store, where a zone is set. */
  get guarded(): boolean {
    return this.#hasZone && this.#store.standing === 'foreign';
  }

  /** Another object after each change of the cleared content. */
  get mark(): object {
    return this.#repositories;
  }

  /** Whether bytes are hashed again while they are sent: those of a foreign store. */
  get rehash(): boolean {
    return this.#store.standing === 'foreign';
  }

  /** Recipes that passed the last verification, and of which a file was found altered since. */
  get withdrawals(): readonly Withdrawal[] {
    return this.#withdrawals;
  }

  /** Whether the disk has another medium, or other files, than those that were opened, and no verdict on them yet. */
  get isReplaced(): boolean {
    return this.guarded && this.#isReplaced;
  }

  get serving(): 'open' | 'closed' {
    return this.refusal() ? 'closed' : 'open';
  }

  /** Allows the content that a verification cleared, or refuses everything when it cleared nothing. */
  settle(verification: MediumVerification): void {
    const { mediaId, head } = this.#store;
    this.#wasJudged = true;
    this.#isReplaced = false;
    this.#withdrawals = [];
    // a recipe that needs another disk, or the registry of the zone, cannot be pulled from here
    const [whole, partial] = [true, false].map((isWhole) =>
      verification.cleared.filter(({ away }) => (away.size === 0) === isWhole),
    ) as [ClearedRecipe[], ClearedRecipe[]];
    this.#partial = partial;
    this.#part = verification.header?.delivery?.part;
    this.#awaits = whole.length > 0 || partial.length === 0 ? undefined : listAwaited(partial, this.#part);
    this.#bind(whole, { mediaId, head, place: this.#place() });
  }

  /** Refuses everything, as before the first verification, or as since the medium was replaced. */
  close(): void {
    this.#wasJudged = false;
    this.#awaits = undefined;
    this.#partial = [];
    this.#bind([], undefined);
  }

  /**
   * Closes when the disk has other files than those that were opened: findings on the former ones do not apply to these.
   *
   * @returns whether the next verdict is awaited because of that
   */
  closeIfChanged(): boolean {
    if (!this.guarded) return false;
    if (!this.#isReplaced && this.#isChanged()) this.#replace();
    return this.#isReplaced;
  }

  /** Keeps whether the folder of a medium that was replaced has one: nothing else looks at a disk that may not answer. */
  noteAway(isAway: boolean): void {
    this.#isAway = isAway;
  }

  #replace(): void {
    this.#isReplaced = true;
    this.#isAway = !existsSync(join(this.#store.root, 'ledger'));
    this.#withdrawals = [];
    this.close();
    this.#report.log(
      'warn',
      'The medium was replaced or changed: no content is served until it was opened again and verified',
      { mediaId: this.#store.mediaId },
    );
  }

  #bind(recipes: readonly ClearedRecipe[], bound: Binding | undefined): void {
    this.#recipes = recipes;
    this.#bound = recipes.length > 0 ? bound : undefined;
    this.#repositories = new Map();
    for (const recipe of recipes) {
      const { record } = recipe;
      for (const { repository, tag, digest } of [record, ...record.ingredients])
        this.#admit(repository, tag, digest, recipe);
    }
  }

  #admit(repository: string, tag: string, digest: Digest, recipe: ClearedRecipe): void {
    const known: ClearedRepository = this.#repositories.get(repository) ?? {
      tags: new Map(),
      recipes: new Set(),
    };
    this.#repositories.set(repository, known);
    known.recipes.add(recipe);
    known.tags.set(tag, (known.tags.get(tag) ?? new Set()).add(digest));
  }

  #place(): Node<number> | undefined {
    try {
      return statSync(this.#store.root);
    } catch {
      return undefined;
    }
  }

  /**
   * Whether the verified volume is still mounted at its path.
   *
   * @throws SVC-STO-014 when this cannot be read now
   */
  #isInPlace(): boolean {
    const { root } = this.#store;
    const place = this.#bound?.place;
    try {
      return place !== undefined && isSameNode(place, statSync(root), root);
    } catch (error) {
      if (isTransient(error)) throw toReadError(error, root);
      return false;
    }
  }

  /**
   * Why nothing is served; undefined: cleared content is. Reads the disk to check that the medium is the
   * verified one.
   *
   * @throws SVC-STO-014 when this cannot be read now; nothing is served then, and nothing is withdrawn
   */
  refusal(): GateRefusal | undefined {
    if (!this.guarded) return undefined;
    const { mediaId } = this.#store;
    if (this.#isBound() && !this.#isInPlace()) this.#replace();
    if (this.#isReplaced)
      return { code: 'SVC-MED-033', mediaId, ...(this.#isAway ? { problem: 'away' } : {}) };
    if (this.#isBound()) return undefined;
    if (!this.#wasJudged) return { code: 'SVC-MED-030', mediaId };
    return { code: 'SVC-MED-032', mediaId, ...(this.#awaits === undefined ? {} : { awaits: this.#awaits }) };
  }

  refusalOf(repository: string, tag?: string): GateRefusal | undefined {
    const { mediaId, index } = this.#store;
    const target = tag === undefined ? undefined : index.tag(repository, tag)?.digest;
    const named = this.#partial.filter(({ record, files }) => {
      const places = [record, ...record.ingredients].filter((one) => one.repository === repository);
      const isTagged = places.some((one) => one.tag === tag) || (target !== undefined && files.has(target));
      return places.length > 0 && (tag === undefined || isTagged);
    });
    if (named.length === 0 || !this.#isBound()) return undefined;
    return { code: 'SVC-MED-032', mediaId, awaits: listAwaited(named, this.#part) };
  }

  #isBound(): boolean {
    const { mediaId, head } = this.#store;
    return this.#bound?.mediaId === mediaId && this.#bound.head === head;
  }

  #open(repository: string): ClearedRepository | undefined {
    return this.#isBound() ? this.#repositories.get(repository) : undefined;
  }

  allowsRepository(repository: string): boolean {
    return !this.guarded || this.#open(repository) !== undefined;
  }

  /** Whether a tag has the digest in a document, or the signatures of a manifest that one reaches. */
  allowsTag(repository: string, tag: string): boolean {
    if (!this.guarded) return true;
    const known = this.#open(repository);
    const target = this.#store.index.tag(repository, tag)?.digest;
    if (!known || target === undefined) return false;
    if (isAttachmentTag(tag)) return reaches(known.recipes, target);
    for (const [pinned, digests] of known.tags)
      if (digests.has(target) && (tag === pinned || isAliasOf(tag, pinned, target))) return true;
    return false;
  }

  /** The only digest that verified documents give to a tag; undefined where they give none or several. */
  digestOf(repository: string, tag: string): Digest | undefined {
    const [digest, ...others] = (this.guarded && this.#open(repository)?.tags.get(tag)) || [];
    return others.length === 0 ? digest : undefined;
  }

  allowsManifest(repository: string, digest: Digest): boolean {
    return this.allowsBlob(repository, digest);
  }

  allowsBlob(repository: string, digest: Digest): boolean {
    if (!this.guarded) return true;
    const known = this.#open(repository);
    return known !== undefined && reaches(known.recipes, digest);
  }

  /** Whether an open file is the file whose bytes were hashed: same inode, size and change time. */
  isVerifiedFile(digest: Digest, stats: BigIntStats): boolean {
    if (!this.rehash) return true;
    const file = this.#recipes.find(({ files }) => files.has(digest))?.files.get(digest);
    return (
      file !== undefined &&
      isSameNode({ dev: file.device, ino: file.inode }, stats, this.#store.root) &&
      BigInt(file.size) === stats.size &&
      file.ctimeNs === stats.ctimeNs
    );
  }

  /**
   * Withdraws every recipe that reaches an altered file, and logs each. Where the medium was replaced or changed meanwhile,
   * the file proves nothing, and everything is closed.
   */
  onAltered(digest: Digest): void {
    if (this.closeIfChanged()) return;
    const withdrawn = this.#recipes.filter(({ files }) => files.has(digest));
    if (withdrawn.length === 0) return;
    const left = this.#recipes.filter(({ files }) => !files.has(digest));
    this.#bind(left, this.#bound);
    this.#withdrawals = [...this.#withdrawals, ...withdrawn.map(({ record }) => ({ record, digest }))];
    for (const { record } of withdrawn) {
      this.#report.meter.add('svc_verification_failures_total', 1, { code: 'SVC-MED-012' });
      this.#report.log('error', 'A file of the medium changed after it was verified: recipe withdrawn', {
        recipe: `${record.name}@${record.version}`,
        digest,
        mediaId: this.#store.mediaId,
      });
    }
  }
}

/** The parts besides the own one that have content which recipes need, in ascending order. */
function listAwaited(recipes: readonly ClearedRecipe[], own: number | undefined): readonly number[] {
  const parts = recipes.flatMap(({ away }) =>
    [...away.values()].flatMap(({ at }) => (typeof at === 'string' ? [] : at)),
  );
  return [...new Set(parts)].filter((part) => part !== own).sort((a, b) => a - b);
}

function reaches(recipes: Iterable<ClearedRecipe>, digest: Digest): boolean {
  for (const { files } of recipes) if (files.has(digest)) return true;
  return false;
}
