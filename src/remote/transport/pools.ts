import type { Socket } from 'node:net';
import { type Dispatcher, Pool } from 'undici';
import { openConnection, type Route } from './connect.ts';
import { untilAborted } from './until-aborted.ts';

const mostPools = 64;

/** Connection pools by origin, proxy and checked addresses, the longest unused closed first. */
interface Pools extends AsyncDisposable {
  /**
   * Sends a request over sockets that go where the route says and nowhere else. Connections that nobody waits for any
   * more, because every request for them was aborted, are given up.
   */
  request(
    target: URL,
    route: Route,
    options: Dispatcher.RequestOptions & { readonly signal?: AbortSignal },
  ): Promise<Dispatcher.ResponseData>;
}

interface Entry {
  readonly pool: Pool;
  /** Gives up connections that are being made. */
  readonly ending: AbortController;
  /** Requests that wait for the head of their answer. */
  waiting: number;
  /** Connections that are being made. */
  connecting: number;
}

export function openPools(stallTimeout: number): Pools {
  const entries = new Map<string, Entry>();
  /** Those taken out of the map are among them until all their connections are closed. */
  const living = new Set<Entry>();

  const open = (target: URL, route: Route): Entry => {
    const forwarded = route.proxy !== undefined && target.protocol === 'http:';
    const ending = new AbortController();
    const pool = new Pool(forwarded ? route.proxy!.url.origin : target.origin, {
      connections: 64,
      pipelining: 1,
      keepAliveTimeout: 30_000,
      keepAliveMaxTimeout: 120_000,
      // undici pauses both while we are the slow side; only the one of the body restarts with every byte
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
    const entry: Entry = { pool, ending, waiting: 0, connecting: 0 };
    living.add(entry);
    return entry;
  };

  /** Closing waits for what is under way. */
  const retire = (key: string, entry: Entry): void => {
    if (entries.get(key) === entry) entries.delete(key);
    if (entry.pool.closed || entry.pool.destroyed) return;
    void entry.pool.close().finally(() => living.delete(entry));
  };

  return {
    async request(target, route, options) {
      const { signal } = options;
      const addresses = route.addresses.map((one) => one.address).sort();
      const key = [target.origin, route.proxy?.url.href ?? '', ...addresses].join('|');
      const entry = entries.get(key) ?? open(target, route);
      entries.delete(key);
      entries.set(key, entry);
      if (entries.size > mostPools) retire(...entries.entries().next().value!);
      entry.waiting += 1;
      try {
        // undici tells a request of its abort only once it has a connection
        return await untilAborted(entry.pool.request(options), signal);
      } finally {
        entry.waiting -= 1;
        if (entry.waiting === 0 && entry.connecting > 0) {
          // a pool of its own for what comes next: a request that met the end of a connection would fail with it
          retire(key, entry);
          entry.ending.abort(new Error('nobody waits for this connection'));
        }
      }
    },
    async [Symbol.asyncDispose]() {
      const all = [...living];
      entries.clear();
      for (const { ending } of all) ending.abort(new Error('the connection is no longer needed'));
      await Promise.all(all.map(({ pool }) => pool.destroy()));
    },
  };
}
