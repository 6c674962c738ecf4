/** An unusable archive: the rule that it breaks and, if the rule concerns one, the entry. Callers make the coded error. */
export class TarError extends Error {
  override name = 'TarError';
  readonly rule: string;
  /** As in the archive, one character per byte. */
  readonly path: string | undefined;

  constructor(rule: string, path?: string) {
    super(rule);
    this.rule = rule;
    this.path = path;
  }
}
