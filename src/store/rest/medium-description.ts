import { relative } from 'node:path';
import type { Digest } from '../../base/digest.ts';
import { storeFormat } from '../../catalog/content-records.ts';
import type { SyncRecord } from '../../catalog/model.ts';
import type { StoreCore } from '../store-core.ts';
import { mediaFormats } from './media-manifest.ts';
import type { MediumManifestParts } from './rest-files.ts';

/** Collects the content of `media.jsonl` from an open store. */
export function toMediumDescription(
  core: StoreCore,
  about: {
    readonly mediaId: string;
    readonly lastSync: SyncRecord;
    readonly producerVersion: string;
    readonly writtenAt: Date;
  },
): MediumManifestParts {
  const { root, book, graph, files, contentLedger, recipeLedger } = core;
  const { zone, runId, resolvedAt } = about.lastSync;
  return {
    mediaFormat: mediaFormats.whole,
    storeFormat,
    mediaId: about.mediaId,
    zone,
    producedBy: { version: about.producerVersion, runId },
    resolvedAt,
    writtenAt: about.writtenAt.toISOString(),
    recipes: book.recipes.map(({ name, version, repository, digest }) => ({
      name,
      version,
      repository,
      digest,
    })),
    graph,
    others: [contentLedger, recipeLedger].map((ledger) => {
      const { length, sha256 } = ledger.state();
      return {
        path: relative(root, ledger.path),
        size: length,
        digest: `sha256:${sha256}` as Digest,
      };
    }),
    measure: (content) => files.measure(content),
  };
}
