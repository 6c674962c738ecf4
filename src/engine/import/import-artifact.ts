import { Semaphore } from '../../base/concurrency.ts';
import { parseDigest } from '../../base/digest.ts';
import { SharedWork } from '../../base/shared-work.ts';
import { requireShownTag } from '../../catalog/shown-tag.ts';
import { selectChartLayer } from '../../chart/chart-artifact.ts';
import { formatDependency } from '../../chart/embedded-dependencies.ts';
import type { Owner } from '../../contract/content.ts';
import { kindOf } from '../../oci/kind.ts';
import type { Manifest } from '../../oci/manifest.ts';
import type { CallOptions, ManifestContent, Source } from '../../oci/ports.ts';
import { fallbackTag, formatReference, type Reference, signatureTag } from '../../oci/reference.ts';
import { isVulnerabilityDatabase } from '../../oci/vulnerability-database.ts';
import { localRepository } from '../../recipe/relocation.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { putTags } from '../../store/put-tags.ts';
import { svcError } from '../../text/error.ts';
import { carryAllSignatures } from '../copy/carry-all-signatures.ts';
import { copyGraph } from '../copy/copy-graph.ts';
import { HeldContent } from '../copy/held-content.ts';
import { leaveAbsentLayers } from '../copy/leave-absent-layers.ts';
import { listBelow } from '../copy/list-below.ts';
import { localFirstSigned, toRelister } from '../copy/local-source.ts';
import { nearSource } from '../copy/near-source.ts';
import { type ManifestGraph, readGraph } from '../copy/read-graph.ts';
import type { ReadManifest } from '../copy/read-manifest.ts';
import { releaseHeldTag } from '../copy/release-held-tag.ts';
import { createRetagAudit } from '../copy/retag-audit.ts';
import { createTransfer } from '../copy/transfer-blob.ts';
import { warnOfNames } from '../copy/warn-of-names.ts';
import { readStoredChart } from '../sync/check-chart.ts';
import { readPresence } from '../sync/presence.ts';
import { ImportProgress } from './import-progress.ts';
import { toLocalTag } from './import-reference.ts';
import type { ImportOutcome, ImportRun } from './import-run.ts';
import { importVendored } from './import-vendored.ts';
import { listChoices } from './read-choices.ts';
import { readRoot } from './read-root.ts';
import { isReplacement, requireFreeTag } from './require-free-tag.ts';
import { requireRoom } from './require-room.ts';
import { selectChoices, toSoleChoice } from './select-choices.ts';
import { listMissing } from './vendor-chart.ts';

/** Average number of blobs of one artifact that move at the same time. */
const blobsAtOnce = 4;

/** Pins a reference to the digest that an interrupted run recorded, even if its tag was moved since. */
function toPinned(reference: Reference, { journal }: ImportRun): Reference {
  const digest = reference.digest ?? parseDigest(journal.task.items[0]?.digest);
  return digest === undefined ? reference : { ...reference, digest };
}

interface Plan {
  readonly name: string;
  readonly root: ReadManifest;
  readonly graph: ManifestGraph;
  readonly repository: string;
  readonly tag: string;
  readonly owner: Owner;
  readonly platforms: ReturnType<typeof selectChoices>;
}

function toOwner({ blobs }: ManifestGraph): Owner {
  return { provenance: isVulnerabilityDatabase(blobs) ? 'vulnerability-database' : 'import' };
}

/**
 * Imports an artifact of a registry into the store: exactly the inspected and chosen content, with its signatures in
 * both layouts. A run after an interruption moves only missing content.
 *
 * @throws SVC-SIG-002 when it changed since its inspection, SVC-SRV-007 when the tag changed since it was shown,
 *   SVC-POL-002 and SVC-POL-004 for a tag that is not free, SVC-CHT-001 for a chart without its dependencies,
 *   SVC-STO-004, SVC-STO-005, errors of source and store
 */
export async function importArtifact(reference: Reference, run: ImportRun): Promise<ImportOutcome> {
  const { registry, store, settings, signal, journal } = run;
  const call: CallOptions = { signal };
  const name = formatReference(reference);
  const repository = localRepository(reference, settings.basePrefix);
  const remote = registry.repository(reference);
  const root = await readRoot(remote, toPinned(reference, run), call);
  const { descriptor } = root.content;
  const tag = toLocalTag(reference, descriptor.digest);
  const held = new HeldContent();
  held.holdManifest(root.content);
  const source = nearSource(held, store, remote);
  const { manifest } = root;
  const offered =
    manifest.kind === 'index'
      ? await listChoices(source, manifest, descriptor.digest, { ...call, reference: name })
      : toSoleChoice(descriptor.digest, run.chosen);
  const platforms = selectChoices(offered, run.chosen, name);
  requireFreeTag(store.index, { repository, tag }, descriptor.digest, { provenance: 'import' });
  requireShownTag(store.index, { repository, tag }, descriptor.digest, run.replaces);

  const whole = await readGraph(source, descriptor.digest, { ...call, reference: name, platforms });
  const graph = await leaveAbsentLayers(whole, store, remote, call);
  const contents = [...graph.manifests, ...graph.blobs];
  const presence = await readPresence(store, contents);
  const missing = contents.filter((one) => !presence.isPresent(one));
  const sumOf = (some: typeof contents) => some.reduce((sum, { size }) => sum + size, 0);
  await requireRoom(missing, run);
  const progress = new ImportProgress(journal, name);
  await progress.begin(descriptor.digest, sumOf(contents), sumOf(missing), graph.absentLayers);
  for (const layer of graph.absentLayers ?? [])
    journal.line(
      `${name} is imported without the layer ${layer}, which need not be distributed: the registry does not have it`,
    );
  journal.line(`${name} is ${descriptor.digest}: ${sumOf(missing)} of ${sumOf(contents)} bytes to transfer`);
  const plan = { name, root, graph, repository, tag, owner: toOwner(graph), platforms };
  return bring(plan, { source, remote }, run, progress);
}

async function bring(
  plan: Plan,
  { source, remote }: { readonly source: Source; readonly remote: RemoteRepository },
  run: ImportRun,
  progress: ImportProgress,
): Promise<ImportOutcome> {
  const { name, root, graph, repository, tag, owner, platforms } = plan;
  const { store, signal, journal, report } = run;
  const call: CallOptions = { signal };
  const { digest } = root.content.descriptor;
  const kind = kindOf(root.manifest);
  const limiter = new Semaphore(run.settings.parallelism * blobsAtOnce);
  const onRePointed = createRetagAudit(report, run.actor, { source: name });
  const require = () => requireShownTag(store.index, { repository, tag }, digest, run.replaces);
  const target = openRepository(store, repository, { owner, kind, direct: true, onRePointed, require });
  const copying = { ...call, reference: name, limiter, onBytes: progress.onBytes };
  const moveBlob = createTransfer(store, remote, source, target, {
    arriving: new SharedWork(),
    onBlob: progress.onBlob,
    ...call,
  });
  if (kind === 'HelmChart' && run.vendorDependencies) {
    const layer = selectChartLayer(root.content.descriptor, root.manifest, name);
    if (!(await target.hasBlob(layer, call))) await moveBlob(layer, { onBytes: progress.onBytes });
    const chart = { contents: await readStoredChart(store, layer.digest, name), layer };
    const origin = { digest, from: run.transport.toUrl(remote.effective.host, '/') };
    if (listMissing(chart.contents).length > 0)
      return importVendored({ repository, tag, reference: name }, chart, origin, run, progress);
  }
  const check = async (content: ManifestContent, manifest: Manifest): Promise<void> => {
    const layer = selectChartLayer(content.descriptor, manifest, name);
    const contents = await readStoredChart(store, layer.digest, name);
    warnOfNames(contents, name, run);
    const [missing] = listMissing(contents);
    if (missing) throw svcError('SVC-CHT-001', { chart: name, dependency: formatDependency(missing) });
  };
  const replaces = isReplacement(store.index, repository, tag, digest);
  await copyGraph(source, target, root.content, {
    ...copying,
    platforms,
    absentLayers: graph.absentLayers,
    moveBlob,
    tag,
    ...(kind === 'HelmChart' ? { check } : {}),
    beforeRoot: async (carried) => {
      await releaseHeldTag(store, repository, tag, digest);
      const signed = await carryAllSignatures(
        carried,
        localFirstSigned(store, remote),
        toRelister(remote),
        target,
        {
          ...copying,
          held: new HeldContent(),
          onBroken: (signature, error) =>
            journal.line(`${name}: signature ${signature} is incomplete at its source: ${error.code}`),
        },
      );
      if (signed.length > 0) journal.line(`${name}: ${signed.length} signatures carried`);
    },
  });
  // content and signatures that the store already had get this owner too, so that they remain when other
  // owners go
  const subjects = listBelow(digest, store.index);
  const attached = subjects
    .flatMap((one) => [signatureTag(one), fallbackTag(one)])
    .flatMap((at) => {
      const known = at === undefined ? undefined : store.index.tag(repository, at);
      return known && !known.held ? [{ ...known, owner }] : [];
    });
  await putTags(store, [...attached, { repository, tag, digest, kind, owner }], onRePointed);
  report.log('info', 'Artifact imported', {
    source: name,
    digest,
    repository,
    tag,
    provenance: owner.provenance,
    bytes: progress.movedBytes,
  });
  await progress.end();
  return { repository, tag, digest, movedBytes: progress.movedBytes, leavesContent: replaces };
}
