/** A command line that is invalid: exit code 2. The message is one English sentence. */
export class CommandLineError extends Error {
  /** Usage of the command, where it helps. */
  readonly usage: string | undefined;

  constructor(message: string, usage?: string) {
    super(message);
    this.name = 'CommandLineError';
    this.usage = usage;
  }
}
