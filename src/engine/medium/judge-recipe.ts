import type { Digest } from '../../base/digest.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import type { RecipeVerdict } from '../../contract/medium.ts';
import { isInconclusive } from '../../disk/read-error.ts';
import { parseManifest } from '../../oci/manifest.ts';
import type { SignedSource } from '../../oci/ports.ts';
import { parseRepositoryReference } from '../../oci/reference.ts';
import { selectRecipeLayer } from '../../recipe/artifact.ts';
import { requireCooked } from '../../recipe/document.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { readRecipeDocument } from '../../recipe/read-document.ts';
import { yamlLimits } from '../../recipe/read-yaml.ts';
import { recipeRepository } from '../../recipe/relocation.ts';
import { isSvcError, type SvcError, svcError, toStoredRules } from '../../text/error.ts';
import { collectAll, type FoundSignatures } from '../../trust/discover.ts';
import { judgeFound } from '../../trust/judge-found.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { toScopePath } from '../../trust/scope.ts';
import type { ManifestGraph } from '../copy/read-graph.ts';
import { readManifest } from '../copy/read-manifest.ts';
import { toSignatureError } from '../sync/resolve-recipe.ts';
import { compareRecord, type GraphDifference } from './compare-graph.ts';
import { type AwayBlob, checkBlob, type MediumFiles, type ReachedFiles } from './judge-file.ts';
import { openFileSource, openSignatureSource } from './medium-source.ts';
import { type NamedMedium, nameDisk } from './parts/name-disk.ts';
import { readMediumBlob } from './read-file.ts';
import { checkIngredients } from './walk-ingredients.ts';

/** A recipe that may be pushed and served, with all files it reaches. */
export interface ClearedRecipe {
  readonly record: RecipeRecord;
  readonly recipe: CookedRecipe;
  readonly files: ReachedFiles;
  /** Blobs that it needs and that are not whole on the medium. */
  readonly away: ReadonlyMap<Digest, AwayBlob>;
}

/** A recipe of a medium during its verification. */
export interface RecipeCase {
  readonly record: RecipeRecord;
  /** Files known so far to be needed. */
  readonly reached: ReachedFiles;
  /** Blobs known so far to be needed, and not whole on the medium. */
  readonly away: ReadonlyMap<Digest, AwayBlob>;
  /** The document; set after its signature was verified. */
  readonly recipe?: CookedRecipe;
  readonly signed?: { readonly keyFingerprint: string; readonly trustScope?: string };
  /** Difference between the ledger and the verified document. */
  readonly difference?: GraphDifference;
  /** Error that blocks the recipe. */
  readonly failure?: SvcError;
  /** Of a blocked recipe, the parts that the medium names for its blobs; absent where a document that names them is damaged. */
  readonly parts?: ReadonlySet<number>;
}

export interface JudgeRecipeOptions {
  readonly files: MediumFiles;
  /** Opens a repository of the medium. Used only to find signatures. */
  readonly openSource: (repository: string) => SignedSource;
  readonly policy: TrustPolicy;
  readonly signal?: AbortSignal | undefined;
}

/** Path for trust scopes, taken from the unsigned ledger. A scope can only narrow acceptance. */
export function toClaimedPath({ cookbook, name }: RecipeRecord): string {
  try {
    return toScopePath(recipeRepository(parseRepositoryReference(cookbook), name));
  } catch {
    return `${cookbook}/${name}`;
  }
}

/** Adds signature artifacts to the files that a recipe reaches. @throws SVC-MED-010 to SVC-MED-014 */
function reachSignatures(files: MediumFiles, found: FoundSignatures, reached: ReachedFiles): void {
  const { fallbackIndex, evidence } = found;
  if (fallbackIndex) checkBlob(files, fallbackIndex.descriptor.digest, undefined, reached);
  for (const { manifest } of evidence) {
    const { digest } = manifest.descriptor;
    checkBlob(files, digest, undefined, reached);
    const read = parseManifest(manifest.bytes);
    const blobs = read.kind === 'image' ? [read.config, ...read.layers] : [];
    for (const blob of blobs) checkBlob(files, blob.digest, blob.size, reached);
  }
}

/**
 * Checks manifest, signature and document of a recipe, in this order: no document is parsed before its
 * signature was verified. Failures are part of the result.
 *
 * @throws transient errors, the signal's reason
 */
export async function judgeSignature(record: RecipeRecord, options: JudgeRecipeOptions): Promise<RecipeCase> {
  const { files, policy, signal } = options;
  const { digest } = record;
  const reference = `${record.name}@${record.version}`;
  const reached: ReachedFiles = new Map();
  let known: RecipeCase = { record, reached, away: new Map() };
  try {
    const source = openFileSource(files, reached);
    const { manifest } = await readManifest(source, { mediaType: '', digest, size: 0 }, reference);
    const signatures = openSignatureSource(files, options.openSource(record.repository), reached);
    const found = await collectAll(signatures, digest, { signal });
    const path = toClaimedPath(record);
    const verdict = await judgeFound(digest, found, policy, path, { allowUnsigned: false });
    if (verdict.outcome === 'refused') throw toSignatureError(verdict, reference);
    if (verdict.outcome !== 'verified')
      throw svcError('SVC-SIG-001', { subject: reference, reason: 'none', fingerprints: [] });
    const { keyFingerprint, trustScope } = verdict;
    const signed = { keyFingerprint, ...(trustScope === undefined ? {} : { trustScope }) };
    known = { ...known, signed };
    const layer = selectRecipeLayer(manifest);
    checkBlob(files, layer.digest, layer.size, reached);
    if (manifest.kind === 'image') checkBlob(files, manifest.config.digest, manifest.config.size, reached);
    reachSignatures(files, found, reached);
    const bytes = await readMediumBlob(files, layer.digest, yamlLimits.bytes);
    const recipe = requireCooked(await readRecipeDocument(bytes, reference), reference);
    const difference = compareRecord(record, recipe, layer.digest);
    return { ...known, recipe, ...(difference ? { difference } : {}) };
  } catch (error) {
    if (!isSvcError(error) || isInconclusive(error)) throw error;
    return { ...known, failure: error };
  }
}

/** Checks all bytes that the verified document pins. A case that has failed is returned unchanged. */
export async function judgeIngredients(known: RecipeCase, options: JudgeRecipeOptions): Promise<RecipeCase> {
  const { recipe, record, reached, failure } = known;
  const { files, signal } = options;
  if (failure || !recipe) return known;
  let manifests: ReadonlyMap<string, readonly Digest[]>;
  const away = new Map<Digest, AwayBlob>();
  const graphs: ManifestGraph['blobs'][] = [];
  try {
    manifests = await checkIngredients(files, recipe, { reached, away, known: graphs }, { signal });
  } catch (error) {
    if (!isSvcError(error) || isInconclusive(error)) throw error;
    const isKnown = graphs.length === recipe.ingredients.length && !files.listFlaw;
    return { ...known, failure: error, ...(isKnown ? { parts: listParts(files, graphs.flat()) } : {}) };
  }
  for (const { name, repository } of record.ingredients)
    for (const subject of manifests.get(name) ?? [])
      await reachAttached(options, repository, subject, reached);
  return { ...known, away };
}

/** The parts that a medium names for these blobs. */
const listParts = ({ away }: MediumFiles, blobs: ManifestGraph['blobs']): ReadonlySet<number> =>
  new Set(
    blobs.flatMap(({ digest }) => {
      const { at } = away?.absent.get(digest) ?? {};
      return at === undefined || typeof at === 'string' ? [] : at;
    }),
  );

/**
 * Adds the signatures of an ingredient or of one of its platform images. They are optional: damaged ones are
 * left out, and reported as unreached content.
 */
async function reachAttached(
  { files, openSource, signal }: JudgeRecipeOptions,
  repository: string,
  subject: Digest,
  reached: ReachedFiles,
): Promise<void> {
  const own: ReachedFiles = new Map();
  try {
    const source = openSignatureSource(files, openSource(repository), own);
    const found = await collectAll(source, subject, { signal });
    reachSignatures(files, found, own);
  } catch (error) {
    if (!isSvcError(error) || isInconclusive(error)) throw error;
    return;
  }
  for (const [digest, file] of own) reached.set(digest, file);
}

/** Converts a judged recipe to its entry in the report; pushable when nothing failed. */
export function toVerdict(
  { record, reached, away, signed, failure }: RecipeCase,
  medium: NamedMedium,
): RecipeVerdict {
  const { name, version, cookbook, repository, digest } = record;
  const path = failure?.params.path;
  return {
    name,
    version,
    cookbook,
    repository,
    digest,
    pushable: failure === undefined,
    ...(failure
      ? {
          reason: {
            code: failure.code,
            ...(typeof path === 'string' ? { path } : {}),
            params: nameDisk(failure.code, { ...failure.params, recipe: `${name}@${version}` }, medium),
            ...(failure.detail === undefined ? {} : { detail: failure.detail }),
            ...toStoredRules(failure),
          },
        }
      : {}),
    ...signed,
    ...(away.size === 0 || failure ? {} : toNeeds(away, medium.delivery?.part)),
    files: reached.size,
    bytes: [...reached.values()].reduce((sum, file) => sum + file.size, 0),
  };
}

/**
 * Sums the blobs that a recipe needs from elsewhere, by their places: the base first, then the other parts in order. Each byte
 * is in one sum: of a cut blob, that of all other parts that have it, without the segments that are here.
 */
function toNeeds(away: ReadonlyMap<Digest, AwayBlob>, own: number | undefined): Pick<RecipeVerdict, 'needs'> {
  const sums = new Map<string, { parts: readonly number[]; files: number; bytes: number }>();
  for (const { at, size, segments } of away.values()) {
    const parts = typeof at === 'string' ? [] : at.filter((part) => part !== own);
    if (at !== 'base' && parts.length === 0) continue;
    const rest = segments.reduce((bytes, segment) => bytes - segment.size, size);
    const { files, bytes } = sums.get(parts.join()) ?? { files: 0, bytes: 0 };
    sums.set(parts.join(), { parts, files: files + 1, bytes: bytes + Math.max(0, rest) });
  }
  const needs = [...sums.values()]
    .sort((a, b) => compareParts(a.parts, b.parts))
    .map(({ parts, ...sum }) => ({
      from: parts.length === 0 ? ('base' as const) : ('part' as const),
      ...(parts.length === 1 ? { part: parts[0]! } : parts.length > 1 ? { parts: [...parts] } : {}),
      ...sum,
    }));
  return needs.length === 0 ? {} : { needs };
}

/** Orders lists of parts by their first different number; a list comes after its beginning. */
function compareParts(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((part, i) => part !== b[i]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? 0);
}
