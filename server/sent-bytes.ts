import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/**
 * Counts what a server sends to its clients: headers and bodies, without what TLS adds. A transfer counts while it runs,
 * not when it ends, since that can be an hour later.
 *
 * @returns a function that returns the bytes sent so far; its cost grows with the number of open connections
 */
export function countSentBytes(server: Server | SecureServer): () => number {
  const open = new Set<Socket>();
  let before = 0;
  // over TLS, the socket of `connection` knows nothing of what is written
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      before += socket.bytesWritten;
    });
  });
  return () => {
    let sum = before;
    for (const { bytesWritten } of open) sum += bytesWritten;
    return sum;
  };
}
