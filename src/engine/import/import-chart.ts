import { type Digest, hashBytes } from '../../base/digest.ts';
import { svcError } from '../../base/error.ts';
import { selectChartLayer, toChartArtifact, toChartTag } from '../../chart/chart-artifact.ts';
import { type ChartReference, formatChartReference } from '../../chart/chart-reference.ts';
import { type Manifest, parseManifest } from '../../oci/manifest.ts';
import { mediaTypes } from '../../oci/media-types.ts';
import type { CallOptions, Source } from '../../oci/ports.ts';
import { localRepository } from '../../recipe/relocation.ts';
import type { Owner } from '../../store/model.ts';
import { copyGraph } from '../copy-graph.ts';
import { HeldContent, withHeld } from '../held-content.ts';
import { localFirst } from '../local-source.ts';
import {
  type FoundChart,
  fetchProvenance,
  findChart,
  type RepositoryAccess,
  requireListed,
  streamChart,
} from './chart-repository.ts';
import { releaseHeld } from './import-artifact.ts';
import { type ImportOutcome, ImportProgress, type ImportRun, requireRoom } from './import-run.ts';
import { putArchive } from './put-archive.ts';
import { requireFreeTag } from './require-free-tag.ts';
import { selectChoices } from './select-choices.ts';
import { listMissing, readArchive, type StoredChart, vendorChart } from './vendor-chart.ts';

const owner: Owner = { provenance: 'import' };

/** Nothing but what the store has and what is held: a conversion needs no source. */
const nowhere: Source = {
  resolve: async () => undefined,
  fetchManifest: async () => undefined,
  fetchBlob: async ({ digest }) => {
    throw svcError('SVC-STO-001', { path: digest, detail: 'not in the store' });
  },
};

/** The archive of a chart in the store; one that is there already, by what the repository says, does not come again. */
async function bringArchive(
  found: FoundChart,
  access: RepositoryAccess,
  { store, settings, report }: ImportRun,
  progress: ImportProgress,
): Promise<StoredChart['layer']> {
  const { digest } = found;
  const size = digest === undefined ? undefined : store.index.sizeOf(digest);
  if (digest !== undefined && size !== undefined) {
    const anywhere = store.repository('_', { owner });
    if (await anywhere.hasBlob({ mediaType: mediaTypes.helmChart, digest, size })) return { digest, size };
  }
  return streamChart(found, access, async (bytes, announced) => {
    if (announced !== undefined) {
      const coming = { mediaType: mediaTypes.helmChart, digest: digest ?? hashBytes(''), size: announced };
      await requireRoom([coming], { settings, store, report });
    }
    return putArchive(store, bytes, progress.onBytes);
  });
}

/** Puts a chart whose archive is in the store under a tag. */
async function putChart(
  at: { readonly repository: string; readonly tag: string; readonly reference: string },
  artifact: ReturnType<typeof toChartArtifact>,
  provenance: Buffer | undefined,
  { store, signal, report }: ImportRun,
  progress: ImportProgress,
): Promise<ImportOutcome> {
  const { repository, tag, reference } = at;
  const call: CallOptions = signal ? { signal } : {};
  const { manifest, config } = artifact;
  const { digest } = manifest.descriptor;
  const kind = 'HelmChart';
  requireFreeTag(store.index, repository, tag, digest);
  const held = new HeldContent();
  held.holdBlob(config.descriptor.digest, config.bytes);
  if (provenance) held.holdBlob(hashBytes(provenance), provenance);
  const target = store.repository(repository, { owner, kind });
  await copyGraph(withHeld(localFirst(store, nowhere), held), target, manifest, {
    ...call,
    reference,
    tag,
    onBytes: progress.onBytes,
    beforeRoot: () => releaseHeld(store, repository, tag, digest),
  });
  await store.putTags([{ repository, tag, digest, kind, owner }]);
  report.log('info', 'Chart imported', {
    source: reference,
    digest,
    repository,
    tag,
    bytes: progress.movedBytes,
  });
  await progress.end();
  return { repository, tag, digest, owner, movedBytes: progress.movedBytes };
}

/** A chart of a registry that lacks dependencies, with its blobs in the store. */
interface LackingChart {
  readonly name: string;
  readonly repository: string;
  readonly tag: string;
  /** Of the artifact as it is at its source. */
  readonly digest: Digest;
  readonly manifest: Manifest;
  readonly from: URL;
}

/**
 * Imports a chart with the dependencies that it lacks put into it. What was put in, and from where, is kept: on the
 * artifact itself, in the task, in the log.
 */
export async function importVendored(
  lacking: LackingChart,
  run: ImportRun,
  progress: ImportProgress,
): Promise<ImportOutcome> {
  const { name, digest, manifest, from, repository, tag } = lacking;
  const descriptor = { mediaType: manifest.mediaType, digest, size: 0 };
  const layer = selectChartLayer({ descriptor, bytes: Buffer.alloc(0) }, manifest, name);
  const contents = await readArchive(run.store, layer.digest, name);
  const chart = { contents, layer };
  return putVendored({ repository, tag, reference: name }, chart, { digest, from }, run, progress);
}

async function putVendored(
  at: { readonly repository: string; readonly tag: string; readonly reference: string },
  chart: StoredChart,
  origin: { readonly digest: Digest; readonly from: URL },
  run: ImportRun,
  progress: ImportProgress,
): Promise<ImportOutcome> {
  const { journal, report, settings } = run;
  const { reference } = at;
  const { contents, layer, dependencies } = await vendorChart(chart, {
    ...run,
    retries: settings.retries,
    reference,
    from: origin.from,
    onBytes: progress.onBytes,
    onVendored: (found, { name, version, digest }) => {
      journal.line(`vendored ${name} ${version} from ${found.reference}: ${digest}`);
      report.log('info', 'A dependency was put into a chart', {
        source: found.reference,
        digest,
        chart: reference,
        dependency: name,
      });
    },
  });
  journal.line(`${reference}: its archive is another now, and signatures of the original do not come along`);
  const artifact = toChartArtifact({
    contents,
    layer,
    reference,
    vendored: { from: origin.digest, dependencies },
  });
  return putChart(at, artifact, undefined, run, progress);
}

/**
 * Brings a chart of a classic repository into the store as the artifact that was inspected, with its provenance file.
 *
 * @throws SVC-SIG-002 when it is no longer what was inspected, SVC-POL-002, SVC-POL-004, SVC-CHT-001 for a dependency that
 *   is not embedded and not to be vendored, SVC-STO-004, SVC-STO-005, and what the repository and the store throw
 */
export async function importChart(reference: ChartReference, run: ImportRun): Promise<ImportOutcome> {
  const { settings, transport, credentials, store, report, signal, journal } = run;
  const name = formatChartReference(reference, reference.version);
  const repository = localRepository(reference.nominal, settings.basePrefix);
  const access = { transport, credentials, retries: settings.retries, report, signal };
  const found = await findChart(reference, access);
  const tag = toChartTag(found.version);
  journal.line(`${found.reference} lies at ${found.url.origin}${found.url.pathname}`);
  const progress = new ImportProgress(journal, name);
  const layer = await bringArchive(found, access, run, progress);
  const contents = await readArchive(store, layer.digest, found.reference);
  requireListed(found, contents);
  const file = await fetchProvenance(found, access);
  const provenance = file && { digest: hashBytes(file), size: file.length };
  const artifact = toChartArtifact({ contents, layer, provenance, reference: found.reference });
  const { descriptor } = artifact.manifest;
  const root = { content: artifact.manifest, manifest: parseManifest(artifact.manifest.bytes) };
  selectChoices(root, run.chosen, found.reference);
  await progress.begin(descriptor.digest, layer.size + descriptor.size, progress.movedBytes);
  const at = { repository, tag, reference: found.reference };
  const [missing] = listMissing(contents);
  if (missing === undefined) return putChart(at, artifact, file, run, progress);
  if (!run.vendorDependencies)
    throw svcError('SVC-CHT-001', { chart: found.reference, dependency: missing.name });
  return putVendored(
    at,
    { contents, layer },
    { digest: descriptor.digest, from: reference.base },
    run,
    progress,
  );
}
