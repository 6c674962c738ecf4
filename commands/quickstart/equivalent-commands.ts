/** Answers so far; paths as given. */
export interface QuickstartAnswers {
  readonly config: string;
  readonly mode: string | undefined;
  readonly storageRoot: string;
  readonly stateRoot: string;
  readonly admin: string;
}

/** Quotes a word for a POSIX shell. */
export function quoteWord(word: string): string {
  return /^[A-Za-z0-9_./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Renders the commands that do the same without a terminal. */
export function renderEquivalentCommands(answers: QuickstartAnswers): string {
  const { config, mode, admin } = answers;
  const [file, storage, state] = [config, answers.storageRoot, answers.stateRoot].map(quoteWord);
  const way = mode === undefined ? 'mirror' : quoteWord(mode);
  const roots = `--storage-root ${storage} --state-root ${state}`;
  const who = admin === 'admin' ? '' : ` --admin ${quoteWord(admin)}`;
  return `Without a terminal, use flags; the password is the first line of a file:

  svc quickstart --config ${file} --mode ${way} ${roots}${who} --password-stdin < password-file

or run the steps by hand:

  svc user add ${quoteWord(admin)} --password-stdin --state-root ${state} < password-file
  svc serve --mode ${way} ${roots}${
    mode === undefined
      ? '\n\nThe mode is mirror (synchronized on request) or passthrough (on an interval).'
      : ''
  }`;
}
