import { type Rule, RuleError } from '../text/rule.ts';

/**
 * Why a signing key cannot be used; `SVC-SGN-001` has advice for each.
 *
 * - `public`: a public key or a certificate
 * - `form`: no private key in a form that is read
 * - `kind`: an algorithm, curve or size that is not accepted
 * - `mode`: other users may read the file, or write it
 * - `no-password`: encrypted, and no password was given
 * - `password`: the password does not open it
 * - `cost`: its key derivation would take too much memory or time, or is not known
 */
export type KeyProblem = 'public' | 'form' | 'kind' | 'mode' | 'no-password' | 'password' | 'cost';

/** Thrown for text that is no usable signing key. The caller knows the file. */
export class KeyProblemError extends RuleError {
  override name = 'KeyProblemError';
  readonly problem: KeyProblem;

  /** @param rule words that fill a sentence: `an RSA key of 1024 bits` */
  constructor(problem: KeyProblem, rule: Rule, options?: ErrorOptions) {
    super(rule, options);
    this.problem = problem;
  }
}
