import type { SvcError } from '../../text/error.ts';

// Kept beside the errors, not in them: transience is neither stored nor shown.
const delays = new WeakMap<object, number>();
const silences = new WeakMap<object, number>();
const renewed = new WeakSet<object>();

/** Marks a failure as transient. @param delay minimum wait before a retry, in milliseconds */
export function markTransient(error: SvcError, delay = 0): SvcError {
  delays.set(error, delay);
  return error;
}

/** Minimum wait in milliseconds before a retry of a transient failure; else false. For `retry`. */
export function toTransience(error: unknown): number | false {
  return typeof error === 'object' && error !== null ? (delays.get(error) ?? false) : false;
}

/** Marks a failure as the silence of a peer that took the request. @param time in milliseconds */
export function markSilence(error: SvcError, time: number): SvcError {
  silences.set(error, time);
  return error;
}

/** Milliseconds for which a peer kept silent after it took the request; undefined for other failures. */
export function toSilence(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null ? silences.get(error) : undefined;
}

/** Marks a refusal after which the credentials were renewed: a body that can be read again may be sent once more. */
export function markRenewed(error: SvcError): SvcError {
  renewed.add(error);
  return error;
}

/** Whether the credentials that a refusal concerns were renewed meanwhile. */
export function isRenewed(error: unknown): boolean {
  return typeof error === 'object' && error !== null && renewed.has(error);
}

/** Marks an error as another one is marked. */
export function copyMarks(from: SvcError, to: SvcError): SvcError {
  const delay = toTransience(from);
  if (delay !== false) markTransient(to, delay);
  const silence = toSilence(from);
  if (silence !== undefined) markSilence(to, silence);
  return isRenewed(from) ? markRenewed(to) : to;
}
