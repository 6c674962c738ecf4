/** Processor seconds of a GiB and of a request, by the side that spends them. */
export interface Prices {
  readonly instance: {
    /** A GiB that nodes get from it. */
    readonly sent: number;
    /** A GiB that a cache gets from it. */
    readonly sentToCache: number;
    readonly manifest: number;
    /** The question of a cache whether a client may read a layer. */
    readonly permission: number;
    /** A request for a layer, its bytes aside. */
    readonly layer: number;
  };
  readonly cache: {
    /** A GiB from its disk. */
    readonly kept: number;
    /** A GiB that it fetches and sends on. */
    readonly fetched: number;
    readonly manifest: number;
    readonly permission: number;
  };
  /** Nodes that share the processors of the machine; absent: they have their own. */
  readonly node?: { readonly received: number; readonly request: number };
}

/** Columns of the table of prices in `docs/growing.md`. */
const columns = { tls: { instance: 0, cache: 1 }, http: { instance: 2, cache: 3 } };

/** Reads the prices from the page. @throws when a row is missing or has no figure */
export function parsePrices(page: string, over: keyof typeof columns): Prices {
  const read = (row: string, side: 'instance' | 'cache'): number => {
    const cells = page
      .split('\n')
      .find((line) => line.startsWith(`| ${row} |`))
      ?.split('|')
      .slice(2);
    const figure = Number.parseFloat(cells?.[columns[over][side]] ?? '');
    if (!(figure >= 0)) throw new Error(`no figure of the ${side} for ${row}`);
    return figure;
  };
  const [direct, kept, fetched] = ['the instance', 'a cache that has it', 'a cache that fetches it'].map(
    (from) => `1 GiB from ${from}`,
  ) as [string, string, string];
  const manifests = '1000 manifests through a cache';
  const permissions = '1000 small layers from a cache that has them';
  return {
    instance: {
      sent: read(direct, 'instance'),
      sentToCache: read(fetched, 'instance'),
      manifest: read(manifests, 'instance') / 1000,
      permission: read(permissions, 'instance') / 1000,
      layer: read('1000 small layers from the instance', 'instance') / 1000,
    },
    cache: {
      kept: read(kept, 'cache'),
      fetched: read(fetched, 'cache'),
      manifest: read(manifests, 'cache') / 1000,
      permission: read(permissions, 'cache') / 1000,
    },
  };
}
