import { escapeText } from '../text/escape.ts';

/** Origin of a value. `name`: the flag, the variable, or the path of the document. */
export interface Origin {
  readonly layer: 'flag' | 'env' | 'file' | 'default';
  readonly name: string;
  /** Line in the document. */
  readonly line?: number;
}

/** One problem of the configuration. */
export interface Violation {
  readonly code: 'SVC-CFG-001' | 'SVC-CFG-002' | 'SVC-AUTH-001';
  /** Key path: `trust.roots[1].keyURL`. */
  readonly key: string;
  /** The rule that is broken, in English; never the value. */
  readonly rule: string;
  readonly origin: Origin;
  /** Whether the command line is at fault: an invalid value, or a combination given by flags alone. */
  readonly usage: boolean;
  /** Parameters of SVC-CFG-002. */
  readonly path?: string;
  readonly root?: string;
}

export function formatOrigin(origin: Origin): string {
  if (origin.layer === 'default') return 'not set';
  return origin.line === undefined ? origin.name : `${origin.name}:${origin.line}`;
}

/**
 * Formats `sync.parallelism must be at least 1 (SVC_SYNC_PARALLELISM)`; one line, whatever a key contains.
 *
 * @param translate returns the rule in the language of the reader; by default English
 */
export function formatViolation(
  { key, rule, origin }: Violation,
  translate: (rule: string) => string = (english) => english,
): string {
  const where = origin.layer === 'default' ? '' : ` (${formatOrigin(origin)})`;
  return escapeText(`${key} ${translate(rule)}${where}`);
}
