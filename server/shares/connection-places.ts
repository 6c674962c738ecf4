import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { type Bounds, type Holder, Shares } from '../../src/base/shares/shares.ts';
import { ClientPace } from './client-pace.ts';
import { toOriginHolder } from './holder.ts';

/** Identifies a peer. A TLS socket and the TCP socket below it give the same text. */
const toPeer = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** Milliseconds that the newest connection has for its first request before it can be closed. */
const requestTime = 2000;

/** Ask for a place in the name of a client without one: an origin, or a proxy, to which proxies give way too. */
const anybody: Holder = { name: '', rank: 'origin' };
const anyProxy: Holder = { name: '', rank: 'admin' };

interface Place {
  readonly socket: Socket;
  readonly peer: string;
  readonly origin: Origin;
  /** When it was opened or its last answer ended, in milliseconds on a clock that never jumps. */
  since: number;
  /** Requests that were received and are not answered. */
  requests: number;
  isClosed: boolean;
}

/** The connections of one network origin. */
interface Origin {
  readonly holder: Holder;
  /** Those without a request so far, in the order in which they were opened. */
  readonly silent: Set<Place>;
  /** Those without a request since their last answer, in the order in which these ended. */
  readonly idle: Set<Place>;
}

export interface PlacesOptions {
  /** Connections of all and of one origin. */
  readonly bounds: Bounds;
  /** Whether an address is that of a trusted proxy, which connects for many clients: its share is that of an administrator. */
  readonly isProxy: (address: string) => boolean;
  /** Called each time a connection is closed because of a limit, or refused. */
  readonly onFull: () => void;
}

/**
 * Limits the connections of a server, and those of one network origin. An origin at its share loses one of its own for
 * the next. When no place is free, the origin that has most of them loses one, a trusted proxy only when no other origin
 * can. The oldest one that has sent no request is closed, otherwise the one idle longest since its last answer. Otherwise
 * it is the one whose client is slowest to send a body or to read an answer. A connection that waits for the server is
 * not closed.
 *
 * @returns a function that makes a request listener count the requests of each connection
 */
export function keepPlaces(
  server: Server | SecureServer,
  { bounds, isProxy, onFull }: PlacesOptions,
): (answer: RequestListener) => RequestListener {
  const shares = new Shares(bounds);
  const places = new Map<string, Place>();
  const origins = new Map<string, Origin>();
  /** The same by the socket that requests name, which over TLS is another one than that of the connection. */
  const known = new WeakMap<Socket, Place>();
  const pace = new ClientPace(() => {
    // connections beyond the last place are refused without an event: room that appears later is made here
    if (shares.taken >= bounds.total)
      makeRoom(anybody, ({ since }) => performance.now() - since > requestTime);
  });

  const leave = (place: Place): void => {
    if (place.isClosed) return;
    place.isClosed = true;
    const { peer, origin } = place;
    const { holder, silent, idle } = origin;
    shares.give(holder);
    if (shares.of(holder) === 0) origins.delete(holder.name);
    if (places.get(peer) === place) places.delete(peer);
    for (const kind of [silent, idle]) kind.delete(place);
  };
  /** Closes a connection, so that a holder can take one more. @returns whether one was closed */
  const makeRoom = (holder: Holder, mayClose: (place: Place) => boolean): boolean => {
    let slow: ReadonlyMap<unknown, IncomingMessage> | undefined;
    const choose = (name: string): Place | undefined => {
      const origin = origins.get(name);
      if (origin === undefined) return undefined;
      for (const [first] of [origin.silent, origin.idle])
        if (first !== undefined && mayClose(first)) return first;
      slow ??= pace.slowest(({ socket }) => known.get(socket)?.origin);
      const slowest = slow.get(origin);
      return slowest && known.get(slowest.socket);
    };
    const giver = shares.giver(holder, 1, (name) => choose(name) !== undefined);
    const closed = giver === undefined ? undefined : choose(giver);
    if (closed === undefined) return false;
    // before the event: others may come until then
    leave(closed);
    closed.socket.destroy();
    return true;
  };

  const open = (address: string): Origin => {
    const holder: Holder = { ...toOriginHolder(address), ...(isProxy(address) ? { rank: 'admin' } : {}) };
    const before = origins.get(holder.name);
    if (before !== undefined) return before;
    const origin = { holder, silent: new Set<Place>(), idle: new Set<Place>() };
    origins.set(holder.name, origin);
    return origin;
  };
  server.maxConnections = bounds.total;
  server.on('connection', (socket: Socket) => {
    const peer = toPeer(socket);
    const origin = open(socket.remoteAddress ?? '');
    const { holder } = origin;
    if (shares.obstacle(holder)?.of === 'share') {
      onFull();
      if (!makeRoom(holder, () => true)) {
        socket.destroy();
        return;
      }
    }
    const place = { socket, peer, origin, since: performance.now(), requests: 0, isClosed: false };
    shares.add(holder);
    places.set(peer, place);
    origin.silent.add(place);
    socket.once('close', () => leave(place));
    if (shares.taken < bounds.total) return;
    onFull();
    const isOther = (other: Place): boolean => other !== place;
    if (!makeRoom(anybody, isOther)) makeRoom(anyProxy, isOther);
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
    place.origin.idle.add(place);
  }
  return (answer) => (req, res) => {
    pace.add(req, res);
    const place = find(req.socket);
    if (place !== undefined) {
      place.origin.silent.delete(place);
      place.origin.idle.delete(place);
      place.requests += 1;
    }
    res.on('close', onClose);
    answer(req, res);
  };
}
