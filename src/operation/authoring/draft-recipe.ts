import { audited } from '../../base/audited.ts';
import { svcError } from '../../base/error.ts';
import type { Language } from '../../base/language.ts';
import { toChartTag } from '../../chart/chart-artifact.ts';
import { isChartReference, parseChartReference } from '../../chart/chart-reference.ts';
import { fetchClassicChart } from '../../engine/draft/fetch-chart.ts';
import { findTag } from '../../engine/draft/find-tag.ts';
import type { DraftAccess, ReadSource, SourceOptions } from '../../engine/draft/model.ts';
import { pushChart } from '../../engine/draft/push-chart.ts';
import { readChartArchiveSource } from '../../engine/draft/read-chart-source.ts';
import { readSource } from '../../engine/draft/read-source.ts';
import {
  canonicalHost,
  formatReference,
  parseReference,
  parseRepositoryReference,
  type Reference,
} from '../../oci/reference.ts';
import { mostEntries, parseRecipe } from '../../recipe/document.ts';
import type { Candidate, NamedChart, Omission, SourceFormat } from '../../recipe/draft/model.ts';
import { type NamedCandidate, nameCandidates } from '../../recipe/draft/name-ingredients.ts';
import { mergeCandidates, toCandidates } from '../../recipe/draft/to-candidates.ts';
import { writeDraft } from '../../recipe/draft/write-draft.ts';
import type { Context } from '../context.ts';

interface DraftInput extends SourceOptions {
  readonly name: string;
  /** Sources as given, in order. */
  readonly sources: readonly string[];
  /** Platforms of every image, such as `linux/amd64`; empty: as the sources say, else all. */
  readonly platforms: readonly string[];
  /** Tag or constraint by the name of an ingredient, for images without a tag. */
  readonly namedTags: ReadonlyMap<string, string>;
  /** Repository to which charts of this machine and of classic repositories are pushed. */
  readonly pushCharts?: string | undefined;
  /** Who pushes charts, for the audit record. */
  readonly actor: string;
  /** Language of the comments in the document. */
  readonly language: Language;
  readonly signal?: AbortSignal | undefined;
}

/** A draft, and what was found where. */
export interface RecipeDraft {
  readonly name: string;
  /** The document. */
  readonly document: string;
  readonly sources: readonly {
    readonly source: string;
    readonly format: SourceFormat;
    readonly images: number;
    readonly charts: number;
  }[];
  readonly ingredients: readonly {
    readonly name: string;
    readonly kind: Candidate['kind'];
    readonly ref: string;
    readonly version?: string;
    readonly digest?: string;
    readonly platforms: readonly string[];
    /** Where it was found. */
    readonly origins: readonly string[];
    /** Why it is a comment only; absent for an ingredient. */
    readonly doubt?: string;
    /** The name that another ingredient has, and that this one would have had. */
    readonly renamedFrom?: string;
  }[];
  /** What was not taken. */
  readonly omissions: readonly (Omission & { readonly source: string })[];
}

/**
 * Drafts a recipe from sources of any form. Everything is read and judged before a chart is pushed.
 *
 * @throws SVC-DRF-001 when images have no tag, SVC-DRF-002 when nothing is found; errors of the sources
 */
export async function draftRecipe(context: Context, input: DraftInput): Promise<RecipeDraft> {
  const { registry, transport, credentials, report, config } = context;
  const { signal } = input;
  const access: DraftAccess = {
    registry,
    transport,
    credentials,
    report,
    signal,
    retries: config.sync.retries,
  };
  const base = input.pushCharts === undefined ? undefined : toBase(input.pushCharts);
  const read: ReadSource[] = [];
  for (const source of input.sources) read.push(await readSource(source, access, input));

  const found: Candidate[] = [];
  const omissions: (Omission & { readonly source: string })[] = [];
  /** Charts to be pushed, by reference. */
  const due = new Map<string, () => Promise<Reference>>();
  const addChart = (candidate: Candidate, push?: () => Promise<Reference>): void => {
    found.push(candidate);
    if (push) due.set(toPlace(candidate), push);
  };
  for (const { source, contents, chart, kind } of read) {
    for (const candidate of toCandidates(contents.images, source, kind === undefined ? input.platforms : []))
      found.push(kind === undefined ? candidate : { ...candidate, kind, platforms: [] });
    omissions.push(...contents.omissions.map((omission) => ({ ...omission, source })));
    if (chart) {
      const { name, version } = chart.tree;
      if (chart.reference)
        addChart(toChart(chart.reference, chart.reference.tag ?? toChartTag(version), source));
      else if (base)
        addChart(
          toChart({ ...base, repository: `${base.repository}/${name}` }, toChartTag(version), source),
          () => pushChart(chart, base, access),
        );
      else
        omissions.push({ what: `${name} ${version}`, where: 'Chart.yaml', reason: 'chart-on-disk', source });
    }
    for (const named of contents.charts) {
      const { what, push, candidate } = await openNamedChart(named, source, base, access, input);
      if (candidate) addChart(candidate, push);
      else omissions.push({ what, where: named.where, reason: 'classic-chart', source });
    }
  }

  const merged = mergeCandidates(found);
  if (!merged.some(({ doubt }) => doubt === undefined))
    throw svcError('SVC-DRF-002', {
      sources: read.map(({ source }) => source),
      ...(merged.length === 0 ? {} : { proposed: 'yes' }),
    });
  if (merged.length > mostEntries)
    throw svcError('SVC-VAL-001', { file: input.name, rule: `must have at most ${mostEntries} entries` });
  const tagged = await giveTags(nameCandidates(merged), input, access);
  // the draft must be a valid document before anything is pushed
  parseRecipe(Buffer.from(writeDraft({ name: input.name, ingredients: tagged }, 'en')), input.name);
  const ingredients: NamedCandidate[] = [];
  for (const candidate of tagged) {
    const push = candidate.kind === 'HelmChart' ? due.get(toPlace(candidate)) : undefined;
    const target = toPlace(candidate);
    const audit = { actor: input.actor, action: 'content.push', target } as const;
    const reference = push && (await audited(report, audit, push, { success: ({ digest }) => ({ digest }) }));
    ingredients.push(reference ? { ...candidate, reference } : candidate);
  }
  return {
    name: input.name,
    document: writeDraft({ name: input.name, ingredients }, input.language),
    sources: read.map(({ source, format, contents, chart }) => ({
      source,
      format,
      images: contents.images.length,
      charts: contents.charts.length + (chart ? 1 : 0),
    })),
    ingredients: ingredients.map(toShown),
    omissions,
  };
}

function toBase(text: string): { readonly host: string; readonly repository: string } {
  const { host, repository } = parseRepositoryReference(text.replace(/^oci:\/\//i, '').replace(/\/+$/, ''));
  return { host: canonicalHost(host), repository };
}

const toPlace = ({ reference: { host, repository }, version }: Candidate): string =>
  `${host}/${repository}:${version}`;

const toChart = (reference: Reference, version: string, origin: string): Candidate => ({
  kind: 'HelmChart',
  reference,
  version,
  platforms: [],
  origins: [origin],
});

/** Opens a chart that a document names; without a candidate for one of a classic repository that is not to be pushed. */
async function openNamedChart(
  { chart, version, where }: NamedChart,
  source: string,
  base: Reference | undefined,
  access: DraftAccess,
  options: SourceOptions,
): Promise<{ what: string; candidate?: Candidate; push?: () => Promise<Reference> }> {
  const what = `${chart}${version === undefined ? '' : `:${version}`}`;
  const origin = `${source}: ${where}`;
  if (!isChartReference(chart)) {
    const reference = parseReference(chart.slice('oci://'.length));
    const wanted = version ?? reference.tag ?? '*';
    const bare = { host: canonicalHost(reference.host), repository: reference.repository };
    return { what, candidate: toChart(bare, toChartTag(wanted), origin) };
  }
  if (base === undefined) return { what };
  const { archive } = await fetchClassicChart(parseChartReference(what), access);
  const read = await readChartArchiveSource({ source: what, archive }, access, { ...options, render: false });
  const { tree } = read.chart!;
  const place = { ...base, repository: `${base.repository}/${tree.name}` };
  return {
    what,
    candidate: toChart(place, toChartTag(tree.version), origin),
    push: () => pushChart(read.chart!, base, access),
  };
}

/**
 * Gives a tag to every image that has none: that of `--tag`, else one that has its digest.
 *
 * @throws SVC-DRF-001 with all images without one; SVC-VAL-001 for a `--tag` that names no ingredient
 */
async function giveTags(
  candidates: readonly NamedCandidate[],
  { namedTags, name: recipe }: DraftInput,
  access: DraftAccess,
): Promise<readonly NamedCandidate[]> {
  for (const name of namedTags.keys())
    if (!candidates.some((candidate) => candidate.name === name))
      throw svcError('SVC-VAL-001', {
        file: recipe,
        path: `--tag ${name}`,
        rule: 'names no ingredient of the draft',
      });
  const tagged: NamedCandidate[] = [];
  const untagged: { image: string; flag: string }[] = [];
  for (const candidate of candidates) {
    const { name, reference, doubt, origins } = candidate;
    const version = namedTags.get(name) ?? candidate.version;
    if (version !== undefined || doubt !== undefined) {
      tagged.push({ ...candidate, version });
      continue;
    }
    const found = reference.digest === undefined ? undefined : await findTag(reference, access);
    if (found !== undefined) tagged.push({ ...candidate, version: found });
    else untagged.push({ image: `${formatReference(reference)} (${origins[0]})`, flag: `--tag ${name}=TAG` });
  }
  if (untagged.length === 0) return tagged;
  throw svcError('SVC-DRF-001', {
    images: untagged.map(({ image }) => image),
    flags: untagged.map(({ flag }) => flag).join(' '),
  });
}

function toShown(candidate: NamedCandidate): RecipeDraft['ingredients'][number] {
  const { name, kind, reference, version, platforms, origins, doubt, taken } = candidate;
  return {
    name,
    kind,
    ref: `${reference.host}/${reference.repository}`,
    ...(version === undefined ? {} : { version }),
    ...(reference.digest === undefined ? {} : { digest: reference.digest }),
    platforms,
    origins,
    ...(doubt === undefined ? {} : { doubt }),
    ...(taken === undefined ? {} : { renamedFrom: taken }),
  };
}
