import type { SvcError } from '../../base/error.ts';

// Kept beside the errors, not in them: transience is neither stored nor shown.
const delays = new WeakMap<object, number>();

/** Marks a failure as transient. @param delay minimum wait before a retry, in milliseconds */
export function markTransient(error: SvcError, delay = 0): SvcError {
  delays.set(error, delay);
  return error;
}

/** Minimum wait in milliseconds before a retry of a transient failure; else false. For `retry`. */
export function toTransience(error: unknown): number | false {
  return typeof error === 'object' && error !== null ? (delays.get(error) ?? false) : false;
}
