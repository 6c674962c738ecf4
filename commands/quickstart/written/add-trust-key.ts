import { basename, extname } from 'node:path';
import type { LoadedConfig } from '../../../src/config/load-config.ts';
import type { Origin } from '../../../src/config/violation.ts';

/**
 * Adds a trust root, which no flag of an instance can give, to a configuration.
 *
 * @param keyFile absolute path of a PEM public key; its name without extension becomes the name of the root
 */
export function addTrustKey(loaded: LoadedConfig, keyFile: string): LoadedConfig {
  const origin: Origin = { layer: 'flag', name: '--trust-key' };
  const name = basename(keyFile, extname(keyFile));
  const { trust } = loaded.config;
  return {
    ...loaded,
    config: { ...loaded.config, trust: { ...trust, roots: [{ name, keyFile }] } },
    origins: new Map([...loaded.origins, ['trust.roots', origin]]),
    originOf: (key) => (key.startsWith('trust.roots') ? origin : loaded.originOf(key)),
  };
}
