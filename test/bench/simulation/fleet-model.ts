import type { Prices } from './prices.ts';
import { type Actor, type Resource, type Run, runActors, type Use } from './run-actors.ts';

const gibibyte = 2 ** 30;
/** As in `deploy/nginx-cache.conf`. */
const slice = 32 * 2 ** 20;
/** nginx looks for a slice that another request fetches in this interval. */
const lockInterval = 0.5;
/** A process takes turns between its connections: a request takes a turn, and so does this part of a transfer. */
const turn = 2 ** 16;

/** Images that every node pulls. */
export interface Load {
  readonly images: number;
  /** Requests of each image for its manifests. */
  readonly manifests: number;
  /** Bytes of the blobs of each image. */
  readonly blobs: readonly number[];
}

/** Bytes a second, processors and seconds. */
export interface Rates {
  readonly instanceCard: number;
  /** Of a cache towards the instance. */
  readonly uplink: number;
  /** Of a cache towards its nodes, or towards further caches. */
  readonly cacheCard: number;
  readonly nodeCard: number;
  /** Processors of the instance: its process has one thread for requests. */
  readonly instanceProcessors: number;
  readonly cacheProcessors: number;
  /** Of a request over one link. */
  readonly roundTrip: number;
}

/** An instance, the layers of caches behind it, and nodes; all are spread evenly. */
export interface Tree {
  readonly nodes: number;
  /** Number of caches in each layer, from the instance outwards; none: nodes pull from the instance. */
  readonly caches: readonly number[];
  readonly load: Load;
  readonly rates: Rates;
  readonly prices: Prices;
  /** When its nodes begin. */
  readonly begins?: number;
  /** Processors that all processes of the tree share; absent: each has its own machine. */
  readonly machine?: Resource;
}

/** What passed through one tree. */
export interface TreeForecast {
  /** When its last node had everything. */
  readonly ends: number;
  readonly instance: {
    readonly sent: number;
    readonly requests: number;
    /** The most requests in one second. */
    readonly busiest: number;
    readonly processor: number;
  };
  /** Of each layer, bytes into and out of all its caches, and processor time of all. */
  readonly layers: readonly {
    readonly received: number;
    readonly sent: number;
    readonly processor: number;
  }[];
  /** Bytes that all nodes received. */
  readonly received: number;
}

/** So many equal caches, between equal parents and equal children. */
interface CacheClass {
  readonly count: number;
  readonly parent: CacheClass | undefined;
  readonly input: Resource;
  readonly output: Resource;
  readonly processor: Resource;
  /** Slices that are here, and those that are on their way. */
  readonly slices: Map<string, 'coming' | 'here'>;
}

const counter = (): Resource => ({ capacity: Number.POSITIVE_INFINITY });

export const bytesOf = ({ images, blobs }: Load): number =>
  images * blobs.reduce((sum, size) => sum + size, 0);

function openTree(tree: Tree): { readonly actors: Actor[]; forecast(run: Run): TreeForecast } {
  const { load, rates, prices, machine } = tree;
  const card: Resource = { capacity: rates.instanceCard };
  const requests = counter();
  const processor: Resource = { capacity: rates.instanceProcessors };
  const nodesInput = counter();
  const layers: CacheClass[][] = tree.caches.map(() => []);
  let ends = 0;

  /** Processor seconds for each byte, on a process and on the machine that it shares. */
  const compute = (of: Resource | undefined, seconds: number, units: number): Use[] =>
    [of, machine].flatMap((one) => (one === undefined ? [] : [{ of: one, per: seconds / units }]));

  /** A request that reaches the instance by way of all caches; a layer is asked of the instance itself. */
  function* ask(
    kind: 'manifest' | 'permission' | 'layer',
    at: CacheClass | undefined,
    members: number,
  ): Actor {
    const uses = [{ of: requests, per: 1 / turn }, ...compute(processor, prices.instance[kind], turn)];
    let links = 1;
    for (let cache = at; cache !== undefined; cache = cache.parent) {
      links += 1;
      if (kind !== 'layer') uses.push(...compute(cache.processor, prices.cache[kind], turn));
    }
    if (prices.node) uses.push(...compute(undefined, prices.node.request, turn));
    yield { pause: links * rates.roundTrip };
    yield { amount: turn, members, uses };
  }

  interface Transfer {
    readonly name: string;
    readonly size: number;
    readonly members: number;
    /** On the way from the server to the receiver. */
    readonly uses: readonly Use[];
    readonly most?: number;
  }

  /** Bytes from the instance, or from a cache, which fetches them first, once. */
  function* transfer(at: CacheClass | undefined, wanted: Transfer): Actor {
    const { name, size: amount, members, most = Number.POSITIVE_INFINITY } = wanted;
    const send = function* (uses: readonly Use[]): Actor {
      yield { amount, members, uses: [...wanted.uses, ...uses], most };
    };
    if (at === undefined) {
      yield* ask('layer', undefined, members);
      const price = tree.caches.length > 0 ? prices.instance.sentToCache : prices.instance.sent;
      yield* send([{ of: card, per: 1 }, ...compute(processor, price, gibibyte)]);
      return;
    }
    while (at.slices.get(name) === 'coming') yield { pause: lockInterval };
    const { slices, parent, count } = at;
    const output = { of: at.output, per: 1 };
    if (!slices.has(name)) {
      slices.set(name, 'coming');
      if (parent !== undefined) yield* ask('permission', parent, count);
      const input = [{ of: at.input, per: 1 }, ...compute(at.processor, prices.cache.fetched, gibibyte)];
      // the child of each cache that asked first gets the bytes as they come
      const streams = members === count;
      yield* transfer(parent, {
        ...wanted,
        members: count,
        uses: streams ? [...wanted.uses, output, ...input] : input,
      });
      slices.set(name, 'here');
      if (streams) return;
    }
    yield* send([output, ...compute(at.processor, prices.cache.kept, gibibyte)]);
  }

  function* pull(at: CacheClass | undefined, members: number): Actor {
    if (tree.begins !== undefined) yield { pause: tree.begins };
    for (let image = 0; image < load.images; image += 1) {
      for (let n = 0; n < load.manifests; n += 1) yield* ask('manifest', at, members);
      for (const [i, size] of load.blobs.entries()) {
        // the permission; from the instance itself it comes with the bytes
        if (at !== undefined) yield* ask('permission', at, members);
        const part = at === undefined ? size : slice;
        for (let from = 0; from < size; from += part)
          yield* transfer(at, {
            name: `${image}/${i}/${from}`,
            size: Math.min(part, size - from),
            members,
            uses: [
              { of: nodesInput, per: 1 },
              ...(prices.node ? compute(undefined, prices.node.received, gibibyte) : []),
            ],
            most: rates.nodeCard,
          });
      }
    }
    ends = Math.max(ends, yield { pause: 0 });
  }

  const actors: Actor[] = [];
  /** Of each layer: how many of its children each cache has, and how many caches have one more. */
  const below = tree.caches.map((caches, layer) => {
    const children = tree.caches[layer + 1] ?? tree.nodes;
    return { each: Math.floor(children / caches), more: children % caches };
  });
  /** Places so many equal caches of a layer, with all behind them, or so many nodes. */
  const place = (parent: CacheClass | undefined, layer: number, members: number): void => {
    if (layer === tree.caches.length) {
      if (members > 0) actors.push(pull(parent, members));
      return;
    }
    const { each, more } = below[layer]!;
    const fuller = Math.min(members, more);
    below[layer] = { each, more: more - fuller };
    for (const [count, children] of [
      [fuller, each + 1],
      [members - fuller, each],
    ] as const) {
      if (count === 0 || children === 0) continue;
      const cache: CacheClass = {
        count,
        parent,
        input: { capacity: count * rates.uplink },
        output: { capacity: count * rates.cacheCard },
        processor: { capacity: count * rates.cacheProcessors },
        slices: new Map(),
      };
      layers[layer]!.push(cache);
      // of the children of a cache, one asks first and the others wait for it
      place(cache, layer + 1, count);
      place(cache, layer + 1, count * (children - 1));
    }
  };
  place(undefined, 0, tree.caches[0] ?? tree.nodes);

  return {
    actors,
    forecast: (run) => ({
      ends,
      instance: {
        sent: run.usage(card).total,
        requests: run.usage(requests).total,
        busiest: run.usage(requests).busiest,
        processor: run.usage(processor).total,
      },
      layers: layers.map((classes) => {
        const sum = (select: (one: CacheClass) => Resource): number =>
          classes.reduce((all, one) => all + run.usage(select(one)).total, 0);
        return {
          received: sum(({ input }) => input),
          sent: sum(({ output }) => output),
          processor: sum((one) => one.processor),
        };
      }),
      received: run.usage(nodesInput).total,
    }),
  };
}

/** Lets the nodes of all trees pull their load, from nothing. */
export function simulateFleet(trees: readonly Tree[]): TreeForecast[] {
  const opened = trees.map(openTree);
  const run = runActors(opened.flatMap(({ actors }) => actors));
  return opened.map(({ forecast }) => forecast(run));
}
