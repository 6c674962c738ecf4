import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishRecipe, toOrigin } from '../../kit/content/origin.ts';
import { createSigner } from '../../kit/content/signer.ts';
import type { Bench } from '../bench.ts';
import { startMirror, synchronize, zone } from '../mirror.ts';
import { runMeasured } from '../run-measured.ts';
import { measureServer } from '../servers/measured-server.ts';
import { startSvcServer } from '../servers/svc-server.ts';
import type { Sample, Workload } from '../workload.ts';

const mebibyte = 2 ** 20;
const manifestType = 'application/vnd.oci.image.manifest.v1+json';

/** Docker's form of credentials: a token is the password of any user. */
const toCredentials = (hosts: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    auths: Object.fromEntries(
      Object.entries(hosts).map(([host, token]) => [
        host,
        { auth: Buffer.from(`token:${token.replace(/^Bearer /, '')}`).toString('base64') },
      ]),
    ),
  });

/** The journey of one large blob, everywhere authenticated by token; the peak of each process that handles it. */
async function carry(bench: Bench, folder: string, size: number): Promise<Sample> {
  const client = await bench.client();
  await using origin = await startSvcServer(join(folder, 'origin'));
  const { host, authorization } = origin;
  const repository = 'large/blob';
  const push = await measureServer(origin, () =>
    client.do({ job: 'push', host, authorization, repository, size, seed: `P12 ${size}` }),
  );
  const path = `/v2/${repository}/blobs/${push.result.digest}`;
  const pull = await measureServer(origin, () =>
    client.do({ job: 'pull', host, authorization, path, connections: 1 }),
  );

  const head = await fetch(`http://${host}/v2/${repository}/manifests/latest`, {
    method: 'HEAD',
    headers: { authorization: authorization!, accept: manifestType },
  });
  const signer = createSigner();
  const recipe = { name: 'large', version: '1.0.0' };
  await publishRecipe(toOrigin(origin.instance), {
    ...recipe,
    ingredients: [
      { name: 'blob', repository, version: 'latest', digest: head.headers.get('docker-content-digest')! },
    ],
    signatures: [{ signer }],
  });
  const credentialsFile = join(folder, 'credentials.json');
  await writeFile(credentialsFile, toCredentials({ [host]: authorization! }), { mode: 0o600 });
  const mirrorFolder = join(folder, 'mirror');
  const registries = { insecure: [host], credentialsFile };
  let sync: number;
  {
    const server = await startMirror(
      mirrorFolder,
      { host, recipes: [recipe], signer },
      { config: { registries } },
    );
    try {
      sync = (await measureServer(server, () => synchronize(server))).peak;
    } finally {
      await server.instance.stop();
    }
  }

  await using destination = await startSvcServer(join(folder, 'destination'));
  await writeFile(
    credentialsFile,
    toCredentials({ [host]: authorization!, [destination.host]: destination.authorization! }),
  );
  const configuration = join(folder, 'zone.yaml');
  await writeFile(
    configuration,
    JSON.stringify({
      mode: 'mirror',
      zone,
      storage: { root: join(mirrorFolder, 'store') },
      state: { root: join(folder, 'zone-state') },
      trust: { roots: [{ name: 'bench', key: signer.publicKeyPem }] },
      registries: { insecure: [destination.host], credentialsFile },
      destination: { registry: destination.host },
    }),
  );
  const run = (command: string) =>
    runMeasured(process.env.SVC_BIN!, ['media', command, '--config', configuration, '--output', 'json']);
  const verify = (await run('verify')).peak;
  const imported = (await run('import')).peak;
  const archive = join(folder, 'layout.tar');
  const svc = (...args: readonly string[]) =>
    runMeasured(process.env.SVC_BIN!, [...args, '--output', 'json']);
  const layoutOut = (await svc('export', archive, '--storage-root', join(mirrorFolder, 'store'))).peak;
  const layoutIn = (await svc('import', archive, '--storage-root', join(folder, 'imported'))).peak;
  return { push: push.peak, pull: pull.peak, sync, verify, import: imported, layoutOut, layoutIn };
}

export const memory: Workload = {
  id: 'P12',
  title: 'peak memory while one large blob travels',
  async run(bench, compare) {
    const size = bench.size(4096, 256) * mebibyte;
    const toContender = (bytes: number) => ({
      name: `${bytes / mebibyte} MiB`,
      run: () => bench.withFolder('p12', (folder) => carry(bench, folder, bytes)),
    });
    const keys = ['push', 'pull', 'sync', 'verify', 'import', 'layoutOut', 'layoutIn'] as const;
    await compare({
      title: `peak memory while one blob of ${size / mebibyte} MiB is pushed, pulled, synchronized, verified, imported, exported as a layout and imported from it, and one of a quarter`,
      measures: keys.map((key) => ({ key, unit: 'MiB', better: 'less' })),
      contenders: [toContender(size), toContender(size / 4)],
      limits: keys.map((measure) => ({ measure, atMost: 180 })),
      pairs: 1,
    });
  },
};
