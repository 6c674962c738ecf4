import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/** End of the header section of a request (RFC 9112, Message Format). */
const headEnd = Buffer.from('\r\n\r\n');
/** Maximum number of pipelined requests that begin before new connections and other requests are read. */
const atOnce = 16;

/** The requests of a connection. */
interface Turn {
  /** The request that is being answered. */
  req: IncomingMessage | undefined;
  /** Requests after it that were parsed together with the end of its body. */
  readonly waiting: (() => void)[];
  /** The connection is not read until the answer under way has ended. */
  isHeld: boolean;
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
  const mustWait = ({ req, waiting }: Turn): boolean =>
    req !== undefined && (req.complete || waiting.length > 0);

  // the parser consumes everything that it gets, so it gets one header section at a time
  const feed = (socket: Socket, turn: Turn, parse: (chunk: Buffer) => void) => (chunk: Buffer) => {
    for (let rest = chunk; rest.length > 0 && !socket.destroyed; ) {
      if (mustWait(turn)) {
        turn.isHeld = true;
        socket.pause();
      }
      if (socket.isPaused()) {
        socket.unshift(rest);
        return;
      }
      const end = rest.indexOf(headEnd);
      // nearly every read is one request without a body, which needs no views of its parts
      if (end < 0 || end + headEnd.length === rest.length) {
        parse(rest);
        return;
      }
      parse(rest.subarray(0, end + headEnd.length));
      rest = rest.subarray(end + headEnd.length);
    }
  };
  const takeOver = (socket: Socket): void => {
    const turn: Turn = { req: undefined, waiting: [], isHeld: false };
    turns.set(socket, turn);
    const parsers = socket.listeners('data') as ((chunk: Buffer) => void)[];
    for (const parse of parsers) {
      socket.off('data', parse);
      socket.on('data', feed(socket, turn, parse));
    }
  };
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', takeOver);

  const pass = (turn: Turn, socket: Socket): void => {
    if (socket.destroyed) return;
    const next = turn.waiting.shift();
    if (next) next();
    else turn.req = undefined;
    if (!turn.isHeld || mustWait(turn)) return;
    turn.isHeld = false;
    socket.resume();
  };
  /** Listener of `close`, one for all answers: there are thousands in a second. */
  function onClose(this: ServerResponse): void {
    const { socket } = this.req;
    const turn = turns.get(socket);
    if (turn === undefined) return;
    if (turn.waiting.length > 0 || turn.isHeld) passLater(() => pass(turn, socket));
    else turn.req = undefined;
  }
  const begin = (turn: Turn, answer: RequestListener, req: IncomingMessage, res: ServerResponse): void => {
    turn.req = req;
    res.on('close', onClose);
    answer(req, res);
  };
  return (answer) => (req, res) => {
    const turn = turns.get(req.socket);
    // every connection was taken over before its first request
    if (turn === undefined) throw new Error('a request of a connection without turns');
    if (turn.req === undefined) begin(turn, answer, req, res);
    else turn.waiting.push(() => begin(turn, answer, req, res));
  };
}
