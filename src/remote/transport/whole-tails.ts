import type { Dispatcher } from 'undici';

/**
 * Receives an answer to its end, however slowly its body is read. undici stops parsing while the buffer of a body is full,
 * also when only the end of the answer is left to parse; if the peer then closes the connection, as servers do with one
 * that has been idle for seconds, undici discards a body of which every byte has arrived.
 */
export const wholeTails: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, receiveTail(handler));

function receiveTail(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  /** Bytes of the body that have not arrived; not a number where the answer does not announce its length. */
  let left = Number.NaN;
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (controller, status, headers, socket) =>
      handler.onRequestUpgrade?.(controller, status, headers, socket),
    onResponseStarted: () => handler.onResponseStarted?.(),
    onResponseStart(controller, status, headers, message) {
      left = Number(headers['content-length'] ?? Number.NaN);
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData(controller, chunk) {
      left -= chunk.length;
      handler.onResponseData?.(controller, chunk);
      if (left === 0) controller.resume();
    },
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
    onBodySent: (chunk) => handler.onBodySent?.(chunk),
    onRequestSent: () => handler.onRequestSent?.(),
  };
}
