import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of requests of a connection that wait for the one before them. apt sends 10 ahead. */
export const maxRequestsAhead = 16;

/** The requests of a connection. */
interface Line {
  /** A request is being answered. */
  isBusy: boolean;
  /** The requests after it, in their order. */
  readonly waiting: (() => void)[];
}

/**
 * Closes a connection and ends its parser, which otherwise makes a request of each one that it has read already: thousands in
 * 64 KiB. The parser is no documented member of a socket; without it the connection is closed all the same.
 */
function cutOff(socket: Socket): void {
  const { parser } = socket as Socket & { readonly parser?: { onIncoming: () => number } | null };
  // the parser takes this result for an error of the headers
  if (parser) parser.onIncoming = () => -1;
  socket.destroy();
}

/**
 * Answers the requests of each connection one at a time. So a client that sends many ahead holds the files and buffers of
 * one answer. A connection with more than {@link maxRequestsAhead} waiting requests is closed (RFC 9112, Pipelining, lets
 * a client repeat them). Nothing here reads the connection: the parser of node gets its bytes without a detour through
 * JavaScript.
 *
 * @returns a function that makes a request listener wait for its turn
 */
export function answerInTurn(): (answer: RequestListener) => RequestListener {
  const lines = new WeakMap<Socket, Line>();
  /** Listener of `close`, one for all answers: there are thousands in a second. */
  function onClose(this: ServerResponse): void {
    const line = lines.get(this.req.socket);
    if (line === undefined) return;
    const next = line.waiting.shift();
    if (next === undefined) line.isBusy = false;
    else if (!this.req.socket.destroyed) setImmediate(next);
  }
  const begin = (line: Line, answer: RequestListener, req: IncomingMessage, res: ServerResponse): void => {
    line.isBusy = true;
    res.on('close', onClose);
    answer(req, res);
  };
  return (answer) => (req, res) => {
    const { socket } = req;
    // the parser emits every request of a read, also after the connection was closed
    if (socket.destroyed) return;
    let line = lines.get(socket);
    if (line === undefined) {
      line = { isBusy: false, waiting: [] };
      lines.set(socket, line);
    }
    if (!line.isBusy) begin(line, answer, req, res);
    else if (line.waiting.length < maxRequestsAhead) line.waiting.push(() => begin(line, answer, req, res));
    else cutOff(socket);
  };
}
