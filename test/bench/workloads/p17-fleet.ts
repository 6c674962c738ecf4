import { deliverThroughProxies, deliverThroughZones, type FleetResult, publishDelivery } from '../fleet.ts';
import { startLoadClient } from '../load/load-client.ts';
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
          return toSample(result);
        }),
    });
    const options = { delivery, clients, nodes, programs };
    const links = Array.from({ length: zones }, (_, i) => `link ${i}`);
    await compare({
      title: `${nodes} nodes in ${zones} zones, ${(delivery.bytes / 2 ** 20).toFixed(0)} MiB each`,
      measures: [
        { key: 'seconds', unit: 's to the last node', better: 'less' },
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
