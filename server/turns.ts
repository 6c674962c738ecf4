import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/** End of the header section of a request (RFC 9112, Message Format). */
const headEnd = Buffer.from('\r\n\r\n');
/** Maximum number of pipelined requests that begin before new connections and other requests are read. */
const atOnce = 16;

/** The request of a connection that is being answered. */
interface Turn {
  req: IncomingMessage;
  /** Requests after it that were parsed together with the end of its body. */
  readonly waiting: (() => void)[];
}

/**
 * Processes the requests of each connection one at a time. Nothing after a request is read or parsed until its
 * answer was written to the client. This limits the data that a client can send ahead to one read, which is
 * dropped with the connection, and the memory for it to these bytes.
 *
 * @param server a node server that already has its own listeners
 * @returns a function that makes a request listener wait for its turn
 */
export function keepTurns(server: Server | SecureServer): (answer: RequestListener) => RequestListener {
  const turns = new WeakMap<Socket, Turn>();
  /** Connections that are not read until the answer under way has ended. */
  const held = new WeakSet<Socket>();
  /** Next turns of connections whose last answer has ended. */
  const due: (() => void)[] = [];
  const passSome = (): void => {
    const some = due.splice(0, atOnce);
    if (due.length > 0) setImmediate(passSome);
    for (const pass of some) pass();
  };
  const passLater = (pass: () => void): void => {
    if (due.push(pass) === 1) setImmediate(passSome);
  };
  const mustWait = (socket: Socket): boolean => {
    const turn = turns.get(socket);
    return turn !== undefined && (turn.req.complete || turn.waiting.length > 0);
  };

  // the parser consumes everything that it gets, so it gets one header section at a time
  const feed = (socket: Socket, parse: (chunk: Buffer) => void) => (chunk: Buffer) => {
    for (let rest = chunk; rest.length > 0 && !socket.destroyed; ) {
      if (mustWait(socket)) {
        held.add(socket);
        socket.pause();
      }
      if (socket.isPaused()) {
        socket.unshift(rest);
        return;
      }
      const end = rest.indexOf(headEnd);
      const length = end < 0 ? rest.length : end + headEnd.length;
      parse(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
  const takeOver = (socket: Socket): void => {
    const parsers = socket.listeners('data') as ((chunk: Buffer) => void)[];
    for (const parse of parsers) {
      socket.off('data', parse);
      socket.on('data', feed(socket, parse));
    }
  };
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', takeOver);

  const begin = (turn: Turn, answer: RequestListener, req: IncomingMessage, res: ServerResponse): void => {
    const { socket } = req;
    const pass = (): void => {
      if (socket.destroyed) return;
      const next = turn.waiting.shift();
      if (next) next();
      else turns.delete(socket);
      if (!mustWait(socket) && held.delete(socket)) socket.resume();
    };
    turn.req = req;
    res.once('close', () => {
      if (turn.waiting.length > 0 || held.has(socket)) passLater(pass);
      else turns.delete(socket);
    });
    answer(req, res);
  };
  return (answer) => (req, res) => {
    const known = turns.get(req.socket);
    if (known !== undefined) {
      known.waiting.push(() => begin(known, answer, req, res));
      return;
    }
    const turn = { req, waiting: [] };
    turns.set(req.socket, turn);
    begin(turn, answer, req, res);
  };
}
