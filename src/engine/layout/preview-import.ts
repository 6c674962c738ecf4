import { type Digest, fingerprintOf } from '../../base/digest.ts';
import type { StoreIndex } from '../../catalog/model.ts';
import type { PreviewedEntry } from '../../contract/layout.ts';
import { isSvcError, toErrorRecord } from '../../text/error.ts';
import { requireFree } from './import-layout.ts';
import type { LostPlan, PlannedEntry } from './plan-import.ts';

/**
 * Fingerprint of the plan of an import: equal exactly when the same entries are new, replace content or are refused.
 */
export function fingerprintImport(entries: readonly PreviewedEntry[]): Digest {
  return fingerprintOf([
    'layout-import',
    entries.map(({ reference, digest, status, replaced, error }) => [
      reference,
      digest ?? '',
      status,
      replaced ?? '',
      error?.code ?? '',
    ]),
  ]);
}

/**
 * Compares the planned entries of a layout with the store. Reads no content: damage of the layout is found only by the
 * import.
 *
 * @param lost entries that cannot be used, which come first
 */
export function previewImport(
  planned: readonly PlannedEntry[],
  lost: readonly LostPlan[],
  index: Pick<StoreIndex, 'tag' | 'publication' | 'manifest'>,
): readonly PreviewedEntry[] {
  const unusable = lost.map(
    ({ error, ...entry }): PreviewedEntry => ({ ...entry, status: 'new', error: toErrorRecord(error) }),
  );
  const usable = planned.map(
    ({ reference, descriptor: { digest }, repository, tag, error }): PreviewedEntry => {
      const isTagged = repository !== undefined && tag !== undefined;
      const known = isTagged ? index.tag(repository, tag) : undefined;
      const present = isTagged ? known?.digest === digest : index.manifest(digest) !== undefined;
      const status = present ? 'up-to-date' : known === undefined ? 'new' : 'outdated';
      const refused = error ?? (isTagged ? findRefusal(index, repository, tag, digest) : undefined);
      return {
        reference,
        digest,
        status,
        ...(status === 'outdated' ? { replaced: known!.digest } : {}),
        ...(refused === undefined ? {} : { error: toErrorRecord(refused) }),
      };
    },
  );
  return [...unusable, ...usable];
}

function findRefusal(
  index: Pick<StoreIndex, 'tag' | 'publication'>,
  repository: string,
  tag: string,
  digest: Digest,
): unknown {
  try {
    requireFree(index, repository, tag, digest);
    return undefined;
  } catch (error) {
    if (isSvcError(error)) return error;
    throw error;
  }
}
