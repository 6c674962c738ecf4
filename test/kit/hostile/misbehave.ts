import type { ServerResponse } from 'node:http';

/** Writes as fast as the peer takes it, until the peer has gone. */
function pour(response: ServerResponse, next: () => Buffer | string): void {
  const more = (): void => {
    while (!response.destroyed && response.socket?.writable) {
      if (!response.write(next())) {
        response.once('drain', more);
        return;
      }
    }
  };
  more();
}

function pourRaw(response: ServerResponse, head: string, next: string): void {
  const socket = response.socket!;
  socket.on('error', () => {});
  socket.write(head);
  const more = (): void => {
    while (socket.writable) {
      if (!socket.write(next)) {
        socket.once('drain', more);
        return;
      }
    }
  };
  more();
}

/** Answers of a hostile peer to any request. */
export const misbehave = {
  /** Bytes without end under a status. */
  endlessly(
    response: ServerResponse,
    status: number,
    headers: Readonly<Record<string, string>>,
    piece: Buffer | string,
    first: Buffer | string = '',
  ): void {
    response.on('error', () => {});
    response.writeHead(status, headers);
    if (first.length > 0) response.write(first);
    pour(response, () => piece);
  },
  /** Exactly these bytes on the wire, and the end. */
  rawly(response: ServerResponse, bytes: string | Buffer): void {
    response.socket!.on('error', () => {});
    response.socket!.end(bytes);
  },
  /** These bytes on the wire, then a piece again and again. */
  rawEndlessly: pourRaw,
  /** These bytes on the wire, then a reset. */
  resetAfter(response: ServerResponse, bytes: string): void {
    const socket = response.socket!;
    socket.on('error', () => {});
    if (bytes === '') socket.resetAndDestroy();
    else socket.write(bytes, () => socket.resetAndDestroy());
  },
  /** These bytes on the wire, then nothing, the connection open. */
  freezeAfter(response: ServerResponse, bytes: string): void {
    response.socket!.on('error', () => {});
    if (bytes !== '') response.socket!.write(bytes);
  },
  /** A whole answer, whose body may come in pieces. */
  reply(
    response: ServerResponse,
    status: number,
    headers: Readonly<Record<string, string>>,
    ...body: readonly (Buffer | string)[]
  ): void {
    response.on('error', () => {});
    const length = body.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    response.writeHead(status, { 'content-length': String(length), ...headers });
    for (const piece of body) response.write(piece);
    response.end();
  },
};
