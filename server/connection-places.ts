import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { ClientPace } from './client-pace.ts';

/** Identifies a peer. A TLS socket and the TCP socket below it give the same text. */
const toPeer = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** Milliseconds that the newest connection has for its first request before it can be closed. */
const requestTime = 2000;

interface Place {
  readonly socket: Socket;
  /** When it was opened or its last answer ended, in milliseconds on a clock that never jumps. */
  since: number;
  /** Requests that were received and are not answered. */
  requests: number;
}

/**
 * Limits the connections of a server. When the last place is taken, one connection is closed for the next client: the
 * oldest one that has sent no request, otherwise the one that has been idle longest since its last answer, otherwise the
 * one whose client is slowest to send a body or to read an answer. A connection that waits for the server is not closed.
 *
 * @param max maximum number of open connections
 * @param onFull called each time a connection is closed for this reason, or refused
 */
export function keepPlaces(server: Server | SecureServer, max: number, onFull: () => void): void {
  const places = new Map<string, Place>();
  /** Connections without a request so far, in the order in which they were opened. */
  const silent = new Map<string, Place>();
  /** Connections without a request since their last answer, in the order in which these ended. */
  const idle = new Map<string, Place>();
  const pace = new ClientPace(() => {
    // connections beyond the last place are refused without an event: room that appears later is made here
    if (places.size >= max) makeRoom(({ since }) => performance.now() - since > requestTime);
  });
  const makeRoom = (mayClose: (place: Place) => boolean): void => {
    for (const kind of [silent, idle])
      for (const place of kind.values())
        if (mayClose(place)) {
          place.socket.destroy();
          return;
        }
    pace.slowest()?.socket.destroy();
  };

  server.maxConnections = max;
  server.on('connection', (socket: Socket) => {
    const peer = toPeer(socket);
    const place = { socket, since: performance.now(), requests: 0 };
    places.set(peer, place);
    silent.set(peer, place);
    socket.once('close', () => {
      if (places.get(peer) === place) for (const kind of [places, silent, idle]) kind.delete(peer);
    });
    if (places.size < max) return;
    onFull();
    makeRoom((other) => other !== place);
  });
  server.on('drop', onFull);
  server.once('close', () => pace[Symbol.dispose]());

  const begin = (req: IncomingMessage, res: ServerResponse): void => {
    pace.add(req, res);
    const peer = toPeer(req.socket);
    const place = places.get(peer);
    if (place === undefined) return;
    silent.delete(peer);
    idle.delete(peer);
    place.requests += 1;
    res.once('close', () => {
      place.requests -= 1;
      if (place.requests > 0 || places.get(peer) !== place) return;
      place.since = performance.now();
      idle.set(peer, place);
    });
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const)
    server.prependListener(event, begin);
}
