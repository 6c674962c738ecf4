import type { RequestListener, Server, ServerResponse } from 'node:http';
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
  isClosed: boolean;
}

/**
 * Limits the connections of a server. When the last place is taken, one connection is closed for the next client: the
 * oldest one that has sent no request, otherwise the one that has been idle longest since its last answer, otherwise the
 * one whose client is slowest to send a body or to read an answer. A connection that waits for the server is not closed.
 *
 * @param max maximum number of open connections
 * @param onFull called each time a connection is closed for this reason, or refused
 * @returns a function that makes a request listener count the requests of each connection
 */
export function keepPlaces(
  server: Server | SecureServer,
  max: number,
  onFull: () => void,
): (answer: RequestListener) => RequestListener {
  const places = new Map<string, Place>();
  /** The same by the socket that requests name, which over TLS is another one than that of the connection. */
  const known = new WeakMap<Socket, Place>();
  /** Connections without a request so far, in the order in which they were opened. */
  const silent = new Set<Place>();
  /** Connections without a request since their last answer, in the order in which these ended. */
  const idle = new Set<Place>();
  const pace = new ClientPace(() => {
    // connections beyond the last place are refused without an event: room that appears later is made here
    if (places.size >= max) makeRoom(({ since }) => performance.now() - since > requestTime);
  });
  const makeRoom = (mayClose: (place: Place) => boolean): void => {
    for (const kind of [silent, idle])
      for (const place of kind)
        if (mayClose(place)) {
          place.socket.destroy();
          return;
        }
    pace.slowest()?.socket.destroy();
  };

  server.maxConnections = max;
  server.on('connection', (socket: Socket) => {
    const peer = toPeer(socket);
    const place = { socket, since: performance.now(), requests: 0, isClosed: false };
    places.set(peer, place);
    silent.add(place);
    socket.once('close', () => {
      place.isClosed = true;
      if (places.get(peer) === place) places.delete(peer);
      for (const kind of [silent, idle]) kind.delete(place);
    });
    if (places.size < max) return;
    onFull();
    makeRoom((other) => other !== place);
  });
  server.on('drop', onFull);
  server.once('close', () => pace[Symbol.dispose]());

  const find = (socket: Socket): Place | undefined => {
    const before = known.get(socket);
    if (before !== undefined) return before;
    const place = places.get(toPeer(socket));
    if (place !== undefined) known.set(socket, place);
    return place;
  };
  /** Listener of `close`, one for all answers: there are thousands in a second. */
  function onClose(this: ServerResponse): void {
    pace.delete(this.req);
    const place = known.get(this.req.socket);
    if (place === undefined) return;
    place.requests -= 1;
    if (place.requests > 0 || place.isClosed) return;
    place.since = performance.now();
    idle.add(place);
  }
  return (answer) => (req, res) => {
    pace.add(req, res);
    const place = find(req.socket);
    if (place !== undefined) {
      silent.delete(place);
      idle.delete(place);
      place.requests += 1;
    }
    res.on('close', onClose);
    answer(req, res);
  };
}
