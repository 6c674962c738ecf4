// Two hundred clients of one instance at once, each over its own connection and without a pause. Some pull, some push,
// some list, some call the API, some look at pages.
import { createHash } from 'node:crypto';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { type Answer, Connection } from './connection.ts';
import type { JobResult, MixJob, MixKind } from './jobs.ts';

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Errors of one run that are reported. */
const mostErrors = 20;

class Tally {
  readonly times = new Map<string, RecordableHistogram>();
  readonly errors: string[] = [];
  failed = 0;
  requests = 0;
  bytes = 0;

  add(kind: MixKind, milliseconds: number, answer: Answer): void {
    const known = this.times.get(kind) ?? createHistogram();
    this.times.set(kind, known);
    known.record(Math.max(1, Math.round(milliseconds * 1000)));
    this.requests += 1;
    this.bytes += answer.length;
  }

  fail(text: string): void {
    this.failed += 1;
    if (this.errors.length < mostErrors) this.errors.push(text);
  }
}

/** One client: sends a request, counts it, and takes a wrong status for an error. */
class Client {
  readonly #connection: Connection;
  readonly #kind: MixKind;
  readonly #tally: Tally;

  constructor(connection: Connection, kind: MixKind, tally: Tally) {
    this.#connection = connection;
    this.#kind = kind;
    this.#tally = tally;
  }

  async ask(
    method: string,
    path: string,
    options: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: Buffer;
      readonly statuses?: readonly number[];
    } = {},
  ): Promise<Answer> {
    const { headers = {}, body, statuses = [200] } = options;
    const length: Readonly<Record<string, string>> =
      body === undefined ? {} : { 'Content-Length': String(body.length) };
    const head = this.#connection.toHead(method, path, { 'X-Bench': this.#kind, ...length, ...headers });
    const began = performance.now();
    const answer = await this.#connection.exchange(head, body);
    this.#tally.add(this.#kind, performance.now() - began, answer);
    if (!statuses.includes(answer.status)) this.#tally.fail(`${method} ${path}: ${answer.status}`);
    return answer;
  }
}

type Turn = (client: Client, turn: number) => Promise<unknown>;

/** Pushes an image that is new in every part: a configuration, a layer, a manifest. */
async function pushImage(client: Client, repository: string, seed: string): Promise<void> {
  const config = Buffer.from(JSON.stringify({ os: 'linux', architecture: 'amd64', seed }));
  const layer = Buffer.alloc(16 << 10, `${seed} `);
  for (const bytes of [config, layer])
    await client.ask('POST', `/v2/${repository}/blobs/uploads/?digest=${digestOf(bytes)}`, {
      headers: { 'Content-Type': 'application/octet-stream' },
      body: bytes,
      statuses: [201],
    });
  const describe = (mediaType: string, bytes: Buffer) => ({
    mediaType: `application/vnd.oci.image.${mediaType}`,
    digest: digestOf(bytes),
    size: bytes.length,
  });
  const manifest = {
    schemaVersion: 2,
    mediaType: manifestType,
    config: describe('config.v1+json', config),
    layers: [describe('layer.v1.tar', layer)],
  };
  await client.ask('PUT', `/v2/${repository}/manifests/1.0.0`, {
    headers: { 'Content-Type': manifestType },
    body: Buffer.from(JSON.stringify(manifest)),
    statuses: [201],
  });
}

const pick = <T>(list: readonly T[], turn: number): T => list[turn % list.length]!;

/** The work of a client of each kind in its n-th turn. */
function toTurns(job: MixJob): Readonly<Record<MixKind, Turn>> {
  const html = { Accept: 'text/html', 'Accept-Encoding': 'gzip' };
  return {
    pull: async (client, turn) => {
      const { manifest, blob } = pick(job.pulls, turn);
      await client.ask('GET', manifest, { headers: { Accept: manifestType } });
      await client.ask('GET', blob);
    },
    push: (client, turn) => pushImage(client, `mixed/${turn % 500}`, `${job.seed} ${turn}`),
    list: (client, turn) => client.ask('GET', pick(job.lists, turn)),
    api: (client, turn) => client.ask('GET', pick(job.calls, turn)),
    page: (client, turn) => client.ask('GET', pick(job.pages, turn), { headers: html }),
  };
}

export async function mix(job: MixJob): Promise<JobResult> {
  const tally = new Tally();
  const turns = toTurns(job);
  const began = performance.now();
  const until = began + job.milliseconds;
  // clients of one kind are in different places of the same list
  let next = 0;
  const live = async (kind: MixKind): Promise<void> => {
    while (performance.now() < until) {
      const connection = await Connection.open(job.host, job.authorization);
      const client = new Client(connection, kind, tally);
      try {
        while (performance.now() < until) {
          next += 1;
          await turns[kind](client, next);
        }
      } catch (error) {
        // a client that lost its connection opens another one, and the loss is reported
        tally.fail(`${kind}: ${(error as Error).message}`);
      } finally {
        connection.close();
      }
    }
  };
  await Promise.all(
    (Object.entries(job.clients) as [MixKind, number][]).flatMap(([kind, count]) =>
      Array.from({ length: count }, () => live(kind)),
    ),
  );
  return {
    seconds: (performance.now() - began) / 1000,
    bytes: tally.bytes,
    requests: tally.requests,
    failed: tally.failed,
    errors: tally.errors,
    p99s: Object.fromEntries([...tally.times].map(([kind, times]) => [kind, times.percentile(99) / 1000])),
  };
}
