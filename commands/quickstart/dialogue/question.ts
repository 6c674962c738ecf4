/** One question of the dialog. */
export interface Question {
  readonly key: string;
  /** At most 15 characters. */
  readonly label: string;
  /** Explanation for the user, one or two sentences. */
  readonly hint: string;
  /** Value to read or copy, shown on a line of its own: at most 76 characters fit on a terminal of 80 columns. */
  readonly shown?: string;
  /** Answer that Enter gives without other input. */
  readonly initial: string;
  /** Allowed answers. Absent: any line of text. */
  readonly choices?: readonly Choice[];
}

export interface Choice {
  readonly value: string;
  /** Word that is shown for the value; absent: the value. */
  readonly name?: string;
  readonly text: string;
}

/** Answers by the key of their question. */
export type Answers = Readonly<Record<string, string>>;

export interface DialogueOptions {
  readonly stdin: NodeJS.ReadableStream & { setRawMode?(mode: boolean): unknown };
  readonly stderr: NodeJS.WritableStream;
  readonly title: string;
  /** Line that names the keys. */
  readonly keys: string;
  /** Returns the next question after these answers; undefined when all are answered. */
  readonly next: (answers: Answers) => Promise<Question | undefined>;
  /** Checks an answer. Returns its fault in one sentence, undefined when it is valid. */
  readonly check: (key: string, answer: string, before: Answers) => Promise<string | undefined>;
  readonly signal: AbortSignal;
  /** Called on Ctrl-C, which a terminal in raw mode does not convert to a signal. */
  readonly onInterrupt: () => void;
}
