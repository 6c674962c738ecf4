import type { Sentence } from '../language.ts';
import type { Rule } from '../rule.ts';

/** Decides the exit code: failure 1, policy 3, verification 4. */
export type ErrorClass = 'failure' | 'policy' | 'verification';

/** A parameter as it is stored and sent; texts are English. */
export type ParamValue = string | number | readonly string[];

/** Types of the parameters of an error. */
export interface ParamKinds {
  /** A text of this program in both languages, or one of another program. */
  text: Rule | ParamValue;
  /** A text of this program alone: an English string does not compile. */
  rule: Rule;
  /** Names and numbers, which are the same in every language. */
  name: ParamValue;
  /** A size in bytes. */
  bytes: number;
}

/** Properties and sentences of an error code. */
export interface Entry {
  readonly class: ErrorClass;
  /** HTTP status of the error in an answer; 500 for errors that occur only at start. */
  readonly status: number;
  /** Parameters by name; a trailing `?` marks one that may be absent. */
  readonly params: Readonly<Record<string, keyof ParamKinds>>;
  /**
   * The event, in the notation of `fill.ts`: `{name}` is a parameter, `{name:size}` one in bytes. A part in square
   * brackets is left out when a parameter in it is absent.
   */
  readonly what: Sentence;
  /** The probable cause. */
  readonly cause: Sentence;
  /** The remedy. */
  readonly action: Sentence;
}

export type Family = Readonly<Record<`SVC-${string}`, Entry>>;
