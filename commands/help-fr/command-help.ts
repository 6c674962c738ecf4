/** French help of one command. The summary of the command is in `overview.ts`. */
export interface CommandHelp {
  /** Paragraphs after the usage. */
  readonly details: readonly string[];
  /** Descriptions of the flags that `common.ts` does not describe, or that the command describes differently. */
  readonly flags: Readonly<Record<string, string>>;
  /** Titles of the examples, in the order of the command. */
  readonly examples: readonly string[];
}
