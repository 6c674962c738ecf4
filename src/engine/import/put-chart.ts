import { hashBytes } from '../../base/digest.ts';
import { requireShownTag } from '../../catalog/shown-tag.ts';
import type { ChartArtifact } from '../../chart/chart-artifact.ts';
import type { Owner } from '../../contract/content.ts';
import type { CallOptions, Source } from '../../oci/ports.ts';
import { openRepository } from '../../store/open-repository.ts';
import { putTags } from '../../store/put-tags.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { copyGraph } from '../copy/copy-graph.ts';
import { HeldContent } from '../copy/held-content.ts';
import { nearSource } from '../copy/near-source.ts';
import { releaseHeldTag } from '../copy/release-held-tag.ts';
import { createRetagAudit } from '../copy/retag-audit.ts';
import type { ImportProgress } from './import-progress.ts';
import type { ImportOutcome, ImportRun } from './import-run.ts';
import { isReplacement, requireFreeTag } from './require-free-tag.ts';

/** Owner of a converted chart. */
export const chartOwner: Owner = { provenance: 'import' };

/** A source without content: a conversion reads only from the store and from memory. */
const nowhere: Source = {
  resolve: async () => undefined,
  fetchManifest: async () => undefined,
  fetchBlob: async ({ digest }) => {
    throw svcError('SVC-STO-001', {
      path: digest,
      detail: rule(['not in the store', fr`absent du stockage`]),
    });
  },
};

/** Destination of a chart in the store, and its reference in errors. */
export interface ChartPlace {
  readonly repository: string;
  readonly tag: string;
  readonly reference: string;
}

/**
 * Puts a chart, whose archive is in the store, under its tag.
 *
 * @param provenance bytes of the provenance file that the artifact names
 * @throws SVC-POL-002, SVC-POL-004, SVC-POL-005, SVC-SRV-007, errors of the store
 */
export async function putChart(
  at: ChartPlace,
  { manifest, config }: ChartArtifact,
  provenance: Buffer | undefined,
  {
    store,
    signal,
    report,
    actor,
    replaces,
  }: Pick<ImportRun, 'store' | 'signal' | 'report' | 'actor' | 'replaces'>,
  progress: ImportProgress,
): Promise<ImportOutcome> {
  const { repository, tag, reference } = at;
  const call: CallOptions = { signal };
  const { digest } = manifest.descriptor;
  const kind = 'HelmChart';
  const owner = chartOwner;
  requireFreeTag(store.index, at, digest, owner);
  const requireShown = () => requireShownTag(store.index, at, digest, replaces);
  requireShown();
  const held = new HeldContent();
  held.holdBlob(config.descriptor.digest, config.bytes);
  if (provenance) held.holdBlob(hashBytes(provenance), provenance);
  const onRePointed = createRetagAudit(report, actor, { source: reference });
  const target = openRepository(store, repository, { owner, kind, onRePointed, require: requireShown });
  const leavesContent = isReplacement(store.index, repository, tag, digest);
  await copyGraph(nearSource(held, store, nowhere), target, manifest, {
    ...call,
    reference,
    tag,
    onBytes: progress.onBytes,
    beforeRoot: () => releaseHeldTag(store, repository, tag, digest),
  });
  await putTags(store, [{ repository, tag, digest, kind, owner }], onRePointed);
  const { movedBytes } = progress;
  report.log('info', 'Chart imported', { source: reference, digest, repository, tag, bytes: movedBytes });
  await progress.end();
  return { repository, tag, digest, movedBytes, leavesContent };
}
