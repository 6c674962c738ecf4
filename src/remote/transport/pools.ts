import type { Socket } from 'node:net';
import { type Dispatcher, Pool } from 'undici';
import { openConnection, type Route } from './connect.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * Receives an answer to its end, however slowly its body is read. The parser of undici stops while the buffer of a body
 * is full, also when only the end of the answer is left. Servers close a connection that has been idle for seconds. In
 * that case undici discards a body of which every byte has arrived.
 */
const wholeTails: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
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

const mostPools = 64;

/** Connection pools by origin, proxy and checked addresses. Beyond 64 the least recently used is closed. */
interface Pools extends AsyncDisposable {
  /**
   * Sends a request over sockets of this route only. Connections being opened are aborted when all requests
   * waiting for them were aborted.
   *
   * @param isCapped whether the body is read slowly, under a cap. Such requests have connections of their own: the
   *   kernel gives a connection that was read fast a receive buffer of megabytes, which it keeps. Bytes waiting there
   *   are received beyond the cap, and make the peer believe that nobody reads.
   */
  request(
    target: URL,
    route: Route,
    options: Dispatcher.RequestOptions & { readonly signal?: AbortSignal },
    isCapped: boolean,
  ): Promise<Dispatcher.ResponseData>;
}

interface Entry {
  readonly pool: Pool;
  readonly requests: Dispatcher;
  /** Aborts connections that are being opened. */
  readonly ending: AbortController;
  /** Number of requests that wait for the head of their answer. */
  waiting: number;
  /** Number of connections that are being opened. */
  connecting: number;
}

/** @param stallTimeout milliseconds without a byte after which a connection is closed */
export function openPools(stallTimeout: number): Pools {
  const entries = new Map<string, Entry>();
  /** All pools with open connections, also those no longer in `entries`. */
  const active = new Set<Entry>();

  const open = (target: URL, route: Route): Entry => {
    const forwarded = route.proxy !== undefined && target.protocol === 'http:';
    const ending = new AbortController();
    const pool = new Pool(forwarded ? route.proxy!.url.origin : target.origin, {
      connections: 64,
      pipelining: 1,
      keepAliveTimeout: 30_000,
      keepAliveMaxTimeout: 120_000,
      // undici pauses both timeouts while this side is slow; only the body timeout restarts with every byte
      headersTimeout: stallTimeout,
      bodyTimeout: stallTimeout,
      maxHeaderSize: 64 * 1024,
      allowH2: false,
      connect: (_options, done) => {
        entry.connecting += 1;
        openConnection(target, route, ending.signal)
          .finally(() => {
            entry.connecting -= 1;
          })
          .then(
            (socket) => done(null, socket as Socket),
            (error: unknown) => done(error as Error, null),
          );
      },
    });
    const entry: Entry = { pool, requests: pool.compose(wholeTails), ending, waiting: 0, connecting: 0 };
    active.add(entry);
    return entry;
  };

  /** Closes a pool after its pending requests. */
  const retire = (key: string, entry: Entry): void => {
    if (entries.get(key) === entry) entries.delete(key);
    if (entry.pool.closed || entry.pool.destroyed) return;
    void entry.pool.close().finally(() => active.delete(entry));
  };

  return {
    async request(target, route, options, isCapped) {
      const { signal } = options;
      const addresses = route.addresses.map((one) => one.address).sort();
      const kind = isCapped ? 'capped' : 'free';
      const key = [target.origin, kind, route.proxy?.url.href ?? '', ...addresses].join('|');
      const entry = entries.get(key) ?? open(target, route);
      entries.delete(key);
      entries.set(key, entry);
      if (entries.size > mostPools) retire(...entries.entries().next().value!);
      entry.waiting += 1;
      try {
        // undici rejects an aborted request only when it has a connection
        return await untilAborted(entry.requests.request(options), signal);
      } finally {
        entry.waiting -= 1;
        if (entry.waiting === 0 && entry.connecting > 0) {
          // later requests use a new pool: in this one they would fail with the aborted connection
          retire(key, entry);
          entry.ending.abort(new Error('the connection is no longer needed'));
        }
      }
    },
    async [Symbol.asyncDispose]() {
      const all = [...active];
      entries.clear();
      for (const { ending } of all) ending.abort(new Error('the connection is no longer needed'));
      await Promise.all(all.map(({ pool }) => pool.destroy()));
    },
  };
}
