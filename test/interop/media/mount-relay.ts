import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a registry treats a blob that is asked for from another of its repositories. */
export const mountPolicies = ['allowed', 'refused', 'absent'] as const;
export type MountPolicy = (typeof mountPolicies)[number];

export interface MountRelay extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  /** Statuses of the answers to requests for a mount. */
  readonly mounts: readonly number[];
  /** Bytes that clients sent. */
  readonly sentBytes: number;
}

/**
 * Stands before a registry.
 *
 * @param policy `refused`: a request for a mount gets 403; `absent`: the registry never sees that it is one, and begins an
 * upload, as the distribution specification lets it
 */
export async function openMountRelay(target: string, policy: MountPolicy): Promise<MountRelay> {
  const { hostname, port } = new URL(target);
  const mounts: number[] = [];
  let sentBytes = 0;
  const server = createServer((req, res) => {
    const url = new URL(req.url!, target);
    const isMount = req.method === 'POST' && url.searchParams.has('mount');
    if (isMount && policy === 'refused') {
      mounts.push(403);
      req.resume();
      res.writeHead(403, { 'content-type': 'application/json' });
      return void res.end('{"errors":[{"code":"DENIED","message":"no mounts here"}]}');
    }
    const path = isMount && policy === 'absent' ? url.pathname : req.url;
    const onward = request({
      hostname,
      port,
      path,
      method: req.method,
      headers: req.rawHeaders,
      setHost: false,
    });
    onward.on('response', (answer) => {
      if (isMount) mounts.push(answer.statusCode!);
      res.writeHead(answer.statusCode!, answer.rawHeaders);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.on('data', (chunk: Buffer) => {
      sentBytes += chunk.length;
    });
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    mounts,
    get sentBytes() {
      return sentBytes;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
