import type { Bench } from './bench.ts';

/** The results of one run of one contender, by name of the measure. */
export interface Sample {
  readonly [measure: string]: number;
}

/** One of those that are compared. */
export interface Contender {
  readonly name: string;
  /** Does the work once. Unmeasured preparations (fresh folders, content) happen here too, outside its clock. */
  run(): Promise<Sample>;
}

export interface Measure {
  /** Name in the samples. */
  readonly key: string;
  readonly unit: string;
  /** Which way is good; `none` is reported without a ratio. */
  readonly better: 'more' | 'less' | 'none';
}

export interface Target {
  readonly measure: string;
  /** Name of the contender that is compared with; `best` for whichever does best. */
  readonly against: string;
  /** This project ÷ peer, at least or at most. */
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** The limit of the project for itself, with or without peers. */
export interface Limit {
  readonly measure: string;
  readonly atMost: number;
}

/** Contenders that take turns, the project's own first. */
export interface Comparison {
  readonly title: string;
  readonly measures: readonly Measure[];
  readonly contenders: readonly Contender[];
  readonly targets?: readonly Target[];
  readonly limits?: readonly Limit[];
  /** Programs that would be compared and are not there. */
  readonly missing?: readonly string[];
  /** The rate of the load client against a server that only writes zeros, in the unit of the first measure. */
  readonly ceiling?: (() => Promise<number>) | undefined;
  /** Rounds without a peer, where a repetition tells nothing. */
  readonly pairs?: number;
}

export interface Workload {
  /** `P1`. */
  readonly id: string;
  readonly title: string;
  /** Makes the comparisons, one after the other; the bench closes resources that they opened. */
  run(bench: Bench, compare: (comparison: Comparison) => Promise<void>): Promise<void>;
}
