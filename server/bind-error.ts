import { createServer } from 'node:net';
import { type ListenAddress, toUrlHost } from '../src/config/listen-address.ts';
import { type SvcError, svcError } from '../src/text/error.ts';
import { fr, type Sentence } from '../src/text/language.ts';
import { rule } from '../src/text/rule.ts';

const unresolved: Sentence = [
  '{address} has a host name that does not resolve',
  fr`{address} a un nom d’hôte sans adresse`,
];

/** The sentence on the address for each failure of the system. */
const sentences: Readonly<Record<string, Sentence>> = {
  EADDRINUSE: ['{address} is used by another program', fr`{address} est utilisé par un autre programme`],
  EADDRNOTAVAIL: [
    '{address} is not an address of this machine',
    fr`{address} n’est pas une adresse de cette machine`,
  ],
  EACCES: [
    '{address} may not be opened by this user',
    fr`{address} ne peut pas être ouvert par cet utilisateur`,
  ],
  ENOTFOUND: unresolved,
  EAI_AGAIN: unresolved,
};

/** Converts the failure to listen at an address. */
export function toBindError(cause: unknown, address: ListenAddress): SvcError {
  const sentence = sentences[(cause as NodeJS.ErrnoException).code ?? ''];
  if (sentence === undefined) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    return svcError('SVC-CFG-001', { setting: 'server.addr', detail }, { cause });
  }
  const detail = rule(sentence, { address: `${toUrlHost(address)}:${address.port}` });
  return svcError('SVC-CFG-001', { setting: 'server.addr', detail, problem: 'address' }, { cause });
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
      server.listen({ port, host }, resolve);
    });
  } catch (error) {
    throw toBindError(error, address);
  }
  await new Promise((resolve) => server.close(resolve));
}
