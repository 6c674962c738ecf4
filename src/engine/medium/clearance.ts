import type { BigIntStats } from 'node:fs';
import type { Digest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import { isAttachmentTag } from '../../oci/reference.ts';
import type { Store } from '../../store/model.ts';
import type { ClearedRecipe } from './judge-recipe.ts';
import type { MediumVerification } from './verify-medium.ts';

export interface ClearanceRefusal {
  readonly code: 'SVC-MED-030' | 'SVC-MED-032';
  readonly mediaId?: string | undefined;
}

/**
 * What may be served of a store that somebody else made: nothing until it has been verified in this zone, then what
 * cleared recipes reach. Lives in memory, bound to the medium, its ledgers and its volume as they were verified.
 */
export class Clearance {
  readonly #store: Store;
  readonly #hasZone: boolean;
  readonly #report: Report;
  #bound: { readonly mediaId: string; readonly head: string } | undefined;
  #wasJudged = false;
  #recipes: readonly ClearedRecipe[] = [];
  /** By repository: tags, and files that cleared recipes reach there. */
  #scopes = new Map<string, { readonly tags: Set<string>; readonly recipes: Set<ClearedRecipe> }>();

  constructor(options: {
    readonly store: Store;
    readonly zone: string | undefined;
    readonly report: Report;
  }) {
    this.#store = options.store;
    this.#hasZone = options.zone !== undefined;
    this.#report = options.report;
  }

  /** Whether what is served must have been cleared: a store of our own, or no zone to guard, is served as it is. */
  get guarded(): boolean {
    return this.#hasZone && this.#store.standing === 'foreign';
  }

  /** Bytes of a store that is not ours are hashed again while they are sent. */
  get rehash(): boolean {
    return this.#store.standing === 'foreign';
  }

  get serving(): 'open' | 'closed' {
    return this.refusal() ? 'closed' : 'open';
  }

  /** Opens for what a verification cleared, or closes when it cleared nothing. */
  settle(verification: MediumVerification): void {
    this.#wasJudged = true;
    this.#bind(verification.cleared);
  }

  close(): void {
    this.#wasJudged = false;
    this.#bind([]);
  }

  #bind(recipes: readonly ClearedRecipe[]): void {
    this.#recipes = recipes;
    this.#bound = recipes.length > 0 ? { mediaId: this.#store.mediaId, head: this.#store.head } : undefined;
    this.#scopes = new Map();
    for (const recipe of recipes) {
      const { record } = recipe;
      this.#scope(record.repository, recipe).add(record.tag);
      for (const ingredient of record.ingredients)
        this.#scope(ingredient.repository, recipe).add(ingredient.tag);
    }
  }

  #scope(repository: string, recipe: ClearedRecipe): Set<string> {
    let scope = this.#scopes.get(repository);
    if (!scope) {
      scope = { tags: new Set(), recipes: new Set() };
      this.#scopes.set(repository, scope);
    }
    scope.recipes.add(recipe);
    return scope.tags;
  }

  refusal(): ClearanceRefusal | undefined {
    if (!this.guarded) return undefined;
    const { mediaId, head } = this.#store;
    if (this.#bound?.mediaId === mediaId && this.#bound.head === head) return undefined;
    return { code: this.#wasJudged ? 'SVC-MED-032' : 'SVC-MED-030', mediaId };
  }

  allowsRepository(repository: string): boolean {
    return !this.guarded || (this.#isOpen() && this.#scopes.has(repository));
  }

  /** A tag of a cleared recipe or ingredient, or the signatures of a manifest that one reaches. */
  allowsTag(repository: string, tag: string): boolean {
    if (!this.guarded) return true;
    const scope = this.#isOpen() ? this.#scopes.get(repository) : undefined;
    if (!scope) return false;
    if (scope.tags.has(tag)) return true;
    const target = this.#store.index.tag(repository, tag)?.digest;
    return target !== undefined && isAttachmentTag(tag) && this.#reaches(scope.recipes, target);
  }

  allowsManifest(repository: string, digest: Digest): boolean {
    return this.allowsBlob(repository, digest);
  }

  allowsBlob(repository: string, digest: Digest): boolean {
    if (!this.guarded) return true;
    const scope = this.#isOpen() ? this.#scopes.get(repository) : undefined;
    return scope !== undefined && this.#reaches(scope.recipes, digest);
  }

  #isOpen(): boolean {
    return this.refusal() === undefined;
  }

  #reaches(recipes: Iterable<ClearedRecipe>, digest: Digest): boolean {
    for (const recipe of recipes) if (recipe.files.has(digest)) return true;
    return false;
  }

  /** Whether an open file is the very one whose bytes were hashed. */
  isVerifiedFile(digest: Digest, stats: BigIntStats): boolean {
    if (!this.rehash) return true;
    for (const { files } of this.#recipes) {
      const file = files.get(digest);
      if (!file) continue;
      return (
        file.device === stats.dev &&
        file.inode === stats.ino &&
        BigInt(file.size) === stats.size &&
        file.ctimeNs === stats.ctimeNs
      );
    }
    return false;
  }

  /** A file is not what was verified: every recipe that reaches it is withdrawn, by name. */
  onAltered(digest: Digest): void {
    const withdrawn = this.#recipes.filter((recipe) => recipe.files.has(digest));
    if (withdrawn.length === 0) return;
    this.#bind(this.#recipes.filter((recipe) => !recipe.files.has(digest)));
    for (const { record } of withdrawn) {
      this.#report.log('error', 'A file of the medium changed after it was verified: recipe withdrawn', {
        recipe: `${record.name}@${record.version}`,
        digest,
        mediaId: this.#store.mediaId,
      });
    }
  }
}
