import type { Socket } from 'node:net';

/** Destroys a socket when a signal aborts. @returns a function that ends the watch */
export function destroyOnAbort(socket: Socket, signal: AbortSignal): () => void {
  const abort = () => socket.destroy(signal.reason as Error);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}
