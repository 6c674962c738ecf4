import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/** End of the header section of a request (RFC 9112, Message Format). */
const headEnd = Buffer.from('\r\n\r\n');

/**
 * Processes the requests of each connection one at a time. A pipelined request waits until the previous
 * answer was written to the client, and nothing after it is read or parsed until then. This limits the data
 * that a client can send ahead to one read, which is dropped with the connection.
 *
 * @param server a node server that already has its own listeners
 * @returns a function that makes a request listener wait for its turn
 */
export function keepTurns(server: Server | SecureServer): (answer: RequestListener) => RequestListener {
  /** Waiting requests of each connection with an answer under way. */
  const waiting = new WeakMap<Socket, (() => void)[]>();
  const mustWait = (socket: Socket): boolean => (waiting.get(socket)?.length ?? 0) > 0;

  // the parser consumes everything that it gets, so it gets one header section at a time
  const feed = (socket: Socket, parse: (chunk: Buffer) => void) => (chunk: Buffer) => {
    for (let rest = chunk; rest.length > 0 && !socket.destroyed; ) {
      if (mustWait(socket)) socket.pause();
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

  const begin = (answer: RequestListener, req: IncomingMessage, res: ServerResponse): void => {
    const { socket } = req;
    const pass = (): void => {
      if (socket.destroyed) return;
      waiting.get(socket)?.shift()?.();
      socket.resume();
    };
    res.once('close', () => {
      if (mustWait(socket)) setImmediate(pass);
      else waiting.delete(socket);
    });
    answer(req, res);
  };
  return (answer) => (req, res) => {
    const before = waiting.get(req.socket);
    if (before === undefined) {
      waiting.set(req.socket, []);
      begin(answer, req, res);
    } else before.push(() => begin(answer, req, res));
  };
}
