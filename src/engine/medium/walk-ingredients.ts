import type { Digest } from '../../base/digest.ts';
import { blobPath } from '../../oci/layout.ts';
import { isNonDistributable } from '../../oci/media-types.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference } from '../../oci/reference.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { isSvcError, type SvcError, selectPrincipal, svcError } from '../../text/error.ts';
import { textParam } from '../../text/text-param.ts';
import { type ManifestGraph, readGraph } from '../copy/read-graph.ts';
import { requireDeclared } from '../copy/require-declared.ts';
import { type AwayBlob, checkBlob, findAway, type MediumFiles, type ReachedFiles } from './judge-file.ts';
import { openFileSource } from './medium-source.ts';

/** Receives the content that a recipe needs. */
interface Needed {
  readonly reached: ReachedFiles;
  /** Blobs that are not whole on the medium, by digest. */
  readonly away: Map<Digest, AwayBlob>;
  /** The blobs of each ingredient whose documents could be read, whether they are damaged or not. */
  readonly known?: ManifestGraph['blobs'][];
}

/**
 * Walks every ingredient of a verified recipe from its pinned digest through the manifests, and checks every
 * file that it needs. Layers that need not be distributed may be absent, and blobs that the medium says to be elsewhere.
 *
 * @returns the manifests that each ingredient needs, by the ingredient's name
 * @throws the principal error among the first errors of each failed ingredient: SVC-MED-010 to SVC-MED-014;
 *   SVC-REG-008 for a required platform that is not offered; SVC-SIG-003 for an artifact of another type than
 *   the recipe requires
 */
export async function checkIngredients(
  files: MediumFiles,
  recipe: CookedRecipe,
  needed: Needed,
  options: CallOptions = {},
): Promise<ReadonlyMap<string, readonly Digest[]>> {
  const manifests = new Map<string, readonly Digest[]>();
  const failures: SvcError[] = [];
  for (const ingredient of recipe.ingredients) {
    options.signal?.throwIfAborted();
    try {
      manifests.set(ingredient.name, await checkIngredient(files, ingredient, needed, options));
    } catch (error) {
      if (!isSvcError(error)) throw error;
      failures.push(error);
    }
  }
  const principal = selectPrincipal(failures);
  if (principal) throw principal;
  return manifests;
}

async function checkIngredient(
  files: MediumFiles,
  ingredient: CookedRecipe['ingredients'][number],
  { reached, away, known }: Needed,
  options: CallOptions,
): Promise<readonly Digest[]> {
  const { ref, version, digest, platforms } = ingredient;
  const source = openFileSource(files, reached);
  const reference = `${formatReference(ref)}:${version}`;
  let graph: ManifestGraph;
  try {
    graph = await readGraph(source, digest, { ...options, reference, platforms });
    requireDeclared(graph, ingredient, reference);
  } catch (error) {
    // a signed recipe can pin bytes that are no manifest, or exceed the limits of nesting and number
    if (!isSvcError(error, 'SVC-REG-009') && !isSvcError(error, 'SVC-REG-007')) throw error;
    const detail = textParam(error, 'detail');
    throw svcError('SVC-MED-014', { path: blobPath(digest), detail }, { cause: error });
  }
  known?.push(graph.blobs);
  for (const manifest of graph.manifests) checkBlob(files, manifest.digest, manifest.size, reached);
  for (const blob of graph.blobs) {
    const path = blobPath(blob.digest);
    // a copy of another part into the same folder leaves unlisted blobs
    const isAway = files.away?.absent.has(blob.digest) === true;
    const isAbsent = !files.listed(path) && (isAway || !files.has(path));
    const found = isAbsent ? findAway(files, blob) : undefined;
    if (found)
      away.set(blob.digest, { ...found, of: [...(away.get(blob.digest)?.of ?? []), ingredient.name] });
    else if (!(isAbsent && isNonDistributable(blob.mediaType)))
      checkBlob(files, blob.digest, blob.size, reached);
  }
  return graph.manifests.map((manifest) => manifest.digest);
}
