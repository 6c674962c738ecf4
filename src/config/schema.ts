import type { ConfigEntry } from './config-entry.ts';
import { custodyKeys } from './keys/custody.ts';
import { filesKeys } from './keys/files.ts';
import { instanceKeys } from './keys/instance.ts';
import type { KeyDraft } from './keys/key-draft.ts';
import { loggingKeys } from './keys/logging.ts';
import { networkKeys } from './keys/network.ts';
import { serverKeys } from './keys/server.ts';
import { signingKeys } from './keys/signing.ts';
import { syncKeys } from './keys/sync.ts';
import { trustKeys } from './keys/trust.ts';
import { scopes } from './scope.ts';

/** Returns `SVC_` and the key path in upper snake case: `network.proxy.httpsURL` is `SVC_NETWORK_PROXY_HTTPS_URL`. */
export function toEnvName(key: string): string {
  return `SVC_${key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase()}`;
}

const drafts: readonly KeyDraft[] = [
  ...instanceKeys,
  ...serverKeys,
  ...networkKeys,
  ...syncKeys,
  ...trustKeys,
  ...signingKeys,
  ...custodyKeys,
  ...filesKeys,
  ...loggingKeys,
];

/** Every key, in the order of the documentation. */
export const configEntries: readonly ConfigEntry[] = drafts.map(({ fileOnly, scopes: own, ...draft }) => ({
  ...draft,
  scopes: own ?? scopes,
  ...(fileOnly ? {} : { env: toEnvName(draft.key) }),
}));
