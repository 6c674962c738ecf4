import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/** Identifies a peer. A TLS socket and the TCP socket below it give the same text. */
const toPeer = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Limits the connections of a server. When the last place is taken, a connection is closed for the next
 * client: the oldest one that has sent no request, otherwise all that are idle between two requests.
 *
 * @param max maximum number of open connections
 * @param onFull called each time a connection is closed for this reason, or refused
 */
export function keepPlaces(server: Server | SecureServer, max: number, onFull: () => void): void {
  /** Connections without a request so far, in the order in which they were opened. */
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
  const onRequest = ({ socket }: IncomingMessage): void => {
    silent.delete(toPeer(socket));
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const)
    server.prependListener(event, onRequest);
}
