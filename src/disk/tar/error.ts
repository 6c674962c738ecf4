import { type Rule, RuleError } from '../../text/rule.ts';

/** An unusable archive: the rule that it breaks and, if the rule concerns one, the entry. Callers make the coded error. */
export class TarError extends RuleError {
  override name = 'TarError';
  /** As in the archive, one character per byte. */
  readonly path: string | undefined;

  constructor(broken: Rule, path?: string) {
    super(broken);
    this.path = path;
  }
}
