import type { Socket } from 'node:net';
import { type Dispatcher, Pool } from 'undici';
import { openConnection, type Route } from './connect.ts';

const mostPools = 64;

/** Connection pools by origin, proxy and checked addresses, the longest unused closed first. */
export interface Pools extends AsyncDisposable {
  /** The dispatcher whose sockets go where the route says and nowhere else. */
  get(target: URL, route: Route): Dispatcher;
}

export function openPools(stallTimeout: number): Pools {
  const pools = new Map<string, Pool>();

  const open = (target: URL, route: Route): Pool => {
    const forwarded = route.proxy !== undefined && target.protocol === 'http:';
    return new Pool(forwarded ? route.proxy!.url.origin : target.origin, {
      connections: 64,
      pipelining: 1,
      keepAliveTimeout: 30_000,
      keepAliveMaxTimeout: 120_000,
      // undici pauses both while we are the slow side, and restarts them with every byte
      headersTimeout: stallTimeout,
      bodyTimeout: stallTimeout,
      maxHeaderSize: 64 * 1024,
      allowH2: false,
      connect: (_options, done) => {
        openConnection(target, route).then(
          (socket) => done(null, socket as Socket),
          (error: unknown) => done(error as Error, null),
        );
      },
    });
  };

  return {
    get(target, route) {
      const addresses = route.addresses.map((one) => one.address).sort();
      const key = [target.origin, route.proxy?.url.href ?? '', ...addresses].join('|');
      const pool = pools.get(key) ?? open(target, route);
      pools.delete(key);
      pools.set(key, pool);
      if (pools.size > mostPools) {
        const [oldest, unused] = pools.entries().next().value!;
        pools.delete(oldest);
        // closing waits for what is under way
        void unused.close();
      }
      return pool;
    },
    async [Symbol.asyncDispose]() {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map((pool) => pool.destroy()));
    },
  };
}
