import type { Details } from '../base/details.ts';
import type { Digest } from '../base/digest.ts';
import type { CustodyLine, CustodyType } from '../contract/custody.ts';
import type { CustodyHead, LineContent } from './line.ts';

/** A file or a recipe that an event is about. */
export interface CustodySubject {
  readonly name: string;
  readonly digest: Digest;
  /** Why a recipe was refused: the line names it in `refused`. */
  readonly code?: string | undefined;
}

/** Facts of an event by name: texts, whole numbers, flags. Absent ones are left out; a text that is too long is cut. */
export type CustodyDetails = Details<string | number | boolean | readonly string[] | undefined>;

/** How an event ended. */
export type CustodyResult = NonNullable<CustodyLine['result']>;

/** The content of the line of an operation. */
export interface CustodyEntry {
  readonly type: CustodyType;
  readonly actor: string;
  readonly subjects?: readonly CustodySubject[] | undefined;
  readonly details?: CustodyDetails | undefined;
  /** Of a single event that can fail. */
  readonly result?: CustodyResult | undefined;
}

/** The additions of the line about its end. */
export interface CustodyOutcome {
  /** Default: those of the intent. */
  readonly subjects?: readonly CustodySubject[] | undefined;
  /** Besides those of the intent. */
  readonly details?: CustodyDetails | undefined;
  /** Default `success`. */
  readonly result?: CustodyResult | undefined;
}

/** An operation whose intent is in the ledger. */
export interface OpenIntent {
  /** The head that the intent made; absent where no lines are kept. */
  readonly head?: CustodyHead;
  /** Appends the outcome. @throws as `record` */
  end(outcome: CustodyOutcome): Promise<void>;
  /**
   * Appends the outcome of a failure: `denied` where a policy refused. Never throws: where that is impossible, the intent
   * stays open.
   *
   * @param signal tells an interruption from other failures
   */
  fail(error: unknown, signal?: AbortSignal): Promise<void>;
}

/** The custody ledger: the accounts behind each step of content, in lines whose later change is found. */
export interface Custody {
  /** Folder of the state with the ledger; absent where no lines are kept (`custody.enabled`). */
  readonly stateRoot?: string;
  /**
   * Requires that lines can be appended, and appends that the trust roots are others, if they are.
   *
   * @throws as `record`
   */
  open(): Promise<void>;
  /**
   * Appends a line about a single event, durably.
   *
   * @returns the head that it makes; undefined where no lines are kept
   * @throws SVC-CUS-001, SVC-STO-002, SVC-STO-004, SVC-STO-007, SVC-STO-014
   */
  record(entry: CustodyEntry): Promise<CustodyHead | undefined>;
  /** Appends the intent of an operation, durably, before its first effect. @throws as `record`: nothing may be done then */
  begin(entry: CustodyEntry): Promise<OpenIntent>;
  /**
   * Does work between an intent and its outcome.
   *
   * @param work gets the head that the intent made; undefined where no lines are kept
   * @param describe makes the outcome of the result
   * @param signal tells an interruption from other failures
   * @throws as `record` before the work; the errors of the work
   */
  during<T>(
    entry: CustodyEntry,
    work: (head: CustodyHead | undefined) => Promise<T>,
    describe?: (result: T) => CustodyOutcome,
    signal?: AbortSignal,
  ): Promise<T>;
}

/** A line as operations give it; the ledger adds its time and its site. */
export type NewLine = Omit<LineContent, 'ts' | 'site' | 'torn'>;
