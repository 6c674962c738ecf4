import type { SvcError } from '../text/error.ts';

/**
 * Runs work with a time limit. Work that ignores its signal is not waited for.
 *
 * @param limit milliseconds
 * @param left aborts the work as well
 * @throws the error of `toLate` when the time is over, otherwise that of the work
 */
export async function within<T>(
  limit: number,
  left: AbortSignal | undefined,
  toLate: () => SvcError,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const signal = left ? AbortSignal.any([left, over.signal]) : over.signal;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = toLate();
    late.reject(error);
    over.abort(error);
  }, limit);
  try {
    return await Promise.race([work(signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The result of a work, or another one when the work takes too long. The work is not stopped.
 *
 * @param limit milliseconds
 * @param instead the result in that case
 */
export async function orAfter<T>(limit: number, work: Promise<T>, instead: T): Promise<T> {
  const late = Promise.withResolvers<T>();
  const timer = setTimeout(late.resolve, limit, instead).unref();
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
