import { basename } from 'node:path';
import { audited } from '../../base/audited.ts';
import { formatReference } from '../../oci/reference.ts';
import { toRepositoryBase } from '../../oci/repository-base.ts';
import type { Context } from '../../operation/context.ts';
import { type PushedFileset, pushFileset } from '../../operation/push-fileset.ts';
import { parseRecipe } from '../../recipe/document.ts';
import { mostEntries } from '../../recipe/document-reader.ts';
import type { RemoteReading } from '../../remote/model.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr, type Language } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { Candidate, Doubt, Omission, SourceFormat } from '../foreign/model.ts';
import type { PushedChart } from '../pin/push-chart.ts';
import { CandidateCollection, toPlace } from './collect-candidates.ts';
import { findFolder, giveFolderVersions, requirePackable } from './draft-folders.ts';
import { giveTags } from './give-tags.ts';
import type { ReadSource, SourceOptions } from './model.ts';
import { type NamedCandidate, nameCandidates } from './name-ingredients.ts';
import { readSources } from './read-source.ts';
import { mergeCandidates } from './to-candidates.ts';
import { writeDraft } from './write-draft.ts';

interface DraftInput extends Omit<SourceOptions, 'packsFolders'> {
  readonly name: string;
  /** Sources as given, in order. */
  readonly sources: readonly string[];
  /** Platforms of every image, such as `linux/amd64`; empty: as the sources say, else all. */
  readonly platforms: readonly string[];
  /** Tag or constraint by the name of an ingredient, for images without a tag. */
  readonly namedTags: ReadonlyMap<string, string>;
  /** Repository to which charts of this machine and of classic repositories are pushed. */
  readonly pushCharts?: string | undefined;
  /** Repository below which folders of files are pushed as FileSets. */
  readonly pushFilesets?: string | undefined;
  /** Called with the path of each of these folders before any of them is packed; it may write into the folder. */
  readonly prepareFolder?: (folder: string) => Promise<void>;
  /** Called while folders are read, then while they are sent. */
  readonly onBytes?: (stage: 'read' | 'push', done: number, total: number) => void;
  /** Actor that pushes charts and FileSets, for the audit record. */
  readonly actor: string;
  /** Language of the comments in the document. */
  readonly language: Language;
  readonly signal?: AbortSignal | undefined;
}

/** A draft, with the places of its findings. */
export interface RecipeDraft {
  readonly name: string;
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
    /** The FileSet that was made from a folder. */
    readonly pushed?: PushedFolder;
  }[];
  /** Parts of the sources that were left out. */
  readonly omissions: readonly (Omission & { readonly source: string })[];
}

/** A folder that was packed and pushed. */
interface PushedFolder extends Pick<PushedFileset, 'files' | 'bytes'> {
  /** Whether the registry had the version with this content. */
  readonly unchanged: boolean;
}

/** Facts about pushed ingredients, by name. */
interface Pushed {
  readonly missing: Map<string, readonly string[]>;
  readonly folders: Map<string, PushedFolder>;
}

/**
 * Drafts a recipe from sources of any form. Everything is read and judged before anything is pushed.
 *
 * @throws SVC-DRF-001 when images have no tag, SVC-DRF-002 when nothing is found; errors of the sources
 */
export async function draftRecipe(context: Context, input: DraftInput): Promise<RecipeDraft> {
  const { registry, transport, credentials, report, config } = context;
  const { name, signal } = input;
  const access: RemoteReading = {
    registry,
    transport,
    credentials,
    report,
    signal,
    retries: config.sync.retries,
  };
  const toBase = (text: string | undefined) => (text === undefined ? undefined : toRepositoryBase(text));
  const filesetBase = toBase(input.pushFilesets);
  const options = { ...input, packsFolders: filesetBase !== undefined };
  const collection = new CandidateCollection(access, {
    ...options,
    chartBase: toBase(input.pushCharts),
    filesetBase,
  });
  const read: ReadSource[] = [];
  for (const given of input.sources) {
    for (const source of await readSources(given, access, options)) {
      read.push(source);
      await collection.add(source);
    }
  }
  const merged = mergeCandidates(collection.candidates);
  if (!merged.some(({ doubt }) => doubt === undefined)) throw toNothingError(read, merged, input.render);
  if (merged.length > mostEntries)
    throw svcError('SVC-VAL-001', {
      file: read.map(({ source }) => source).join(', '),
      rule: rule(
        [
          'must have at most {mostEntries} entries together',
          fr`doit avoir au plus {mostEntries} entrées en tout`,
        ],
        { mostEntries },
      ),
    });
  const { folders } = collection;
  const named = await giveFolderVersions(nameCandidates(merged), folders, input.namedTags, access);
  const tagged = await giveTags(named, input.namedTags, name, access);
  // the draft must be a valid document before anything is pushed
  parseRecipe(Buffer.from(writeDraft({ name, ingredients: tagged }, 'en')), name);
  await requirePackable(folders, config, signal);
  for (const { path } of folders.values()) await input.prepareFolder?.(path);
  const pushed: Pushed = { missing: new Map(), folders: new Map() };
  const ingredients: NamedCandidate[] = [];
  for (const candidate of tagged)
    ingredients.push(await pushDue(candidate, collection, context, input, pushed));
  return {
    name,
    document: writeDraft({ name, ingredients }, input.language),
    sources: read.map(({ source, format, contents, chart }) => ({
      source,
      format,
      images: contents.images.length,
      charts: contents.charts.length + (chart ? 1 : 0),
    })),
    ingredients: ingredients.map((candidate) => toShown(candidate, pushed)),
    omissions: collection.omissions,
  };
}

/** Pushes the chart or the folder of an ingredient, where that is due. @returns the ingredient, with its digest then */
async function pushDue(
  candidate: NamedCandidate,
  { due, folders }: CandidateCollection,
  context: Context,
  { actor, signal, onBytes }: DraftInput,
  pushed: Pushed,
): Promise<NamedCandidate> {
  const { name, reference, version } = candidate;
  const target = toPlace(candidate);
  const folder = findFolder(candidate, folders);
  if (folder !== undefined) {
    const { fileset, unchanged } = await pushFileset(context, {
      name: basename(folder.path),
      version: version!,
      source: folder.path,
      reference: target,
      actor,
      signal,
      ...(onBytes ? { onBytes } : {}),
    });
    const { files, bytes, digest } = fileset;
    pushed.folders.set(name, { files, bytes, unchanged });
    return { ...candidate, reference: { ...reference, digest } };
  }
  const push = candidate.kind === 'HelmChart' ? due.get(target) : undefined;
  if (push === undefined) return candidate;
  const audit = { actor, action: 'content.push', target } as const;
  const success = ({ reference: { digest } }: PushedChart) => ({ digest });
  const chart = await audited(context.report, audit, push, { success });
  if (chart.missing.length > 0) pushed.missing.set(name, chart.missing);
  return { ...candidate, reference: chart.reference };
}

/** Names the images that are only proposed, and the advice that fits their sources. */
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
      const image = formatReference({ ...reference, tag });
      return `${image} (${origins[0]})`;
    }),
  });
}

function toShown(candidate: NamedCandidate, pushed: Pushed): RecipeDraft['ingredients'][number] {
  const { name, kind, reference, version, platforms, origins, doubt, taken } = candidate;
  const missing = pushed.missing.get(name);
  const folder = pushed.folders.get(name);
  return {
    name,
    kind,
    ref: `${reference.host}/${reference.repository}`,
    version,
    digest: reference.digest,
    platforms,
    origins,
    doubt,
    renamedFrom: taken,
    missingDependencies: missing,
    pushed: folder,
  };
}
