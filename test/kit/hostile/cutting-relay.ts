import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands before a server on 127.0.0.1 and breaks connections on command. */
export interface CuttingRelay extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  /** Breaks the next connection on which the server has sent this many bytes from now on. */
  cutAfter(bytes: number): void;
  /** How many connections it has broken. */
  readonly cuts: number;
}

export async function startCuttingRelay(target: string): Promise<CuttingRelay> {
  const [address, port] = target.split(':') as [string, string];
  const sockets = new Set<Socket>();
  let limit = Number.POSITIVE_INFINITY;
  let armed = 0;
  let cuts = 0;
  const server = createServer((client) => {
    const onward = connect(Number(port), address);
    for (const [socket, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(onward);
    let sent = 0;
    let counted = armed;
    onward.on('data', (chunk: Buffer) => {
      if (counted !== armed) [sent, counted] = [0, armed];
      sent += chunk.length;
      if (sent >= limit) {
        limit = Number.POSITIVE_INFINITY;
        cuts += 1;
        // the bytes sent so far arrive; the rest never does
        client.end(chunk, () => onward.destroy());
        return;
      }
      if (!client.write(chunk)) {
        onward.pause();
        client.once('drain', () => onward.resume());
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter: (bytes) => {
      armed += 1;
      limit = bytes;
    },
    get cuts() {
      return cuts;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
