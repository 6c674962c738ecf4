import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RequestRelay extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  /** Called for the request of this number from now on, before it is passed on or when its answer is there. */
  strike(at: number, when: 'before' | 'after', then: () => void): void;
  /** Nothing more is struck. */
  rest(): void;
}

/** Stands before a registry, and tells when a client is at a certain request. */
export async function openRequestRelay(target: string): Promise<RequestRelay> {
  const { hostname, port } = new URL(target);
  let left = Number.POSITIVE_INFINITY;
  let moment: 'before' | 'after' = 'before';
  let then = (): void => {};
  const server = createServer((req, res) => {
    left -= 1;
    const isStruck = left === 0;
    if (isStruck && moment === 'before') {
      then();
      req.resume();
      return void res.destroy();
    }
    const onward = request({
      ...{ hostname, port, path: req.url, method: req.method },
      ...{ headers: req.rawHeaders, setHost: false },
    });
    onward.on('response', (answer) => {
      // the registry has done it, and the client never learns
      if (isStruck) {
        then();
        answer.resume();
        return void res.destroy();
      }
      res.writeHead(answer.statusCode!, answer.rawHeaders);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    res.on('close', () => res.writableFinished || onward.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    strike: (at, when, act) => {
      [left, moment, then] = [at, when, act];
    },
    rest: () => {
      left = Number.POSITIVE_INFINITY;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
