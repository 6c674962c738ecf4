import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Instance } from '../instance/instance.ts';

/** A forward proxy by which names of the documentation lead to instances on this machine. */
export async function openNames(
  instances: Readonly<Record<string, Instance>>,
): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((raw, response) => {
    const { host, pathname, search } = new URL(raw.url!);
    const target = instances[host];
    if (target === undefined) {
      response.writeHead(502).end();
      return;
    }
    const { hostname, port } = new URL(target.url);
    const path = `${pathname}${search}`;
    const onward = request({ hostname, port, path, method: raw.method, headers: raw.headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    raw.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
