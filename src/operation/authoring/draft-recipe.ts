import { audited } from '../../base/audited.ts';
import { type SvcError, svcError } from '../../base/error.ts';
import type { Language } from '../../base/language.ts';
import { CandidateCollection, toPlace } from '../../engine/draft/collect-candidates.ts';
import { giveTags } from '../../engine/draft/give-tags.ts';
import type { DraftAccess, ReadSource, SourceOptions } from '../../engine/draft/model.ts';
import type { PushedChart } from '../../engine/draft/push-chart.ts';
import { readSources } from '../../engine/draft/read-source.ts';
import { formatReference } from '../../oci/reference.ts';
import { mostEntries, parseRecipe } from '../../recipe/document.ts';
import type { Candidate, Doubt, Omission, SourceFormat } from '../../recipe/draft/model.ts';
import { type NamedCandidate, nameCandidates } from '../../recipe/draft/name-ingredients.ts';
import { mergeCandidates } from '../../recipe/draft/to-candidates.ts';
import { writeDraft } from '../../recipe/draft/write-draft.ts';
import type { Context } from '../context.ts';
import { toRepositoryBase } from './repository-base.ts';

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
    readonly doubt?: Doubt;
    /** The name that another ingredient has, and that this one would have had. */
    readonly renamedFrom?: string;
    /** Dependencies that a pushed chart declares and does not embed. */
    readonly missingDependencies?: readonly string[];
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
  const { name, signal, actor } = input;
  const access: DraftAccess = {
    registry,
    transport,
    credentials,
    report,
    signal,
    retries: config.sync.retries,
  };
  const chartBase = input.pushCharts === undefined ? undefined : toRepositoryBase(input.pushCharts);
  const collection = new CandidateCollection(access, { ...input, chartBase });
  const read: ReadSource[] = [];
  for (const given of input.sources) {
    for (const source of await readSources(given, access, input)) {
      read.push(source);
      await collection.add(source);
    }
  }
  const merged = mergeCandidates(collection.candidates);
  if (!merged.some(({ doubt }) => doubt === undefined)) throw toNothingError(read, merged, input.render);
  if (merged.length > mostEntries)
    throw svcError('SVC-VAL-001', {
      file: read.map(({ source }) => source).join(', '),
      rule: `must have at most ${mostEntries} entries together`,
    });
  const tagged = await giveTags(nameCandidates(merged), input.namedTags, name, access);
  // the draft must be a valid document before anything is pushed
  parseRecipe(Buffer.from(writeDraft({ name, ingredients: tagged }, 'en')), name);
  const ingredients: NamedCandidate[] = [];
  const missing = new Map<string, readonly string[]>();
  for (const candidate of tagged) {
    const target = toPlace(candidate);
    const push = candidate.kind === 'HelmChart' ? collection.due.get(target) : undefined;
    const audit = { actor, action: 'content.push', target } as const;
    const success = ({ reference: { digest } }: PushedChart) => ({ digest });
    const pushed = push && (await audited(report, audit, push, { success }));
    if (pushed !== undefined && pushed.missing.length > 0) missing.set(candidate.name, pushed.missing);
    ingredients.push(pushed ? { ...candidate, reference: pushed.reference } : candidate);
  }
  return {
    name,
    document: writeDraft({ name, ingredients }, input.language),
    sources: read.map(({ source, format, contents, chart }) => ({
      source,
      format,
      images: contents.images.length,
      charts: contents.charts.length + (chart ? 1 : 0),
    })),
    ingredients: ingredients.map((candidate) => toShown(candidate, missing.get(candidate.name))),
    omissions: collection.omissions,
  };
}

/** Names what is only proposed, and the advice that its sources can follow. */
function toNothingError(
  read: readonly ReadSource[],
  proposed: readonly Candidate[],
  isRendered: boolean,
): SvcError {
  const sources = read.map(({ source }) => source);
  if (proposed.length === 0) return svcError('SVC-DRF-002', { sources });
  const isOfChart = !isRendered && read.some(({ format }) => format === 'chart');
  return svcError('SVC-DRF-002', {
    sources,
    proposed: proposed.every(({ doubt }) => doubt === 'no-tag') ? 'no-tag' : isOfChart ? 'chart' : 'yes',
    found: proposed.map(({ reference, version, origins }) => {
      const tag = reference.tag ?? version;
      const image = formatReference({ ...reference, ...(tag === undefined ? {} : { tag }) });
      return `${image} (${origins[0]})`;
    }),
  });
}

function toShown(
  candidate: NamedCandidate,
  missing: readonly string[] | undefined,
): RecipeDraft['ingredients'][number] {
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
    ...(missing === undefined ? {} : { missingDependencies: missing }),
  };
}
