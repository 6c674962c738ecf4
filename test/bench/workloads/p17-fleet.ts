import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Delivery,
  deliverThroughProxies,
  deliverThroughZones,
  type FleetResult,
  publishDelivery,
  toShare,
} from '../fleet.ts';
import { startLoadClient } from '../load/load-client.ts';
import { type Rates, simulateFleet } from '../simulation/fleet-model.ts';
import { type Prices, parsePrices } from '../simulation/prices.ts';
import type { Contender, Measure, Sample, Workload } from '../workload.ts';

const zones = 3;
const peer = 'distribution, pull-through';

function toSample({ seconds, failed, repeated, links, caches }: FleetResult): Sample {
  return {
    seconds,
    failed,
    repeated,
    ...Object.fromEntries(links.map((times, i) => [`link ${i}`, times])),
    ...Object.fromEntries(caches.map((times, i) => [`cache ${i}`, times])),
  };
}

/** Over the loopback interface nothing but the processors is a limit. */
const loopback: Rates = {
  ...{ instanceCard: 1e11, uplink: 1e11, cacheCard: 1e11, nodeCard: 1e11 },
  ...{ instanceProcessors: 1, cacheProcessors: 1, roundTrip: 0.0001 },
};
/** Processor time of the load client, as P20 measures it. */
const loadClient = { received: 0.28, request: 0.00005 };

/** The same run, simulated: with the processors that it had, and zones that begin when they began. */
function simulate(
  { measured }: FleetResult,
  nodes: number,
  { images }: Delivery,
  prices: Prices,
): Readonly<Record<string, number>> {
  if (measured === undefined) return {};
  const machine = { capacity: measured.processors };
  const { blobs } = images[0]!.artifact;
  const load = { images: images.length, manifests: 1, blobs: blobs.map(({ bytes }) => bytes.length) };
  const forecasts = simulateFleet(
    measured.begins.map((begins, zone) => ({
      ...{ nodes: toShare(nodes, zones, zone), caches: [1], load, rates: loopback, begins, machine },
      prices: { ...prices, node: loadClient },
    })),
  );
  const sum = (select: (one: (typeof forecasts)[number]) => number): number =>
    forecasts.reduce((all, one) => all + select(one), 0);
  return {
    simulated: Math.max(...forecasts.map(({ ends }) => ends)),
    instances: measured.instances,
    'instances, simulated': sum(({ instance }) => instance.processor),
    nginx: measured.caches,
    'nginx, simulated': sum(({ layers }) => layers[0]!.processor),
    processors: measured.processors,
  };
}

export const fleet: Workload = {
  id: 'P17',
  title: 'three zones in cascade, with caches, and 200 nodes that pull one delivery cold',
  async run(bench, compare) {
    const missing = bench.missing('registry', 'nginx');
    const [registry, nginx] = [bench.peer('registry'), bench.peer('nginx')];
    if (registry === undefined || nginx === undefined) throw new Error(`needs ${missing.join(' and ')}`);
    const nodes = bench.size(200, 30);
    const delivery = bench.keep(
      await publishDelivery(await bench.createFolder('p17-origin'), registry, {
        images: bench.size(8, 2),
        layers: 2,
        layerSize: bench.size(4, 1) << 20,
      }),
    );
    // a client of each zone: one does one thing at a time
    const clients = await Promise.all(Array.from({ length: zones }, () => startLoadClient()));
    for (const client of clients) bench.keep(client);
    const programs = { registry, nginx };
    const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'growing.md');
    const prices = parsePrices(await readFile(page, 'utf8'), 'http');
    /** Seconds that the nodes of the second zone take when nothing happens to it. */
    let usual = 0;
    const contender = (
      name: string,
      deliver: (folder: string) => Promise<FleetResult>,
      onEnd: (result: FleetResult) => void = () => {},
    ): Contender => ({
      name,
      run: () =>
        bench.withFolder('p17', async (folder) => {
          const result = await deliver(folder);
          for (const error of result.errors) bench.tell(`    ${error}`);
          onEnd(result);
          return { ...toSample(result), ...simulate(result, nodes, delivery, prices) };
        }),
    });
    const options = { delivery, clients, nodes, programs };
    const links = Array.from({ length: zones }, (_, i) => `link ${i}`);
    await compare({
      title: `${nodes} nodes in ${zones} zones, ${(delivery.bytes / 2 ** 20).toFixed(0)} MiB each`,
      measures: [
        { key: 'seconds', unit: 's to the last node', better: 'less' },
        { key: 'simulated', unit: 's to the last node', better: 'none' },
        { key: 'processors', unit: 'left by other work', better: 'none' },
        ...['instances', 'nginx'].flatMap((key): Measure[] =>
          [key, `${key}, simulated`].map((one) => ({ key: one, unit: 's of processors', better: 'none' })),
        ),
        { key: 'failed', unit: 'nodes that gave up', better: 'less' },
        { key: 'repeated', unit: 'requests sent again', better: 'none' },
        ...links.map((key, i): Measure => {
          const from = i === 0 ? 'the origin' : `zone ${i}`;
          return { key, unit: `times the delivery, from ${from} to zone ${i + 1}`, better: 'less' };
        }),
        ...links.map(
          (_, i): Measure => ({
            key: `cache ${i}`,
            unit: `times the delivery, from zone ${i + 1} to its cache`,
            better: 'none',
          }),
        ),
      ],
      contenders: [
        contender(
          'svc',
          (folder) => deliverThroughZones({ ...options, folder }),
          ({ pulls }) => {
            usual = pulls[1]!;
          },
        ),
        contender('svc, a zone restarted half-way', (folder) =>
          deliverThroughZones({ ...options, folder }, usual / 2),
        ),
        contender(peer, (folder) => deliverThroughProxies({ ...options, folder })),
      ],
      targets: [{ measure: 'seconds', against: peer, atMost: 0.5 }],
      limits: [{ measure: 'failed', atMost: 0 }, ...links.map((measure) => ({ measure, atMost: 1.01 }))],
      pairs: bench.size(3, 1),
    });
  },
};
