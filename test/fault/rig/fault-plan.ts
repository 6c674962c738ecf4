/** The orders to the instrument in a process. */
export interface FaultPlan {
  /** Folders whose changes count, absolute and without links. */
  readonly roots: readonly string[];
  /** Nothing counts before SIGUSR2; this file is made then. Default: everything counts. */
  readonly armed?: string;
  readonly kill?: { readonly at: number; readonly when: 'before' | 'during' | 'after' };
  readonly fail?: readonly FailureRule[];
  /** File with the milliseconds by which the wall clock is wrong; read at each look at the clock. */
  readonly clock?: string;
  /** Folders that are said to lie on another kind of filesystem: its number as `statfs` has it. */
  readonly filesystems?: Readonly<Record<string, number>>;
  /** File that gets one line for each call. */
  readonly record?: string;
  /** File that says at the end how many calls were counted. */
  readonly report?: string;
}

/** Calls that fail instead of being made. */
export interface FailureRule {
  /** `open`, `write`, `writev`, `writeFile`, `appendFile`, `sync`, `truncate`, `mkdir`, `rename`, `unlink`, `rm`, `link`, `copyFile`; several with `|`. */
  readonly op: string;
  /** Expression that the absolute path matches. */
  readonly path?: string;
  readonly code: string;
  /** How many go through first. */
  readonly skip?: number;
  readonly times?: number;
  /** Milliseconds until the failure shows. */
  readonly delay?: number;
}

/** A line of the record. */
export interface Recorded {
  readonly step: number;
  readonly phase: 'start' | 'end' | 'note';
  /** Microseconds of the machine's monotonic clock. */
  readonly at: number;
  readonly op?: string;
  readonly path?: string;
  readonly to?: string;
  /** The file, under any name. */
  readonly id?: number;
  readonly position?: number;
  readonly length?: number;
  /** base64 */
  readonly data?: string;
}

/** The result of the instrument, in `report`. */
export interface FaultReport {
  readonly count: number;
  readonly last: string;
  readonly killed: boolean;
}
