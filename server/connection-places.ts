import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/** The same for a TLS socket and the TCP socket below it. */
const toPeer = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Bounds the connections of a server. The last place is kept free for the next client: who has connected and sent no
 * request gives his up, the longest silent one first, or else all that are idle between two requests.
 *
 * @param max connections held at once
 * @param onFull called each time that a connection is closed for another one, or refused
 */
export function keepPlaces(server: Server | SecureServer, max: number, onFull: () => void): void {
  /** Connections that no request has come on, in the order in which they were opened. */
  const silent = new Map<string, Socket>();
  let open = 0;
  server.maxConnections = max;
  server.on('connection', (socket: Socket) => {
    const peer = toPeer(socket);
    silent.set(peer, socket);
    open += 1;
    socket.once('close', () => {
      open -= 1;
      if (silent.get(peer) === socket) silent.delete(peer);
    });
    if (open < max) return;
    onFull();
    const [longest] = silent.values();
    if (longest !== undefined && longest !== socket) longest.destroy();
    else server.closeIdleConnections();
  });
  server.on('drop', onFull);
  const hear = ({ socket }: IncomingMessage): void => {
    silent.delete(toPeer(socket));
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const)
    server.prependListener(event, hear);
}
