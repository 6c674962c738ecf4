/** An archive that cannot be used, with the rule it breaks and, where it is about one, the entry. The caller knows what to call it. */
export class TarError extends Error {
  override name = 'TarError';
  readonly rule: string;
  /** As it stands in the archive, one character a byte. */
  readonly path: string | undefined;

  constructor(rule: string, path?: string) {
    super(rule);
    this.rule = rule;
    this.path = path;
  }
}
