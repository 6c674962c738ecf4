import type { Digest } from '../base/digest.ts';
import type { GateRefusal } from '../base/gate-refusal.ts';
import type { ChartView, IndexedFileset } from '../client/model.ts';
import type { RecipeMapping } from '../contract/recipe.ts';
import type { ListedRecipe } from '../operation/list-recipes.ts';
import type { ClientPlaces, MappingRequest } from '../operation/map-recipe.ts';
import type { Store } from '../store/model.ts';
import type { TrustRoot } from '../trust/model.ts';

/** Decides which content of the store may be shown. */
export interface ViewGate {
  /** Whether content must be verified before it is shown. */
  readonly guarded: boolean;
  /** Returns the reason why the gate is closed, undefined when it is open. */
  refusal(): GateRefusal | undefined;
  /** Closes when the medium was replaced or changed since it was opened; returns whether it was. Absent: it is not watched. */
  closeIfChanged?(): boolean;
  allowsRepository(repository: string): boolean;
  allowsTag(repository: string, tag: string): boolean;
  allowsManifest(repository: string, digest: Digest): boolean;
}

/** A FileSet that is served, and the content that it comes from. */
export interface ServedIndexes extends IndexedFileset {
  readonly repository: string;
  readonly digest: string;
}

/** Operations on the store that the views need. */
export interface ViewOperations {
  /** Trusted public keys, each with the predicate types that it may approve. */
  readonly roots: readonly TrustRoot[];
  recipes(): Promise<readonly ListedRecipe[]>;
  /** @throws SVC-REG-005 when there are no records */
  mapRecipe(records: readonly ListedRecipe[], request: MappingRequest): RecipeMapping;
  /** Maps the ingredients of some recipes, of which there may be none. */
  clientPlaces(records: readonly ListedRecipe[], request: Omit<MappingRequest, 'recipe'>): ClientPlaces;
  /** The zone of the configuration. */
  readonly zone?: string | undefined;
  /** The chart repositories that the instance serves. */
  readonly chartViews: readonly ChartView[];
  /**
   * The FileSets that the instance serves, with the files by which package managers find repositories in them. Absent
   * where no instance serves them.
   */
  readonly indexedFilesets?: (() => Promise<readonly ServedIndexes[]>) | undefined;
}

/** Inputs of the views of content: an instance passes its own, a command those of a store that it opened. */
export interface ViewParts {
  readonly store: Store;
  readonly gate: ViewGate;
  readonly operations: ViewOperations;
}
