import { createHash } from 'node:crypto';
import type { Bench } from '../bench.ts';
import type { RepeatJob } from '../load/jobs.ts';
import { startDistributionServer } from '../servers/distribution-server.ts';
import { type MeasuredServer, measureServer } from '../servers/measured-server.ts';
import { startSvcServer } from '../servers/svc-server.ts';
import { startZotServer } from '../servers/zot-server.ts';
import type { Comparison, Workload } from '../workload.ts';

const mediaType = 'application/vnd.oci.image.manifest.v1+json';
const repository = 'library/small';
const tag = '1.0.0';

/** A manifest of about 2 KiB, and the one blob that it needs. */
function makeManifest() {
  const config = Buffer.from('{}');
  const digest = `sha256:${createHash('sha256').update(config).digest('hex')}`;
  const document = {
    schemaVersion: 2,
    mediaType,
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', digest, size: config.length },
    layers: [],
    annotations: { note: 'n'.repeat(1700) },
  };
  return { config, digest, manifest: Buffer.from(JSON.stringify(document)) };
}

/** Puts the manifest into a registry over HTTP. @returns its digest */
export async function putSmallManifest(
  server: Pick<MeasuredServer, 'host' | 'authorization'>,
): Promise<string> {
  const { config, digest, manifest } = makeManifest();
  const base = `http://${server.host}/v2/${repository}`;
  const headers = server.authorization === undefined ? {} : { authorization: server.authorization };
  const send = async (url: string, method: string, type?: string, body?: Buffer): Promise<Response> => {
    const answer = await fetch(url, {
      method,
      headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status}`);
    return answer;
  };
  const opened = await send(`${base}/blobs/uploads/`, 'POST');
  const upload = new URL(opened.headers.get('location')!, base);
  upload.searchParams.set('digest', digest);
  await send(upload.href, 'PUT', 'application/octet-stream', config);
  await send(`${base}/manifests/${tag}`, 'PUT', mediaType, manifest);
  return `sha256:${createHash('sha256').update(manifest).digest('hex')}`;
}

/** The requested manifest, by its tag or by its digest. */
export function toManifestJob(
  server: Pick<MeasuredServer, 'host' | 'authorization'>,
  reference: string,
  milliseconds: number,
): RepeatJob {
  return {
    job: 'repeat',
    host: server.host,
    authorization: server.authorization,
    paths: [`/v2/${repository}/manifests/${reference}`],
    accept: mediaType,
    connections: 16,
    milliseconds,
  };
}

async function openServers(bench: Bench, basic: boolean) {
  const name = `p3-${basic ? 'basic' : 'open'}`;
  const servers: { name: string; server: MeasuredServer; digest: string }[] = [];
  const add = async (own: string, server: MeasuredServer): Promise<void> => {
    bench.keep(server);
    servers.push({ name: own, server, digest: await putSmallManifest(server) });
  };
  const authentication = basic ? 'basic' : 'none';
  await add('svc', await startSvcServer(await bench.createFolder(`${name}-svc`), { authentication }));
  for (const peer of ['registry', 'docker-registry'] as const) {
    const program = bench.peer(peer);
    if (program === undefined) continue;
    const folder = await bench.createFolder(`${name}-${peer}`);
    await add(peer, await startDistributionServer(program, folder, { basic }));
  }
  const zot = bench.peer('zot');
  if (zot && !basic) await add('zot', await startZotServer(zot, await bench.createFolder(`${name}-zot`)));
  return servers;
}

export const getManifests: Workload = {
  id: 'P3',
  title: 'GET of a small manifest',
  async run(bench, compare) {
    const client = await bench.client();
    const milliseconds = bench.size(4000, 800);
    for (const basic of [true, false]) {
      const servers = await openServers(bench, basic);
      for (const by of ['tag', 'digest'] as const) {
        const targets: Comparison['targets'] = basic
          ? [
              { measure: 'rate', against: 'registry', atLeast: 15 },
              { measure: 'p99', against: 'registry', atMost: 0.05 },
            ]
          : [{ measure: 'rate', against: 'zot', atLeast: 1.6 }];
        await compare({
          title: `GET of a manifest of 2 KiB by ${by}, 16 connections, ${basic ? 'Basic authentication' : 'no authentication'}`,
          measures: [
            { key: 'rate', unit: 'requests/s', better: 'more' },
            { key: 'p99', unit: 'ms', better: 'less' },
            { key: 'cpu', unit: 's of server CPU', better: 'none' },
            { key: 'peak', unit: 'MiB of server memory', better: 'less' },
          ],
          contenders: servers.map(({ name, server, digest }) => ({
            name,
            run: async () => {
              const job = toManifestJob(server, by === 'tag' ? tag : digest, milliseconds);
              const { result, cpu, peak } = await measureServer(server, () => client.do(job));
              return { rate: result.requests / result.seconds, p99: result.p99!, cpu, peak };
            },
          })),
          targets,
          missing: bench.missing('registry', 'docker-registry', ...(basic ? [] : (['zot'] as const))),
          ceiling: async () => {
            const { host } = await bench.zeros();
            const { manifest } = makeManifest();
            const job = toManifestJob({ host }, tag, milliseconds);
            const result = await client.do({ ...job, paths: [`/zeros/${manifest.length}`] });
            return result.requests / result.seconds;
          },
        });
      }
    }
  },
};
