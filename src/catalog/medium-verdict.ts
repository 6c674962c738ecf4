import type { Digest } from '../base/digest.ts';
import type { ErrorRecord } from '../text/error.ts';

export interface MediumIdentity {
  readonly mediaId: string;
  readonly zone: string;
  readonly mediaFormat: number;
  readonly storeFormat: number;
  readonly producedBy: { readonly version: string; readonly runId: string };
  readonly resolvedAt: string;
  readonly writtenAt: string;
  readonly files: number;
  readonly bytes: number;
}

export interface RecipeVerdict {
  readonly name: string;
  readonly version: string;
  /** Taken from the unsigned ledger of the medium. */
  readonly cookbook: string;
  readonly repository: string;
  readonly digest: Digest;
  readonly pushable: boolean;
  readonly reason?: Omit<ErrorRecord, 'class'> & { readonly path?: string };
  readonly keyFingerprint?: string;
  readonly trustScope?: string;
  readonly files: number;
  readonly bytes: number;
}

export interface MediumBlock extends Pick<ErrorRecord, 'code' | 'params' | 'rules'> {
  readonly waivable: boolean;
  readonly waived: boolean;
}

/** The verification report of a medium, the same in the API, in JSON and on the terminal. */
/** Content of a medium that no recipe that passed reaches. */
export interface LeftBehind {
  /** `<repository>:<tag>` in the store of the medium, the first ones. */
  readonly names: readonly string[];
  /** Number of further names. */
  readonly unnamed: number;
  readonly files: number;
  readonly bytes: number;
}

export interface MediumReport {
  readonly verdict: 'pushable' | 'partial' | 'blocked';
  readonly blocks: readonly MediumBlock[];
  readonly medium?: MediumIdentity;
  readonly zone: { readonly expected: string; readonly found?: string; readonly match: boolean };
  readonly freshness?: {
    readonly resolvedAt: string;
    readonly recordedAt?: string;
    readonly recordedMediaId?: string;
    readonly stale: boolean;
  };
  readonly recipes: readonly RecipeVerdict[];
  readonly findings: readonly (Pick<ErrorRecord, 'code' | 'params' | 'rules'> & { readonly path: string })[];
  /** What an import does not push; absent when every file is pushed. */
  readonly leftBehind?: LeftBehind;
  readonly checked: { readonly files: number; readonly bytes: number };
  readonly startedAt: string;
  readonly finishedAt: string;
}
