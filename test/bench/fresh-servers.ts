import type { Bench } from './bench.ts';
import { startDistributionServer } from './servers/distribution-server.ts';
import type { MeasuredServer } from './servers/measured-server.ts';
import { startSvcServer } from './servers/svc-server.ts';
import { startZotServer } from './servers/zot-server.ts';
import type { Contender, Sample } from './workload.ts';

/**
 * The registries that are there, each as a contender that starts empty for every run. Earlier content must not count, and
 * must not fill the disk.
 */
export function toFreshServers(bench: Bench, work: (server: MeasuredServer) => Promise<Sample>): Contender[] {
  const toContender = (name: string, start: (folder: string) => Promise<MeasuredServer>): Contender => ({
    name,
    run: () =>
      bench.withFolder(name, async (folder) => {
        await using server = await start(folder);
        return await work(server);
      }),
  });
  const registry = bench.peer('registry');
  const older = bench.peer('docker-registry');
  const zot = bench.peer('zot');
  return [
    toContender('svc', (folder) => startSvcServer(folder)),
    ...(registry ? [toContender('registry', (folder) => startDistributionServer(registry, folder))] : []),
    ...(older ? [toContender('docker-registry', (folder) => startDistributionServer(older, folder))] : []),
    ...(zot ? [toContender('zot', (folder) => startZotServer(zot, folder))] : []),
  ];
}
