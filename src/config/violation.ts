import { escapeText } from '../text/escape.ts';
import { fr } from '../text/language.ts';
import { mapRule, type Rule, rule } from '../text/rule.ts';

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
  /** Key path, such as `trust.roots[1].keyURL`; a rule where it is the document as a whole. */
  readonly key: string | Rule;
  /** The rule that is broken; never the value. */
  readonly rule: Rule;
  readonly origin: Origin;
  /** Whether the command line is at fault: an invalid value, or a combination given by flags alone. */
  readonly usage: boolean;
  /** Parameters of SVC-CFG-002. */
  readonly path?: string;
  readonly root?: string;
}

function formatOrigin(origin: Origin): string {
  if (origin.layer === 'default') return 'not set';
  return origin.line === undefined ? origin.name : `${origin.name}:${origin.line}`;
}

/** Makes `sync.parallelism must be at least 1 (SVC_SYNC_PARALLELISM)`, on one line: line breaks in a key are escaped. */
export function formatViolation(violation: Violation): Rule {
  const { key } = violation;
  return rule(['{key} {rule}', fr`{key} {rule}`], {
    key: typeof key === 'string' ? escapeText(key) : key,
    rule: mapRule(toOriginRule(violation), escapeText),
  });
}

/** Makes the rule of a violation with the origin of the value: `must be at least 1 (SVC_SYNC_PARALLELISM)`. */
export function toOriginRule({ rule: broken, origin }: Violation): Rule {
  return origin.layer === 'default'
    ? broken
    : rule(['{rule} ({origin})', fr`{rule} ({origin})`], { rule: broken, origin: formatOrigin(origin) });
}
