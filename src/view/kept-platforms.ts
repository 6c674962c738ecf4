import type { Digest } from '../base/digest.ts';
import { parseJsonSteps } from '../base/json/json-steps.ts';
import { parseJson, usualBounds } from '../base/json/parse-json.ts';
import { KeptWork } from '../base/kept-work.ts';
import { runInTurns } from '../base/pacer.ts';
import { readWhole } from '../disk/plain-file.ts';
import { type Platform, toPlatform } from '../oci/platform.ts';
import { readCached } from '../store/blobs/read-ahead.ts';
import type { Store } from '../store/model.ts';
import { openBlob } from '../store/open-blob.ts';

const largestConfig = 1 << 20;
/** Bytes of a configuration that is read at once. */
const atOnce = 65_536;
/** Bytes of platforms that are kept, of each store, and of one of them besides its texts. */
const keptBytes = 4 << 20;
const ownBytes = 256;

/** Content of a configuration. */
interface Configured {
  readonly platform?: Platform | undefined;
}

const keptOf = new WeakMap<object, KeptWork<Digest, Configured>>();

/**
 * Reads the platform from the configuration of an image, once for all views; undefined if it names none or the store
 * does not have it.
 *
 * @throws SVC-STO-001, SVC-SIG-002
 */
export async function readConfigPlatform(store: Store, config: Digest): Promise<Platform | undefined> {
  if (store.index.sizeOf(config) === undefined) return undefined;
  const kept = keptOf.get(store.index) ?? new KeptWork<Digest, Configured>(keptBytes);
  keptOf.set(store.index, kept);
  const configured = await kept.run(config, async () => {
    const bytes = readCached(store, config) ?? (await readConfig(store, config));
    if (bytes === undefined) return undefined;
    const platform = await parsePlatform(bytes);
    const { os, architecture, variant = '' } = platform ?? { os: '', architecture: '' };
    return { value: { platform }, bytes: ownBytes + 2 * (os.length + architecture.length + variant.length) };
  });
  return configured?.platform;
}

async function readConfig(store: Store, config: Digest): Promise<Buffer | undefined> {
  const size = store.index.sizeOf(config);
  if (size === undefined || size > largestConfig) return undefined;
  const { file } = await openBlob(store, config);
  try {
    return await readWhole(file, size);
  } finally {
    await file.close();
  }
}

async function parsePlatform(bytes: Buffer): Promise<Platform | undefined> {
  try {
    const config =
      bytes.length <= atOnce ? parseJson(bytes) : await runInTurns(parseJsonSteps(bytes, usualBounds));
    const { os, architecture, variant } = (config ?? {}) as Record<string, unknown>;
    if (typeof os !== 'string' || typeof architecture !== 'string') return undefined;
    if (os === '' || architecture === '') return undefined;
    return toPlatform({ os, architecture, ...(typeof variant === 'string' ? { variant } : {}) });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
