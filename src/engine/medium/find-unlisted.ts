import type { Digest } from '../../base/digest.ts';
import { isInconclusive } from '../../disk/read-error.ts';
import { indexPath } from '../../oci/layout.ts';
import { effectiveArtifactType } from '../../oci/manifest.ts';
import { mediaTypes } from '../../oci/media-types.ts';
import { parseManifestInTurns } from '../../oci/parse-in-turns.ts';
import type { ReferrersLister, Resolver } from '../../oci/ports.ts';
import { selectRecipeLayer } from '../../recipe/artifact.ts';
import { requireCooked } from '../../recipe/document.ts';
import { readRecipeDocument } from '../../recipe/read-document.ts';
import { yamlLimits } from '../../recipe/read-yaml.ts';
import { listRecipeManifests } from '../../store/list-blobs.ts';
import type { Store } from '../../store/model.ts';
import type { MediumHeader } from '../../store/rest/media-manifest.ts';
import { indexLimit, parseIndex } from '../../store/rest/read-index.ts';
import { readSmallFile } from '../../store/rest/read-small-file.ts';
import { isSvcError } from '../../text/error.ts';
import { collectAll } from '../../trust/discover.ts';
import { judgeFound } from '../../trust/judge-found.ts';
import { readManifest } from '../copy/read-manifest.ts';
import { type GraphDifference, notListed } from './compare-graph.ts';
import { checkBlob, type MediumFiles, type ReachedFiles } from './judge-file.ts';
import type { JudgeRecipeOptions } from './judge-recipe.ts';
import { openFileSource, openSignatureSource, readMediumManifestBlob } from './medium-source.ts';
import { readMediumBlob } from './read-file.ts';

/** Names in the `index.json` of a medium: repositories by manifest, and manifests by `<repository>:<tag>`. */
interface IndexNames {
  readonly repositories: ReadonlyMap<Digest, ReadonlySet<string>>;
  readonly tags: ReadonlyMap<string, Digest>;
}

/**
 * Finds recipe artifacts whose signature verifies but that are not listed: neither in the recipe ledger, nor
 * by the medium manifest. The maker of a medium lists every recipe, so an entry was removed. The content
 * ledger and `index.json` are used only to find candidates; whether one is a recipe is decided from its
 * bytes.
 *
 * @throws SVC-STO-014 when the medium cannot be read now, SVC-STO-001 when this user may not read it; the signal's reason
 */
export async function* findUnlisted(
  store: Store,
  { otherRecipes = [] }: Pick<MediumHeader, 'otherRecipes'>,
  options: JudgeRecipeOptions,
): AsyncGenerator<GraphDifference> {
  const { files, signal } = options;
  const listed = new Set([...store.index.recipes().map(({ digest }) => digest), ...otherRecipes]);
  const names = await readIndexNames(store.root);
  const found = new Map<Digest, Set<string>>();
  for (const { digest, repositories } of await listRecipeManifests(store))
    found.set(digest, new Set(repositories));
  for (const [digest, repositories] of names.repositories) {
    const known = found.get(digest);
    if (known) for (const repository of repositories) known.add(repository);
    else if (!listed.has(digest) && !store.index.manifest(digest) && (await isRecipe(files, digest)))
      found.set(digest, new Set(repositories));
  }
  for (const [digest, repositories] of found) {
    if (listed.has(digest)) continue;
    for (const repository of repositories) {
      signal?.throwIfAborted();
      const recipe = await nameVerified(digest, repository, names, options);
      if (recipe === undefined) continue;
      yield {
        path: `recipes/${recipe}`,
        expected: `${repository}@${digest}`,
        actual: notListed,
      };
      break;
    }
  }
}

async function readIndexNames(root: string): Promise<IndexNames> {
  const repositories = new Map<Digest, Set<string>>();
  const tags = new Map<string, Digest>();
  const text = await readSmallFile(root, indexPath, indexLimit);
  for (const { digest, reference } of parseIndex(text?.toString() ?? '') ?? []) {
    const at = reference?.lastIndexOf(':') ?? -1;
    if (reference === undefined || at < 0) continue;
    tags.set(reference, digest);
    const known = repositories.get(digest) ?? new Set();
    repositories.set(digest, known.add(reference.slice(0, at)));
  }
  return { repositories, tags };
}

/** Undefined instead of a permanent error. Transient errors are thrown. */
async function orNothing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isSvcError(error) || isInconclusive(error)) throw error;
    return undefined;
  }
}

async function isRecipe(files: MediumFiles, digest: Digest): Promise<boolean> {
  const read = async () => {
    checkBlob(files, digest, undefined, new Map());
    return readMediumManifestBlob(files, digest);
  };
  const content = await orNothing(read());
  if (content === undefined) return false;
  return effectiveArtifactType(await parseManifestInTurns(content.bytes)) === mediaTypes.recipe;
}

/**
 * Verifies a recipe artifact under all roots of this zone and reads its name. Its cookbook is unknown, so
 * that trust scopes do not apply.
 *
 * @returns `<name>@<version>`; undefined when no signature in that repository verifies
 */
async function nameVerified(
  digest: Digest,
  repository: string,
  names: IndexNames,
  { files, openSource, policy, signal }: JudgeRecipeOptions,
): Promise<string | undefined> {
  const reached: ReachedFiles = new Map();
  const judge = async (): Promise<string | undefined> => {
    const source = openFileSource(files, reached);
    const { manifest } = await readManifest(source, { mediaType: '', digest, size: 0 }, digest);
    const layer = selectRecipeLayer(manifest);
    const signatures = openSignatureSource(
      files,
      withIndex(openSource(repository), repository, names),
      reached,
    );
    const found = await collectAll(signatures, digest, { signal });
    const anywhere = { ...policy, scopes: [] };
    const verdict = await judgeFound(digest, found, anywhere, repository, { allowUnsigned: false });
    if (verdict.outcome !== 'verified') return undefined;
    const bytes = await readMediumBlob(files, layer.digest, yamlLimits.bytes);
    const { metadata } = requireCooked(await readRecipeDocument(bytes, repository), repository);
    return `${metadata.name}@${metadata.version}`;
  };
  return orNothing(judge());
}

/** A repository with the tags that only `index.json` names. */
function withIndex(
  source: Resolver & ReferrersLister,
  repository: string,
  { tags }: IndexNames,
): Resolver & ReferrersLister {
  return {
    resolve: async (reference, options) => {
      const digest = tags.get(`${repository}:${reference}`);
      const known = await source.resolve(reference, options);
      return known ?? (digest && { mediaType: '', digest, size: 0 });
    },
    listReferrers: (subject, artifactType, options) => source.listReferrers(subject, artifactType, options),
  };
}
