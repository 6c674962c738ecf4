import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseTree, leastSeconds } from './choose-tree.ts';
import {
  bytesOf,
  type Load,
  type Rates,
  simulateFleet,
  type Tree,
  type TreeForecast,
} from './fleet-model.ts';
import { parsePrices } from './prices.ts';

const usage = `npm run bench -- fleet [flags]

Simulates nodes that all pull the same delivery at once, from an instance and through trees of caches. Uses the processor
times of docs/growing.md; measures nothing.

  --nodes <n>          nodes (200, 1000 and 10000 in turn)
  --gib <n>            GiB that each node pulls (2)
  --images <n>         images of this content, of five layers each (8)
  --card <n>           Gbit/s of the network cards of the instance, the caches and the nodes (10)
  --processors <n>     of a cache (4)
  --within <seconds>   also finds the smallest tree that ends in this time (600)
  --http               plain HTTP, as in P17
`;

const gibibyte = 2 ** 30;
/** Share of a card that is left by the headers of Ethernet, IP, TCP and TLS. */
const payload = 0.94;
/** Requests of a runtime for the manifests of an image: its tag, the index, and the manifest of the platform. */
const manifests = 3;
const layers = 5;
const configuration = 4096;
const nodesOfARack = 40;
const cachesOfACache = 25;

const toPercent = (share: number): string => `${(share * 100).toFixed(0)} %`;

/** What is printed of a tree, by the heading of its column. */
function toRow({ nodes, caches, rates }: Tree, forecast: TreeForecast): Readonly<Record<string, string>> {
  const { ends, instance, layers: each } = forecast;
  const list = (values: readonly string[]): string => values.join(', ') || '-';
  const gib = (bytes: number): string => (bytes / gibibyte).toFixed(0);
  return {
    nodes: String(nodes),
    caches: caches.join(' + ') || '-',
    seconds: ends.toFixed(0),
    '| GiB': gib(instance.sent),
    card: toPercent(instance.sent / ends / rates.instanceCard),
    requests: instance.requests.toFixed(0),
    'at most /s': instance.busiest.toFixed(0),
    processor: `${instance.processor.toFixed(0)} s`,
    busy: toPercent(instance.processor / ends / rates.instanceProcessors),
    '| GiB in': list(each.map(({ received }) => gib(received))),
    'GiB out': list(each.map(({ sent }) => gib(sent))),
    'cards used': list(each.map(({ sent }, i) => toPercent(sent / caches[i]! / ends / rates.cacheCard))),
    processors: list(
      each.map((layer, i) => toPercent(layer.processor / caches[i]! / ends / rates.cacheProcessors)),
    ),
  };
}

function printTable(rows: readonly Readonly<Record<string, string>>[]): string {
  const header = Object.keys(rows[0]!);
  const all = [header, ...rows.map((row) => header.map((name) => row[name]!))];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) => row.map((cell, i) => cell.padStart(widths[i]!)).join('  ')).join('\n');
}

/** Simulates fleets and prints the results. @returns the exit code */
export async function runFleet(args: readonly string[], root: string): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      nodes: { type: 'string' },
      gib: { type: 'string', default: '2' },
      images: { type: 'string', default: '8' },
      card: { type: 'string', default: '10' },
      processors: { type: 'string', default: '4' },
      within: { type: 'string', default: '600' },
      http: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const tell = (text: string): void => void process.stdout.write(`${text}\n`);
  if (values.help) {
    tell(usage);
    return 0;
  }
  const read = (name: 'nodes' | 'gib' | 'images' | 'card' | 'processors' | 'within'): number => {
    const number = Number(values[name]);
    const whole = name === 'nodes' || name === 'images';
    if (!(number > 0) || (whole && !Number.isInteger(number))) throw new Error(`--${name} wants a number`);
    return number;
  };
  const card = ((read('card') * 1e9) / 8) * payload;
  const images = read('images');
  const layer = Math.round((read('gib') * gibibyte) / images / layers);
  const load: Load = { images, manifests, blobs: [configuration, ...Array(layers).fill(layer)] };
  const rates: Rates = {
    ...{ instanceCard: card, uplink: card, cacheCard: card, nodeCard: card },
    instanceProcessors: 1,
    cacheProcessors: read('processors'),
    roundTrip: 0.0005,
  };
  const page = await readFile(join(root, 'docs', 'growing.md'), 'utf8');
  const prices = parsePrices(page, values.http ? 'http' : 'tls');
  const base = { load, rates, prices };
  const within = read('within');
  const rows: Readonly<Record<string, string>>[] = [];
  const lines: string[] = [];
  for (const nodes of values.nodes === undefined ? [200, 1000, 10_000] : [read('nodes')]) {
    const racks = Math.ceil(nodes / nodesOfARack);
    const usual = [[], [racks], [Math.ceil(racks / cachesOfACache), racks]];
    for (const caches of usual) {
      const tree = { ...base, nodes, caches };
      rows.push(toRow(tree, simulateFleet([tree])[0]!));
    }
    const least = leastSeconds({ ...base, nodes });
    const choice = chooseTree({ ...base, nodes }, within);
    if (choice === undefined)
      lines.push(
        `${nodes} nodes: no tree ends within ${within} s; the requests take ${least.toFixed(0)} s of the instance`,
      );
    else {
      const { caches } = choice;
      if (!usual.some((one) => one.join() === caches.join()))
        rows.push(toRow({ ...base, nodes, caches }, choice.forecast));
      lines.push(
        `${nodes} nodes: the smallest tree that ends within ${within} s has ${caches.join(' + ') || 'no'} caches`,
      );
    }
  }
  const gib = (bytesOf(load) / gibibyte).toFixed(1);
  tell(
    `${gib} GiB in ${images} images for each node, cards of ${values.card} Gbit/s, ${values.http ? 'plain HTTP' : 'TLS'}`,
  );
  tell(
    `of the instance: | GiB … busy; of the caches, by layer from the instance outwards: | GiB in … processors`,
  );
  tell(`\n${printTable(rows)}\n\n${lines.join('\n')}`);
  return 0;
}
