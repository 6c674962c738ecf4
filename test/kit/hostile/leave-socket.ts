import { rename } from 'node:fs/promises';
import { createServer } from 'node:net';

/**
 * Leaves a socket that nobody listens at.
 *
 * @param bound name to bind it under on the same volume: a path longer than 107 bytes is none for a socket
 */
export async function leaveSocket(path: string, bound: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(bound, resolve));
  await rename(bound, path);
  await new Promise((resolve) => server.close(resolve));
}
