import { errorKinds } from '../../../src/text/errors/codes.ts';
import type { ErrorClass, ErrorCode } from '../../../src/text/errors/registry.ts';

/** An error as an outcome shows it. */
export interface Shown {
  readonly code: ErrorCode;
  readonly class: ErrorClass;
}

const grades: readonly ErrorClass[] = ['failure', 'policy', 'verification'];
const exits: Readonly<Record<ErrorClass, number>> = { failure: 1, policy: 3, verification: 4 };

export const toShown = (code: ErrorCode): Shown => ({ code, class: errorKinds[code].class });

/** The principal error, found by comparing each with each: severest class, most frequent code, smallest code. */
export function findPrincipal(errors: readonly Shown[]): Shown | undefined {
  const count = (one: Shown): number =>
    errors.filter((other) => other.code === one.code && other.class === one.class).length;
  const isBefore = (a: Shown, b: Shown): boolean => {
    const grade = grades.indexOf(a.class) - grades.indexOf(b.class);
    if (grade !== 0) return grade > 0;
    return count(a) === count(b) ? a.code < b.code : count(a) > count(b);
  };
  return errors.find((one) => errors.every((other) => !isBefore(other, one)));
}

/** The exit code that an outcome with these errors must have. */
export function toExpectedExit(errors: readonly Shown[]): number {
  const principal = findPrincipal(errors);
  return principal === undefined ? 0 : exits[principal.class];
}
