import type { TransferGate } from '../../base/link/gate.ts';
import type { Transport } from '../model.ts';

/**
 * A transport whose requests wait while a gate is closed, and whose blobs pause then. Two kinds of requests pass: those
 * of an upload under way, which a registry would forget, and those for the token of another request.
 */
export function gateTransport(transport: Transport, gate: TransferGate): Transport {
  return {
    ...transport,
    async request(asked) {
      const kind = asked.hop?.kind;
      const passes = kind === 'upload location' || kind === 'token realm';
      const wait = passes ? undefined : gate.whenOpen(asked.signal);
      if (wait !== undefined) await wait;
      return { ...(await transport.request(asked)), gate };
    },
  };
}
