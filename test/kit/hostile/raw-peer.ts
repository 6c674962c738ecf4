import { connect, type Socket } from 'node:net';

/** The answer of a peer, without a client in between. */
export interface RawAnswer {
  readonly text: string;
  /** Status lines in order. */
  readonly statuses: readonly number[];
  /** Whether the peer ended the connection, and not the patience of the caller. */
  readonly closed: boolean;
}

function toStatuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Speaks to a server byte by byte. */
export interface RawPeer {
  open(): Promise<Socket>;
  /** Writes the bytes as they are and reads until the peer closes, or until the given time has passed. */
  say(bytes: string | Buffer, options?: { milliseconds?: number; end?: boolean }): Promise<RawAnswer>;
}

export function createRawPeer(url: string): RawPeer {
  const { hostname, port } = new URL(url);
  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        socket.on('error', () => {});
        resolve(socket);
      });
    });
  return {
    open,
    say: async (bytes, { milliseconds = 5000, end = false } = {}) => {
      const socket = await open();
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      const closed = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), milliseconds);
        socket.once('close', () => {
          clearTimeout(timer);
          resolve(true);
        });
        socket.write(bytes);
        if (end) socket.end();
      });
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      return { text, statuses: toStatuses(text), closed };
    },
  };
}
