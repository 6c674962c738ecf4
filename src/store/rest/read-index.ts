import { type Digest, isDigest } from '../../base/digest.ts';

/** Largest `index.json` that is read, in bytes: several million tags. */
export const indexLimit: number = 256 << 20;

/** One entry of an `index.json`. */
export interface IndexEntry {
  readonly digest: Digest;
  /** `<repository>:<tag>`, if the entry has one. */
  readonly reference: string | undefined;
}

/** Parses an `index.json` that this program may have written. @returns undefined when it is not one */
export function parseIndex(text: string): readonly IndexEntry[] | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  const list = (document as { manifests?: unknown } | null)?.manifests;
  if (!Array.isArray(list)) return undefined;
  const entries: IndexEntry[] = [];
  for (const one of list) {
    const { digest, annotations } = (one ?? {}) as {
      digest?: unknown;
      annotations?: Record<string, unknown>;
    };
    if (!isDigest(digest)) return undefined;
    const reference = annotations?.['org.opencontainers.image.ref.name'];
    entries.push({ digest, reference: typeof reference === 'string' ? reference : undefined });
  }
  return entries;
}
