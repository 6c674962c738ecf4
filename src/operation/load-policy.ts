import { keyLimit, parsePublicKey, toFingerprint } from '../attest/public-key.ts';
import { KeptWork } from '../base/kept-work.ts';
import type { Report } from '../base/report.ts';
import type { Config } from '../config/model.ts';
import { readNamed } from '../disk/named-file.ts';
import { readKept } from '../disk/plain-file.ts';
import type { PassportGuard } from '../engine/medium/judge-passport.ts';
import { createKeyCache } from '../trust/key-cache.ts';
import type { TrustPolicy } from '../trust/model.ts';
import { loadPeers, type Peer, type PeerKey } from '../trust/peers.ts';
import { loadTrustPolicy } from '../trust/roots.ts';

/**
 * Loads the trust policy of a configuration from local files; nothing is fetched. A root by URL without a
 * cached copy is not trusted, and a warning is logged.
 *
 * @throws SVC-CFG-001 for an unusable key
 */
export async function loadPolicy(config: Config, report: Report): Promise<TrustPolicy> {
  const stateRoot = config.state.root;
  const cache = stateRoot === undefined ? undefined : createKeyCache({ stateRoot, report });
  const policy = await loadTrustPolicy({
    roots: config.trust.roots,
    scopes: config.trust.scopes,
    readFile: (path) => readNamed(path, keyLimit),
    ...(cache ? { cachedKey: (root) => cache.read(root) } : {}),
  });
  for (const name of policy.missing) {
    report.log(
      'warn',
      'A trust root is configured by URL and there is no copy of its key: nothing it signed is accepted',
      {
        root: name,
      },
    );
  }
  // a command that judges by the roots refuses a key that is a peer too
  await loadConfiguredPeers(config, policy);
  return policy;
}

/** Bytes of a parsed key, by estimate. */
const keyBytes = 4096;
/** Keys of peers, which each page about zones needs. */
const kept = new KeptWork<string, PeerKey>(4 << 20);

/**
 * Reads the keys of the peers of a configuration.
 *
 * @throws SVC-CFG-001 for an unusable key, and for one that is a trust root too
 */
export function loadConfiguredPeers({ peers }: Config, { roots }: TrustPolicy): Promise<readonly Peer[]> {
  const readKey = async (path: string) => {
    const key = parsePublicKey(await readNamed(path, keyLimit));
    return { value: { key, fingerprint: toFingerprint(key) }, bytes: keyBytes };
  };
  return loadPeers(
    peers,
    roots,
    async (path) => (await readKept(kept, path, () => readKey(path))) ?? (await readKey(path)).value,
  );
}

/**
 * Reads the keys of the senders whose passports are believed.
 *
 * @throws as {@link loadConfiguredPeers}
 */
export async function loadPassportGuard(config: Config, policy: TrustPolicy): Promise<PassportGuard> {
  const peers = await loadConfiguredPeers(config, policy);
  const keys = peers.filter(({ for: kinds }) => kinds.includes('passport'));
  return { keys, required: config.media.requirePassport };
}
