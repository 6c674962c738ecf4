import { basename } from 'node:path';
import { toChartTag } from '../../chart/chart-artifact.ts';
import { isChartReference } from '../../chart/chart-reference.ts';
import {
  canonicalHost,
  parseReference,
  type Reference,
  type RepositoryReference,
} from '../../oci/reference.ts';
import type { RemoteReading } from '../../remote/model.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { withoutUrlSecrets } from '../../text/secrets/url-secrets.ts';
import type { Candidate, NamedChart, Omission } from '../foreign/model.ts';
import { type PushedChart, pushChart } from '../pin/push-chart.ts';
import type { ReadSource, SourceChart, SourceOptions } from './model.ts';
import { readSources } from './read-source.ts';
import { toCandidates } from './to-candidates.ts';

interface CollectOptions extends SourceOptions {
  /** Platforms of every image; empty: as the sources say, else all. */
  readonly platforms: readonly string[];
  /** Repository below which charts are pushed that no registry has. */
  readonly chartBase?: RepositoryReference | undefined;
  /** Repository below which folders are pushed as FileSets. */
  readonly filesetBase?: RepositoryReference | undefined;
}

/** Formats the place of a candidate: its repository and version. */
export const toPlace = ({ reference: { host, repository }, version }: Candidate): string =>
  `${host}/${repository}:${version}`;

/** A folder that is to be packed and pushed. */
export interface DueFolder {
  readonly path: string;
  /** As given. */
  readonly source: string;
}

/** Collects the candidates of all sources, in their order. Nothing is pushed. */
export class CandidateCollection {
  readonly candidates: Candidate[] = [];
  readonly omissions: (Omission & { readonly source: string })[] = [];
  /** Pushes that are due, by the place of the chart. */
  readonly due = new Map<string, () => Promise<PushedChart>>();
  /** Folders that are to be pushed, by their candidate's repository. */
  readonly folders = new Map<string, DueFolder>();
  readonly #access: RemoteReading;
  readonly #options: CollectOptions;

  constructor(access: RemoteReading, options: CollectOptions) {
    this.#access = access;
    this.#options = options;
  }

  /** @throws errors of the charts that the source names */
  async add({ source, contents, chart, kind, folder }: ReadSource): Promise<void> {
    if (folder !== undefined) this.#addFolder({ source, path: folder });
    this.#addContents({ source, contents, kind });
    if (chart) this.#addChart(chart, source);
    for (const named of contents.charts) await this.#addNamed(named, source);
  }

  #addContents({ source, contents, kind }: Pick<ReadSource, 'source' | 'contents' | 'kind'>): void {
    const platforms = kind === undefined ? this.#options.platforms : [];
    for (const candidate of toCandidates(contents.images, source, platforms))
      this.candidates.push(kind === undefined ? candidate : { ...candidate, kind, platforms: [] });
    this.omissions.push(...contents.omissions.map((omission) => ({ source, ...omission })));
  }

  #addChart(chart: SourceChart, source: string): void {
    const { tree, reference } = chart;
    if (reference)
      this.candidates.push(toChart(reference, reference.tag ?? toChartTag(tree.version), source));
    else if (!this.#addDue(chart, source))
      this.omissions.push({
        what: `${tree.name} ${tree.version}`,
        where: 'Chart.yaml',
        reason: 'chart-on-disk',
        source,
      });
  }

  /** @throws SVC-VAL-001 for a second folder of one name */
  #addFolder(folder: DueFolder): void {
    const { filesetBase } = this.#options;
    if (filesetBase === undefined) throw new Error('a folder without a repository to push it to');
    const { source, path } = folder;
    const reference = {
      host: filesetBase.host,
      repository: `${filesetBase.repository}/${basename(path)}`,
    };
    const key = toFolderKey(reference);
    const known = this.folders.get(key);
    if (known !== undefined && known.path !== path)
      throw svcError('SVC-VAL-001', {
        file: source,
        rule: rule(
          [
            'has the name of another folder, {source}: their FileSets would have one repository; svc fileset pack DIRECTORY NAME:VERSION --push REGISTRY/PATH:VERSION packs one under another name',
            fr`porte le nom d’un autre dossier, {source} : leurs FileSets auraient le même dépôt ; svc fileset pack DOSSIER NOM:VERSION --push REGISTRE/CHEMIN:VERSION en empaquette un sous un autre nom`,
          ],
          { source: known.source },
        ),
        problem: 'folder',
      });
    this.folders.set(key, folder);
    this.candidates.push({
      kind: 'FileSet',
      reference,
      version: undefined,
      platforms: [],
      origins: [source],
    });
  }

  /** @returns false without a repository to push to */
  #addDue(chart: SourceChart, origin: string): boolean {
    const { chartBase } = this.#options;
    if (chartBase === undefined) return false;
    const { name, version } = chart.tree;
    const place = { host: chartBase.host, repository: `${chartBase.repository}/${name}` };
    const candidate = toChart(place, toChartTag(version), origin);
    this.candidates.push(candidate);
    this.due.set(toPlace(candidate), () => pushChart(chart, chartBase, this.#access));
    return true;
  }

  async #addNamed({ chart, version, where, withImages }: NamedChart, source: string): Promise<void> {
    const what = `${chart}${version === undefined ? '' : `:${version}`}`;
    const origin = `${source}: ${where}`;
    const isClassic = isChartReference(chart);
    const isPushed = isClassic && this.#options.chartBase !== undefined;
    // a chart is one source
    const [read] = withImages || isPushed ? await readSources(what, this.#access, this.#options) : [];
    if (read && withImages) this.#addContents(read);
    if (!withImages)
      this.omissions.push({ what: withoutUrlSecrets(what), where, reason: 'chart-images', source });
    if (!isClassic) {
      const { host, repository, tag } = parseReference(chart.slice('oci://'.length));
      const wanted = toChartTag(version ?? tag ?? '*');
      this.candidates.push(toChart({ host: canonicalHost(host), repository }, wanted, origin));
    } else if (!read?.chart || !this.#addDue(read.chart, origin))
      this.omissions.push({ what: withoutUrlSecrets(what), where, reason: 'classic-chart', source });
  }
}

/** The repository of a FileSet, under which its folder is found. */
export const toFolderKey = ({ host, repository }: RepositoryReference): string => `${host}/${repository}`;

const toChart = (reference: Reference, version: string, origin: string): Candidate => ({
  kind: 'HelmChart',
  reference,
  version,
  platforms: [],
  origins: [origin],
});
