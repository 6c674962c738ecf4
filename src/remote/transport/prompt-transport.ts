import type { SvcError } from '../../text/error.ts';
import type { Transport } from '../model.ts';
import { lateAnswer } from './failure.ts';

interface PromptLimits {
  /** Milliseconds until an answer must begin. */
  readonly answer: number;
  /** Milliseconds for an answer with its body, besides the time for the announced bytes at the least rate. */
  readonly whole: number;
}

const promptLimits: PromptLimits = { answer: 30_000, whole: 30_000 };

/** Milliseconds, for work that someone waits for. A host that asks to wait longer is reported at once. */
export const promptWait = 10_000;
/** Bytes a second that a body must have on average. */
const leastRate = 16_384;
/** Milliseconds that a timer can wait. */
const longestTimer = 2 ** 31 - 1;
/** Milliseconds between two looks whether the cap still holds bodies back. */
const longestHold = 1000;
/** Bytes of a body whose length is not announced. */
const usualBytes = 4_194_304;

/**
 * A transport for work that someone waits for, to be used for one such work. A host that keeps silent, or whose answer
 * comes byte by byte, is named, and its request is not repeated. When it has answered nothing meanwhile, its other
 * requests are refused at once: the work waits for each such host only once.
 *
 * Its requests fail with SVC-REG-002 besides the errors of the transport.
 */
export function promptTransport(
  transport: Transport,
  { answer, whole }: PromptLimits = promptLimits,
): Transport {
  const silent = new Map<string, SvcError>();
  /** When a host answered last, on the monotonic clock. */
  const answered = new Map<string, number>();
  /** When a body of a host came to its end last: a host that trickles sends headers at once. */
  const finished = new Map<string, number>();
  return {
    ...transport,
    longestWait: promptWait,
    async request(asked) {
      const { host } = asked.url;
      const known = silent.get(host);
      if (known !== undefined) throw known;
      const late = new AbortController();
      const began = performance.now();
      const toLate = (time: number): SvcError => lateAnswer(host, time);
      const isBehind = (known: ReadonlyMap<string, number>): boolean => (known.get(host) ?? 0) < began;
      const giveUp = (time: number, known: ReadonlyMap<string, number>): void => {
        const error = toLate(time);
        if (isBehind(known)) silent.set(host, error);
        late.abort(error);
      };
      let timer = setTimeout(giveUp, answer, answer, answered);
      try {
        const signal = asked.signal ? AbortSignal.any([asked.signal, late.signal]) : late.signal;
        const response = await transport.request({ ...asked, signal });
        clearTimeout(timer);
        answered.set(host, performance.now());
        const announced = Number(response.headers['content-length'] ?? usualBytes);
        const seconds = Number.isFinite(announced) ? Math.ceil(announced / leastRate) : 0;
        const time = Math.min(whole + seconds * 1000, longestTimer);
        // the cap holds bodies back, which is no fault of the host: a silent one is noticed by the timeout of its connection
        const isHeld = (): boolean => (transport.limiter?.waiting ?? 0) > 0;
        const expire = (): void => {
          if (isHeld()) timer = setTimeout(expire, Math.min(time, longestHold));
          else giveUp(time, finished);
        };
        timer = setTimeout(expire, time);
        response.body.once('close', () => clearTimeout(timer));
        if (asked.method !== 'HEAD') response.body.once('end', () => finished.set(host, performance.now()));
        return {
          ...response,
          paceTimeout: Math.min(response.paceTimeout, whole),
          onSlow: (slow) => {
            response.onSlow?.(slow);
            // a body of unknown length is given up by its pace, and would be asked for again
            if (slow > whole && isBehind(finished)) silent.set(host, toLate(whole));
          },
        };
      } catch (error) {
        clearTimeout(timer);
        throw error;
      }
    },
  };
}
