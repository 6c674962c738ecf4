/** Something that the command line asks for and that cannot be: exit code 2. The message is one English sentence. */
export class CommandLineError extends Error {
  /** How the command is used, where that helps. */
  readonly usage: string | undefined;

  constructor(message: string, usage?: string) {
    super(message);
    this.name = 'CommandLineError';
    this.usage = usage;
  }
}
