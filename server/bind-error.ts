import { createServer } from 'node:net';
import { type SvcError, svcError } from '../src/text/error.ts';
import type { ListenAddress } from './listen-address.ts';

/** What each failure of the system says about the address. */
const rules: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is used by another program',
  EADDRNOTAVAIL: 'is not an address of this machine',
  EACCES: 'may not be opened by this user',
  ENOTFOUND: 'has a host name that does not resolve',
  EAI_AGAIN: 'has a host name that does not resolve',
};

/** Converts the failure to listen at an address. */
export function toBindError(cause: unknown, { host, port }: ListenAddress): SvcError {
  const rule = rules[(cause as NodeJS.ErrnoException).code ?? ''];
  const name = `${host?.includes(':') ? `[${host}]` : (host ?? '')}:${port}`;
  if (rule === undefined) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    return svcError('SVC-CFG-001', { setting: 'server.addr', detail }, { cause });
  }
  return svcError(
    'SVC-CFG-001',
    { setting: 'server.addr', detail: `${name} ${rule}`, problem: 'address' },
    { cause },
  );
}

/**
 * Opens and closes a socket at an address, to find out before anything is created whether it is free.
 *
 * @throws SVC-CFG-001 when the address is in use or not available
 */
export async function requireFreeAddress(address: ListenAddress): Promise<void> {
  const { host, port } = address;
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
    });
  } catch (error) {
    throw toBindError(error, address);
  }
  await new Promise((resolve) => server.close(resolve));
}
