import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ForwardingRelay extends AsyncDisposable {
  readonly url: string;
}

/**
 * A reverse proxy before an instance, for clients that try wrong credentials on purpose. Each request comes from another
 * address (`X-Forwarded-For`), so that the limit of failures of one address never refuses the next request.
 */
export async function openForwardingRelay(target: string): Promise<ForwardingRelay> {
  const { hostname, port } = new URL(target);
  let count = 0;
  const server = createServer((req, res) => {
    count += 1;
    const origin = `198.18.${(count >> 8) & 255}.${count & 255}`;
    const headers = [...req.rawHeaders, 'X-Forwarded-For', origin];
    const onward = request({ hostname, port, method: req.method, path: req.url, headers, setHost: false });
    onward.on('response', (answer) => {
      res.writeHead(answer.statusCode!, answer.rawHeaders);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
