import { escapeText } from '../base/escape.ts';

/** Where a value came from. `name`: the flag, the variable, or the document's path. */
export interface Origin {
  readonly layer: 'flag' | 'env' | 'file' | 'default';
  readonly name: string;
  /** Line in the document. */
  readonly line?: number;
}

/** One thing that is wrong with the configuration. */
export interface Violation {
  readonly code: 'SVC-CFG-001' | 'SVC-CFG-002' | 'SVC-AUTH-001';
  /** Key path: `trust.roots[1].keyURL`. */
  readonly key: string;
  /** What must hold, in English; never the value. */
  readonly rule: string;
  readonly origin: Origin;
  /** The value itself is not acceptable, or the combination was given by flags alone: the command line is at fault. */
  readonly usage: boolean;
  /** What SVC-CFG-002 says besides. */
  readonly path?: string;
  readonly root?: string;
}

export function formatOrigin(origin: Origin): string {
  if (origin.layer === 'default') return 'not set';
  return origin.line === undefined ? origin.name : `${origin.name}:${origin.line}`;
}

/** `sync.parallelism must be at least 1 (SVC_SYNC_PARALLELISM)`; one line, whatever a key of the document holds. */
export function formatViolation({ key, rule, origin }: Violation): string {
  const where = origin.layer === 'default' ? '' : ` (${formatOrigin(origin)})`;
  return escapeText(`${key} ${rule}${where}`);
}
