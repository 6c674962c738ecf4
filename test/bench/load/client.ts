// The load client: a process of its own that does one job after the other and reports how long each took.
import { createCipheriv, createHash } from 'node:crypto';
import { Connection, expectStatus } from './connection.ts';
import type { ImagesJob, Job, JobResult, PullJob, PushJob, RepeatJob } from './jobs.ts';
import { mix } from './mix.ts';
import { pullAsNodes } from './nodes.ts';

const block = 1 << 20;
const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const octets = { 'Content-Type': 'application/octet-stream' };

/** Bytes that depend on the seed only and do not compress. */
function noise(seed: string, size: number): Buffer {
  const key = createHash('sha256').update(seed).digest();
  const cipher = createCipheriv('aes-128-ctr', key.subarray(0, 16), key.subarray(16));
  return cipher.update(Buffer.alloc(size));
}

const sha256 = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

async function open(job: Job, count: number): Promise<Connection[]> {
  const { host, authorization, tls } = job;
  return Promise.all(Array.from({ length: count }, () => Connection.open(host, authorization, tls)));
}

async function pull(job: PullJob): Promise<JobResult> {
  const connections = await open(job, job.connections);
  const hashes = connections.map(() => (job.verify === undefined ? undefined : createHash('sha256')));
  const began = performance.now();
  const answers = await Promise.all(
    connections.map((connection, i) => {
      const hash = hashes[i];
      const see = hash === undefined ? undefined : (chunk: Buffer) => void hash.update(chunk);
      return connection.exchange(connection.toHead('GET', job.path), undefined, see);
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const connection of connections) connection.close();
  for (const answer of answers) expectStatus(answer, job.path, 200);
  for (const hash of hashes) {
    const actual = hash && `sha256:${hash.digest('hex')}`;
    if (actual !== job.verify) throw new Error(`${job.path} arrived as ${actual}`);
  }
  return {
    seconds,
    bytes: answers.reduce((sum, answer) => sum + answer.length, 0),
    requests: answers.length,
  };
}

const configuration = Buffer.from(
  '{"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":[]}}',
);

interface Part {
  readonly digest: string;
  readonly size: number;
}

function toManifest(config: Buffer, layers: readonly Part[]): Buffer {
  const ociType = 'application/vnd.oci.image';
  return Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      config: { mediaType: `${ociType}.config.v1+json`, digest: sha256(config), size: config.length },
      layers: layers.map(({ digest, size }) => ({ mediaType: `${ociType}.layer.v1.tar`, digest, size })),
    }),
  );
}

function toManifestHead(connection: Connection, repository: string, tag: string, manifest: Buffer): string {
  return connection.toHead('PUT', `/v2/${repository}/manifests/${tag}`, {
    'Content-Type': manifestType,
    'Content-Length': manifest.length,
  });
}

/** Pushes a blob in two requests, as most clients do. */
async function pushSmall(
  connection: Connection,
  at: { readonly host: string; readonly repository: string },
  bytes: Buffer,
  digest: string,
): Promise<void> {
  const asked = await connection.exchange(
    connection.toHead('POST', `/v2/${at.repository}/blobs/uploads/`, { 'Content-Length': 0 }),
  );
  const url = new URL(expectStatus(asked, 'POST', 202).headers.get('location')!, `http://${at.host}`);
  url.searchParams.set('digest', digest);
  const head = connection.toHead('PUT', `${url.pathname}${url.search}`, {
    ...octets,
    'Content-Length': bytes.length,
  });
  expectStatus(await connection.exchange(head, bytes), 'PUT of a blob', 201);
}

/** A blob of which only the first block is its own; the rest repeats, so that it needs no memory. */
function* blocksOf(first: Buffer, rest: Buffer, from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; ) {
    const source = at < block ? first : rest;
    const offset = at % block;
    const length = Math.min(block - offset, to - at);
    yield source.subarray(offset, offset + length);
    at += length;
  }
}

async function pushOne(
  connection: Connection,
  job: PushJob,
  size: number,
  seed: string,
): Promise<{ seconds: number; digest: string; requests: number }> {
  const first = noise(seed, block);
  const rest = noise('what all pushed blobs share', block);
  const hash = createHash('sha256');
  for (const one of blocksOf(first, rest, 0, size)) hash.update(one);
  const digest = `sha256:${hash.digest('hex')}`;
  await pushSmall(connection, job, configuration, sha256(configuration));
  const began = performance.now();
  let requests = 1;
  const opened = await connection.exchange(
    connection.toHead('POST', `/v2/${job.repository}/blobs/uploads/`, { 'Content-Length': 0 }),
  );
  let location = expectStatus(opened, 'POST', 202).headers.get('location')!;
  const toPath = (): URL => new URL(location, `http://${job.host}`);
  if (job.chunk !== undefined) {
    for (let at = 0; at < size; at += job.chunk) {
      const to = Math.min(size, at + job.chunk);
      const url = toPath();
      const head = connection.toHead('PATCH', `${url.pathname}${url.search}`, {
        ...octets,
        'Content-Length': to - at,
        'Content-Range': `${at}-${to - 1}`,
      });
      const answer = await connection.stream(head, blocksOf(first, rest, at, to));
      location = expectStatus(answer, 'PATCH', 202).headers.get('location') ?? location;
      requests += 1;
    }
  }
  const url = toPath();
  url.searchParams.set('digest', digest);
  const from = job.chunk === undefined ? 0 : size;
  const head = connection.toHead('PUT', `${url.pathname}${url.search}`, {
    ...octets,
    'Content-Length': size - from,
  });
  const put = await connection.stream(head, blocksOf(first, rest, from, size));
  expectStatus(put, 'PUT', 201);
  // Only a manifest makes a blob stay: the measured time of every server includes its acceptance.
  const manifest = toManifest(configuration, [{ digest, size }]);
  expectStatus(
    await connection.exchange(toManifestHead(connection, job.repository, 'latest', manifest), manifest),
    'PUT of a manifest',
    201,
  );
  return { seconds: (performance.now() - began) / 1000, digest, requests: requests + 2 };
}

async function push(job: PushJob): Promise<JobResult> {
  const [connection] = (await open(job, 1)) as [Connection];
  try {
    if (job.warmUp !== undefined) await pushOne(connection, job, job.warmUp, `${job.seed}, to warm up`);
    return { ...(await pushOne(connection, job, job.size, job.seed)), bytes: job.size };
  } finally {
    connection.close();
  }
}

async function repeat(job: RepeatJob): Promise<JobResult> {
  const connections = await open(job, job.connections);
  const latencies: number[] = [];
  let bytes = 0;
  const began = performance.now();
  const until = began + job.milliseconds;
  await Promise.all(
    connections.map(async (connection, i) => {
      const heads = job.paths.map((path) => connection.toHead('GET', path, { Accept: job.accept }));
      for (let n = i; ; n += 1) {
        const sent = performance.now();
        if (sent >= until) return;
        const answer = await connection.exchange(heads[n % heads.length]!);
        latencies.push(performance.now() - sent);
        if (answer.status !== 200) throw new Error(`GET ${job.paths[0]}: status ${answer.status}`);
        bytes += answer.length;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const connection of connections) connection.close();
  latencies.sort((a, b) => a - b);
  return {
    seconds,
    bytes,
    requests: latencies.length,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  };
}

interface Image {
  readonly repository: string;
  readonly blobs: readonly { readonly digest: string; readonly bytes: Buffer }[];
  readonly manifest: Buffer;
}

function makeImage(job: ImagesJob, number: number): Image {
  const layers = Array.from({ length: job.layers }, (_, i) =>
    noise(`${job.seed} ${number} ${i}`, job.layerBytes),
  );
  const config = Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      rootfs: { type: 'layers', diff_ids: layers.map(sha256) },
    }),
  );
  const blobs = [config, ...layers].map((bytes) => ({ digest: sha256(bytes), bytes }));
  const parts = blobs.slice(1).map(({ digest, bytes }) => ({ digest, size: bytes.length }));
  return { repository: `small/image-${number}`, blobs, manifest: toManifest(config, parts) };
}

async function pushImage(connection: Connection, image: Image, host: string): Promise<number> {
  const { repository, manifest } = image;
  for (const { digest, bytes } of image.blobs)
    await pushSmall(connection, { host, repository }, bytes, digest);
  const head = toManifestHead(connection, repository, '1.0.0', manifest);
  expectStatus(await connection.exchange(head, manifest), 'PUT of a manifest', 201);
  return image.blobs.length * 2 + 1;
}

async function pushImages(job: ImagesJob): Promise<JobResult> {
  const images = Array.from({ length: job.images }, (_, i) => makeImage(job, i));
  const connections = await open(job, job.connections);
  let next = 0;
  let requests = 0;
  const began = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let image = images[next++]; image !== undefined; image = images[next++])
        requests += await pushImage(connection, image, job.host);
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const connection of connections) connection.close();
  return { seconds, requests, bytes: job.images * job.layers * job.layerBytes };
}

function work(job: Job): Promise<JobResult> {
  switch (job.job) {
    case 'pull':
      return pull(job);
    case 'push':
      return push(job);
    case 'repeat':
      return repeat(job);
    case 'images':
      return pushImages(job);
    case 'mix':
      return mix(job);
    case 'nodes':
      return pullAsNodes(job);
  }
}

process.on('message', (job: Job) => {
  work(job).then(
    (result) => process.send!({ result }),
    (error: Error) => process.send!({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send!({ ready: true });
