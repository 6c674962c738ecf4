import type { Scope } from './scope.ts';
import type { FieldEntry, ValueType } from './value-type.ts';

/** One key of the configuration: everything that is known about it, and the only place where it is said. */
export interface ConfigEntry {
  /** Path in the document: `network.proxy.url`. */
  readonly key: string;
  readonly type: ValueType;
  readonly default?: unknown;
  /** As the table shows it, where the default itself would say less. */
  readonly defaultLabel?: string;
  /** The variable, derived from the key; absent: file only. */
  readonly env?: string;
  /** The flag that sets it, with its dashes. */
  readonly flag?: string;
  /** One or two sentences for the table. */
  readonly doc: string;
  /** Judges a well-formed value by itself. */
  readonly rule?: (value: never) => string | undefined;
  /** Judges each item of a list. */
  readonly itemRule?: (item: string) => string | undefined;
  /** Whose judgement the rules belong to; a value given by flag is always judged. */
  readonly scopes: readonly Scope[];
  readonly secret?: boolean;
  /** Members of the items, for the table. */
  readonly fields?: readonly FieldEntry[];
}
