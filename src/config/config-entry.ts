import type { Rule } from '../text/rule.ts';
import type { Scope } from './scope.ts';
import type { FieldEntry, ValueType } from './value-type.ts';

/** Complete definition of one key of the configuration; the only place where it is defined. */
export interface ConfigEntry {
  /** Path in the document: `network.proxy.url`. */
  readonly key: string;
  readonly type: ValueType;
  readonly default?: unknown;
  /** Default in the table, if the value itself would say less. */
  readonly defaultLabel?: string;
  /** The environment variable, derived from the key; absent: file only. */
  readonly env?: string;
  /** The flag that sets it, with its dashes. */
  readonly flag?: string;
  /** One or two sentences for the table. */
  readonly doc: string;
  /** Checks a well-formed value by itself. */
  readonly rule?: (value: never) => Rule | undefined;
  /** Checks each item of a list. */
  readonly itemRule?: (item: string) => Rule | undefined;
  /** Scopes to which the rules apply; a value given by flag is always checked. */
  readonly scopes: readonly Scope[];
  readonly secret?: boolean;
  /** Members of the items, for the table. */
  readonly fields?: readonly FieldEntry[];
}
