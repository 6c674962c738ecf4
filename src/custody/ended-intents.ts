import type { CustodyLine } from '../contract/custody.ts';

/** The operation of a line. */
type Step = Pick<CustodyLine, 'seq' | 'of'> & {
  /** The run of the operation, and its type. */
  readonly run?: string | undefined;
};

export const stepOf = ({ seq, of, type, step, details: { run } }: CustodyLine): Step => ({
  seq,
  of,
  run: step === 'event' || run === undefined ? undefined : `${type} ${run}`,
});

/** Bytes of a line up to its step at most: names of sites have 63 characters. */
const longestBeginning = 1024;
const beginning =
  /^\{"seq":([0-9]{1,16}),.*?"type":"([a-z-]+)","step":"(?:intent|outcome)",(?:"of":([0-9]{1,16}),)?/;
/** Quotes inside of a text are escaped. */
const ofRun = /"run":"([^"\\]+)"/;

/** As `stepOf`, of a line that is not parsed; undefined for an event. */
export function readStep(bytes: Buffer): Step | undefined {
  const [, seq, type, of] = beginning.exec(bytes.toString('latin1', 0, longestBeginning)) ?? [];
  if (seq === undefined) return undefined;
  const [, run] = (bytes.includes('"run":"') && ofRun.exec(bytes.toString())) || [];
  return {
    seq: Number(seq),
    of: of === undefined ? undefined : Number(of),
    run: run === undefined ? undefined : `${type} ${run}`,
  };
}

/** Whether a line ends an intent: its outcome, or a later line of the same run, as that of a task that was resumed. */
export const isEndOf = (intent: Step, { seq, of, run }: Step): boolean =>
  of === intent.seq || (run !== undefined && run === intent.run && seq > intent.seq);

/** The intents that the lines of a ledger end, in any order of the lines. */
export class EndedIntents {
  readonly #named = new Set<number>();
  /** The last line of each run. */
  readonly #last = new Map<string, number>();

  add({ seq, of, run }: Step): void {
    if (of !== undefined) this.#named.add(of);
    if (run !== undefined && seq > (this.#last.get(run) ?? 0)) this.#last.set(run, seq);
  }

  has({ seq, run }: Step): boolean {
    return this.#named.has(seq) || (run !== undefined && (this.#last.get(run) ?? 0) > seq);
  }
}
