import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { tlsPair } from './tls-pair.ts';

/** Ends TLS before a server of 127.0.0.1 that speaks none. */
export interface TlsDoor extends AsyncDisposable {
  readonly port: number;
  /** Port of the server behind it. */
  target: number;
}

/** @param onReceived called with the bytes from clients */
export async function openTlsDoor(
  target: number,
  onReceived: (bytes: Buffer) => void = () => {},
): Promise<TlsDoor> {
  const open = new Set<TLSSocket>();
  const door = { target };
  const server = createServer({ cert: tlsPair.cert, key: tlsPair.key }, (client) => {
    const onward = connect(door.target, '127.0.0.1');
    open.add(client);
    for (const socket of [client, onward]) socket.setNoDelay(true);
    client.on('close', () => {
      open.delete(client);
      onward.destroy();
    });
    client.on('error', () => onward.destroy());
    onward.on('error', () => client.destroy());
    onward.on('close', () => client.end());
    client.on('data', onReceived);
    client.pipe(onward).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(door, {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const client of open) client.destroy();
      server.close();
    },
  });
}
