import type { Recipe } from '../../recipe/model.ts';
import type { ErrorRecord } from '../../text/error.ts';
import type { RuleValue } from '../../text/rule.ts';
import type { LintRule } from './rule-words.ts';

/** `error`: a zone cannot use the recipe as it stands. `warning`: it can, and the author should know. */
export type Severity = 'error' | 'warning';

/** A fault or doubtful part of a recipe. Its sentences are in `rule-words.ts`, by rule. */
export interface Finding {
  readonly rule: LintRule;
  readonly severity: Severity;
  /** `spec.ingredients[2].version` */
  readonly path: string;
  /** Line in the document, from 1. */
  readonly line?: number;
  /** Values of the sentences. */
  readonly params: Readonly<Record<string, RuleValue>>;
  /** Why a check could not be made. */
  readonly error?: ErrorRecord;
}

/** Settings that the rules need besides the document. */
export interface LintSettings {
  /** Hosts that are reached over plain HTTP here (`registries.insecure`). */
  readonly insecure: readonly string[];
}

/** A rule that looks at the document only. */
export type PureRule = (recipe: Recipe, settings: LintSettings) => Iterable<Finding>;

/** Path of an ingredient or of one of its members. */
export function ingredientPath(position: number, member?: string): string {
  return `spec.ingredients[${position}]${member === undefined ? '' : `.${member}`}`;
}
