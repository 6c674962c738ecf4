import { requireFreeAddress } from '../../../server/bind-error.ts';
import { parseListenAddress } from '../../../src/config/listen-address.ts';

/**
 * Opens and closes a socket at the address of the new instance. @throws SVC-CFG-001 when the address is in use or not
 * available
 */
export async function checkAddress(text: string): Promise<void> {
  await requireFreeAddress(parseListenAddress(text));
}
