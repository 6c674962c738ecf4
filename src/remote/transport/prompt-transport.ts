import { formatDuration } from '../../base/duration.ts';
import { type SvcError, svcError } from '../../base/error.ts';
import type { Transport } from '../model.ts';

interface PromptLimits {
  /** Milliseconds until an answer must begin. */
  readonly answer: number;
  /** Milliseconds for an answer with its body, besides the time for the announced bytes at the least rate. */
  readonly whole: number;
}

const promptLimits: PromptLimits = { answer: 30_000, whole: 60_000 };

/** Bytes a second that a body must have on average. */
const leastRate = 16_384;
/** Milliseconds that a timer can wait. */
const longestTimer = 2 ** 31 - 1;
/** Bytes of a body whose length is not announced. */
const usualBytes = 4_194_304;

/**
 * A transport for work that someone waits for, to be used for one such work. A host that keeps silent is named, and its
 * request is not repeated. When it has answered nothing meanwhile, its other requests are refused at once, so that the work
 * waits for each silent host once, however much it asks of it.
 *
 * Its requests fail with SVC-REG-004 besides the errors of the transport.
 */
export function promptTransport(
  transport: Transport,
  { answer, whole }: PromptLimits = promptLimits,
): Transport {
  const silent = new Map<string, SvcError>();
  /** When a host answered last, on the monotonic clock. */
  const answered = new Map<string, number>();
  return {
    ...transport,
    async request(asked) {
      const { host } = asked.url;
      const known = silent.get(host);
      if (known !== undefined) throw known;
      const late = new AbortController();
      const began = performance.now();
      const giveUp = (time: number): void => {
        const error = svcError('SVC-REG-004', { host, timeout: formatDuration(time) });
        if ((answered.get(host) ?? 0) < began) silent.set(host, error);
        late.abort(error);
      };
      let timer = setTimeout(giveUp, answer, answer);
      try {
        const signal = asked.signal ? AbortSignal.any([asked.signal, late.signal]) : late.signal;
        const response = await transport.request({ ...asked, signal });
        clearTimeout(timer);
        answered.set(host, performance.now());
        const announced = Number(response.headers['content-length'] ?? usualBytes);
        const seconds = Number.isFinite(announced) ? Math.ceil(announced / leastRate) : 0;
        const time = Math.min(whole + seconds * 1000, longestTimer);
        timer = setTimeout(giveUp, time, time);
        timer.unref();
        response.body.once('close', () => clearTimeout(timer));
        return response;
      } catch (error) {
        clearTimeout(timer);
        throw error;
      }
    },
  };
}
