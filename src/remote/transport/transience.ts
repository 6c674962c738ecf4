import type { SvcError } from '../../base/error.ts';

// Beside the errors, not in them: whether a failure may pass is nothing that is stored or shown.
const delays = new WeakMap<object, number>();

/** Says that a failure may pass by itself, and how many milliseconds to wait at least. */
export function markTransient(error: SvcError, delay = 0): SvcError {
  delays.set(error, delay);
  return error;
}

/** Whether a failure may pass: the milliseconds to wait at least, or false. For `retry`. */
export function toTransience(error: unknown): number | false {
  return typeof error === 'object' && error !== null ? (delays.get(error) ?? false) : false;
}
