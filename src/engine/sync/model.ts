import type { Digest } from '../../base/digest.ts';
import type { Pace } from '../../base/rate.ts';
import type { MediumReport, RecipeVerdict } from '../../catalog/medium-verdict.ts';
import type { ContentKind } from '../../contract/common.ts';
import type { LinkForecast } from '../../link/show-link.ts';
import type { NoPrune } from '../../task/prune-order.ts';
import type { ErrorRecord } from '../../text/error.ts';
import type { StoredRule } from '../../text/rule.ts';

export interface Problem extends ErrorRecord {
  readonly subject?: string;
}

export type ContentStatus = 'new' | 'outdated' | 'up-to-date';

export interface PlannedIngredient {
  readonly name: string;
  readonly kind: ContentKind;
  readonly ref: string;
  readonly effective?: string;
  readonly repository: string;
  readonly version: string;
  readonly digest: Digest;
  readonly status: ContentStatus;
  readonly destinationStatus?: ContentStatus;
  /** Set when the source has signatures of it, or of a platform image, that the store lacks. */
  readonly signatures?: 'new';
  readonly totalBytes: number;
  readonly transferBytes: number;
  /** Layers that need not be distributed and are absent at the registry; the image is stored without. */
  readonly absentLayers?: readonly Digest[];
  readonly problem?: Problem;
}

export interface PlannedRecipe {
  readonly name: string;
  readonly requested: string;
  readonly resolved?: string;
  readonly digest?: Digest;
  /** The higher version that is here, where the source offers it no longer; a prune leaves the recipe out. */
  readonly lowerThan?: string;
  readonly cookbook: string;
  readonly signature: 'verified' | 'unsigned-admitted' | 'refused' | 'not-evaluated';
  /** Set when the source has signatures of a stored recipe that the store lacks. */
  readonly signatures?: 'new';
  readonly trustScope?: string;
  readonly ingredients: readonly PlannedIngredient[];
  readonly totalBytes: number;
  readonly transferBytes: number;
  readonly problem?: Problem;
}

export interface VolumeCheck {
  readonly target: 'store' | 'state' | 'output';
  readonly path: string;
  readonly filesystem: { readonly type: string; readonly identified: boolean; readonly maxFileSize?: number };
  readonly freeBytes: number;
  readonly marginPercent: number;
  readonly usableBytes: number;
  readonly projectedBytes: number;
  readonly largestFileBytes: number;
  readonly shortfallBytes: number;
  /** In English. */
  readonly warnings: readonly string[];
  /** The warnings in both languages; absent when there are none. */
  readonly warningRules?: readonly StoredRule[];
  readonly refusalCode?: 'SVC-STO-004' | 'SVC-STO-005';
}

export interface PruneItem {
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly recipe: string;
  readonly sizeBytes: number;
  /** Digest that the tag has afterwards: the tag is returned to the owner that it had before the recipe. */
  readonly restored?: Digest;
}

/** A recipe of which the source offers a lower version than the store has. */
export interface LoweredRecipe {
  readonly cookbook: string;
  readonly name: string;
  /** The version that the source offers. */
  readonly resolved: string;
  /** The version that is here, which the Retriever would take too. */
  readonly here: string;
}

/** The plan document of `sync --dry-run` and `POST /api/v1/plan`. */
export interface Plan {
  /** Absent from a plan made without an instance and without a configured mode. */
  readonly mode?: 'passthrough' | 'mirror';
  readonly source: string;
  readonly zone?: string;
  readonly generatedAt: string;
  readonly destination?: string;
  readonly outcome: 'up-to-date' | 'changes-planned' | 'policy-refused' | 'verification-failed' | 'failed';
  readonly recipes: readonly PlannedRecipe[];
  readonly totals: {
    readonly recipes: number;
    readonly ingredients: number;
    readonly new: number;
    readonly outdated: number;
    readonly upToDate: number;
    readonly totalBytes: number;
    readonly transferBytes: number;
    readonly largestFileBytes: number;
    readonly storeBytes: number;
    readonly projectedStoreBytes: number;
  };
  /** What promotion pushes into the destination; absent without one. */
  readonly promotion?: {
    /** Upper limit. */
    readonly bytes: number;
    /** Ingredients and recipes whose tag at the destination is not known: what they need is not in `bytes`. */
    readonly unasked: number;
  };
  readonly policy: {
    readonly allowlistDeclared: boolean;
    readonly hosts: readonly { readonly host: string; readonly role: string; readonly allowed: boolean }[];
    /** Trust scopes that apply to no recipe of the Retriever; absent: none. */
    readonly unmatchedScopes?: readonly string[];
  };
  readonly prune: {
    readonly evaluated: boolean;
    readonly reason?: NoPrune;
    readonly items: readonly PruneItem[];
    readonly totalBytes: number;
  };
  readonly checks: readonly VolumeCheck[];
  readonly problems: readonly Problem[];
}

export interface PlanAnswer {
  readonly plan: Plan;
  /** How long the transfer takes and when it may run; absent when neither a cap nor windows are set. */
  readonly link?: LinkForecast;
  readonly exit_code: number;
}

// ── Media ──

type VerificationStage = 'inventory' | 'manifest' | 'recipes' | 'ingredients' | 'extraneous';

export interface VerificationProgress {
  readonly startedAt: string;
  readonly stage: VerificationStage;
  readonly recipe?: string;
  readonly files: number;
  readonly totalFiles?: number;
  readonly bytes: number;
  readonly totalBytes?: number;
  /** Recipes judged so far, in the order in which they were; the verdict on the medium waits for the end. */
  readonly recipes: readonly RecipeVerdict[];
  /** Recipes that the medium lists; absent until they are read. */
  readonly totalRecipes?: number;
}

/** The pollable state of `GET /api/v1/media/verification`. */
export interface VerificationState {
  readonly guarded: boolean;
  readonly serving: 'open' | 'closed';
  readonly mediaId?: string;
  /** True: the disk has another medium, or other files, than those that were opened. Absent otherwise. */
  readonly replaced?: true;
  readonly running?: VerificationProgress & Pace;
  readonly report?: MediumReport;
  readonly failure?: Problem;
}
