import { Semaphore } from '../../base/concurrency.ts';
import { parseDigest } from '../../base/digest.ts';
import { svcError } from '../../base/error.ts';
import { selectChartLayer } from '../../chart/chart-artifact.ts';
import { kindOf } from '../../oci/kind.ts';
import type { Manifest } from '../../oci/manifest.ts';
import type { CallOptions, ManifestContent } from '../../oci/ports.ts';
import { fallbackTag, formatReference, type Reference, signatureTag } from '../../oci/reference.ts';
import { isVulnerabilityDatabase } from '../../oci/vulnerability-database.ts';
import { localRepository } from '../../recipe/relocation.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import type { Owner } from '../../store/model.ts';
import { collectSignatures } from '../../trust/discover.ts';
import { carrySignatures } from '../carry-signatures.ts';
import { readStoredChart } from '../check-chart.ts';
import { copyGraph } from '../copy-graph.ts';
import { HeldContent, withHeld } from '../held-content.ts';
import { localFirst, localFirstSigned } from '../local-source.ts';
import { Once } from '../once.ts';
import { readPresence } from '../presence.ts';
import { type ContentGraph, readGraph } from '../read-graph.ts';
import type { ReadManifest } from '../read-manifest.ts';
import { createTransfer } from '../transfer-blob.ts';
import { ImportProgress } from './import-progress.ts';
import { toLocalTag } from './import-reference.ts';
import type { ImportOutcome, ImportRun } from './import-run.ts';
import { importVendored } from './import-vendored.ts';
import { readRoot } from './read-root.ts';
import { releaseHeld } from './release-held.ts';
import { isReplacement, requireFreeTag } from './require-free-tag.ts';
import { requireRoom } from './require-room.ts';
import { selectChoices } from './select-choices.ts';
import { listMissing, readArchive } from './vendor-chart.ts';

/** Blobs of one artifact that move at once, on average. */
const blobsAtOnce = 4;

/** What an interrupted run had settled on counts, whatever the tag names by now. */
function toPinned(reference: Reference, { journal }: ImportRun): Reference {
  const digest = reference.digest ?? parseDigest(journal.task.items[0]?.digest);
  return digest === undefined ? reference : { ...reference, digest };
}

interface Plan {
  readonly name: string;
  readonly root: ReadManifest;
  readonly graph: ContentGraph;
  readonly repository: string;
  readonly tag: string;
  readonly owner: Owner;
  readonly platforms: ReturnType<typeof selectChoices>;
}

function toOwner({ blobs }: ContentGraph): Owner {
  return { provenance: isVulnerabilityDatabase(blobs) ? 'vulnerability-database' : 'import' };
}

/**
 * Brings an artifact of a registry into the store: exactly what was inspected and chosen, with its signatures in both
 * layouts. Run again after an interruption it moves only what is missing.
 *
 * @throws SVC-SIG-002 when it is no longer what was inspected, SVC-POL-002 and SVC-POL-004 for a tag that is not free,
 *   SVC-CHT-001 for a chart without its dependencies, SVC-STO-004, SVC-STO-005, and what the two ends throw
 */
export async function importArtifact(reference: Reference, run: ImportRun): Promise<ImportOutcome> {
  const { registry, store, settings, signal, journal } = run;
  const call: CallOptions = signal ? { signal } : {};
  const name = formatReference(reference);
  const repository = localRepository(reference, settings.basePrefix);
  const remote = registry.repository(reference);
  const root = await readRoot(remote, toPinned(reference, run), call);
  const { descriptor } = root.content;
  const tag = toLocalTag(reference, descriptor.digest);
  const platforms = selectChoices(root, run.chosen, name);
  requireFreeTag(store.index, repository, tag, descriptor.digest);

  const held = new HeldContent();
  held.holdManifest(root.content);
  const source = withHeld(localFirst(store, remote), held);
  const graph = await readGraph(source, descriptor.digest, { ...call, reference: name, platforms });
  const contents = [...graph.manifests, ...graph.blobs];
  const presence = await readPresence(store, contents);
  const missing = contents.filter(({ digest }) => !presence.isPresent(digest));
  const sumOf = (some: typeof contents) => some.reduce((sum, { size }) => sum + size, 0);
  await requireRoom(missing, run);
  const progress = new ImportProgress(journal, name);
  await progress.begin(descriptor.digest, sumOf(contents), sumOf(missing));
  journal.line(`${name} is ${descriptor.digest}: ${sumOf(missing)} of ${sumOf(contents)} bytes to bring`);
  const plan = { name, root, graph, repository, tag, owner: toOwner(graph), platforms };
  return bring(plan, { source, remote }, run, progress);
}

async function bring(
  plan: Plan,
  { source, remote }: { readonly source: ReturnType<typeof withHeld>; readonly remote: RemoteRepository },
  run: ImportRun,
  progress: ImportProgress,
): Promise<ImportOutcome> {
  const { name, root, repository, tag, owner, platforms } = plan;
  const { store, signal, journal, report } = run;
  const call: CallOptions = signal ? { signal } : {};
  const { digest } = root.content.descriptor;
  const kind = kindOf(root.manifest);
  const lanes = new Semaphore(run.settings.parallelism * blobsAtOnce);
  const target = store.repository(repository, { owner, kind, direct: true });
  const copying = { ...call, reference: name, lanes, onBytes: progress.onBytes };
  const moveBlob = createTransfer(store, remote, source, target, {
    arriving: new Once(),
    onBlob: progress.onBlob,
    ...call,
  });
  if (kind === 'HelmChart' && run.vendorDependencies) {
    const layer = selectChartLayer(root.content, root.manifest, name);
    if (!(await target.hasBlob(layer, call))) await moveBlob(layer, { onBytes: progress.onBytes });
    const chart = { contents: await readArchive(store, layer.digest, name), layer };
    const origin = { digest, from: run.transport.toUrl(remote.effective.host, '/') };
    if (listMissing(chart.contents).length > 0)
      return importVendored({ repository, tag, reference: name }, chart, origin, run, progress);
  }
  const check = async (content: ManifestContent, manifest: Manifest): Promise<void> => {
    const [missing] = listMissing(await readStoredChart(store, content, manifest, name));
    if (missing) throw svcError('SVC-CHT-001', { chart: name, dependency: missing.name });
  };
  const replaces = isReplacement(store.index, repository, tag, digest);
  await copyGraph(source, target, root.content, {
    ...copying,
    platforms,
    moveBlob,
    tag,
    ...(kind === 'HelmChart' ? { check } : {}),
    beforeRoot: async () => {
      await releaseHeld(store, repository, tag, digest);
      const found = await collectSignatures(localFirstSigned(store, remote), digest, call);
      const { carried } = await carrySignatures(found, source, target, digest, {
        ...copying,
        // what a recipe brought along stays as it was verified
        keepsClassic: async (standing) =>
          store.index
            .tagsOf(standing.digest)
            .some(
              (known) =>
                known.repository === repository &&
                known.owners.some(({ provenance }) => provenance === 'recipe'),
            ),
      });
      if (carried.length > 0) journal.line(`${name}: ${carried.length} signatures carried`);
    },
  });
  // also of what was here before, signatures included: it stays when its other owners go
  const attached = [signatureTag(digest), fallbackTag(digest)].flatMap((at) => {
    const known = at === undefined ? undefined : store.index.tag(repository, at);
    return known && !known.held ? [{ ...known, owner }] : [];
  });
  await store.putTags([...attached, { repository, tag, digest, kind, owner }]);
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
