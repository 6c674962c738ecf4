import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { JobResult, NodesJob } from './jobs.ts';

const manifestTypes =
  'application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json';

/** Attempts of a request before a node gives up, and milliseconds before the second; each further pause is twice as long. */
const attempts = 8;
const firstPause = 100;

/** A node: it asks again, on a new connection, when the server is away or refuses for the moment, as runtimes do. */
class Node {
  readonly #job: NodesJob;
  #connection: Connection | undefined;
  bytes = 0;
  requests = 0;
  repeated = 0;

  constructor(job: NodesJob) {
    this.#job = job;
  }

  async pull(): Promise<void> {
    try {
      for (const { manifest, blobs } of this.#job.images) {
        await this.#get(manifest, { Accept: manifestTypes });
        for (const blob of blobs) await this.#get(blob);
      }
    } finally {
      this.#connection?.close();
    }
  }

  async #get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    let why = '';
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (attempt > 0) {
        this.repeated += 1;
        await pause(firstPause * 2 ** (attempt - 1));
      }
      try {
        this.#connection ??= await Connection.open(this.#job.host, this.#job.authorization);
        const connection = this.#connection;
        const { status, length } = await connection.exchange(connection.toHead('GET', path, headers));
        this.requests += 1;
        if (status === 200) {
          this.bytes += length;
          return;
        }
        why = `status ${status}`;
        if (status < 500 && status !== 429) break;
      } catch (error) {
        why = (error as Error).message;
      }
      this.#connection?.close();
      this.#connection = undefined;
    }
    throw new Error(`${path}: ${why}`);
  }
}

export async function pullAsNodes(job: NodesJob): Promise<JobResult> {
  const nodes = Array.from({ length: job.nodes }, () => new Node(job));
  const began = performance.now();
  const ends = await Promise.allSettled(nodes.map((node) => node.pull()));
  const seconds = (performance.now() - began) / 1000;
  const errors = ends.flatMap((end) => (end.status === 'rejected' ? [(end.reason as Error).message] : []));
  const sum = (toValue: (node: Node) => number): number =>
    nodes.reduce((all, node) => all + toValue(node), 0);
  return {
    seconds,
    bytes: sum(({ bytes }) => bytes),
    requests: sum(({ requests }) => requests),
    repeated: sum(({ repeated }) => repeated),
    failed: errors.length,
    errors: errors.slice(0, 5),
  };
}
