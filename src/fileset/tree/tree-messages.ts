import type { StoredRule } from '../../text/rule.ts';
/** Bytes of one piece of a layer; a merge has memory for two. */
export const pieceBytes: number = 1 << 18;

/** A step of a merge. */
export type TreeOrder =
  | { readonly do: 'layer'; readonly layer: number }
  | {
      readonly do: 'piece';
      readonly slot: number;
      readonly bytes: number;
      /** Bytes of the archive behind the piece; the answer says how many of them are content of the current file. */
      readonly behind?: number;
    }
  | { readonly do: 'end-layer' }
  | { readonly do: 'end' };

/** A request to the thread; it answers each, in their order. */
export interface TreeRequest {
  /** Number of the merge. */
  readonly id: number;
  readonly order:
    | TreeOrder
    | {
        readonly do: 'open';
        /** Empty for a table that is only used to judge. */
        readonly path: string;
        readonly pieces: SharedArrayBuffer;
        readonly hashes: boolean;
      }
    | { readonly do: 'close' };
}

/** A merge that was refused or has failed is closed. */
export type TreeAnswer =
  | { readonly id: number; readonly passed: number }
  | {
      readonly id: number;
      readonly refused: { readonly rule: StoredRule; readonly path: string | undefined };
    }
  | {
      readonly id: number;
      readonly failed: {
        readonly message: string;
        readonly code: string | undefined;
        readonly errcode: number | undefined;
      };
    };
