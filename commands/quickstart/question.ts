/** One thing to ask. */
export interface Question {
  readonly key: string;
  /** At most 15 characters. */
  readonly label: string;
  /** What a person needs to know to answer; one or two sentences. */
  readonly hint: string;
  /** The answer that Enter alone gives. */
  readonly initial: string;
  /** One of these; without them any line of text. */
  readonly choices?: readonly Choice[];
}

export interface Choice {
  readonly value: string;
  readonly text: string;
}

/** Answers by key of their question. */
export type Answers = Readonly<Record<string, string>>;

export interface DialogueOptions {
  readonly stdin: NodeJS.ReadableStream & { setRawMode?(mode: boolean): unknown };
  readonly stderr: NodeJS.WritableStream;
  readonly title: string;
  /** The next question after these answers; undefined when all are given. */
  readonly next: (answers: Answers) => Promise<Question | undefined>;
  /** What is wrong with an answer, in one sentence. */
  readonly check: (key: string, answer: string, before: Answers) => Promise<string | undefined>;
  readonly signal: AbortSignal;
  /** Ctrl-C, which a terminal in raw mode does not turn into a signal. */
  readonly onInterrupt: () => void;
}
