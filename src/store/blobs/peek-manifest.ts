import type { Digest } from '../../base/digest.ts';
import type { Store } from '../model.ts';
import { vouchSoon } from '../vouch.ts';

/** A manifest in memory. */
export interface PeekedManifest {
  readonly mediaType: string;
  /** Its bytes, one character for each (latin1). */
  readonly text: string;
}

/**
 * Returns a manifest whose bytes are in memory and are known to match its digest, without waiting for anything. Undefined
 * does not say that it is absent: `isWhole` and `readStoredManifest` find out.
 */
export function peekManifest(store: Pick<Store, 'core'>, digest: Digest): PeekedManifest | undefined {
  const { graph, files, cache } = store.core;
  const content = graph.get(digest);
  if (content?.facts === undefined || !files.isKnownWhole(content)) return undefined;
  const text = cache.text(digest);
  if (text === undefined) return undefined;
  vouchSoon(store);
  return { mediaType: content.facts.mediaType, text };
}
