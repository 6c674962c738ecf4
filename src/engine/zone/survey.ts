import { forEachBounded, Semaphore } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { Once } from '../../base/once.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import type { ReceivedRecipe } from '../../contract/receipt.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { formatPlatform } from '../../oci/platform.ts';
import type { CallOptions, Source } from '../../oci/ports.ts';
import { formatReference, type RepositoryReference } from '../../oci/reference.ts';
import { selectRecipeLayer } from '../../recipe/artifact.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import type { RemoteRegistry, RemoteRepository } from '../../remote/model.ts';
import { isSvcError, type SvcError } from '../../text/error.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { HeldContent } from '../copy/held-content.ts';
import { type ManifestGraph, readGraph } from '../copy/read-graph.ts';
import { readManifest } from '../copy/read-manifest.ts';
import type { Destination } from '../promotion/model.ts';
import { verifyCarried } from '../promotion/verify-carried.ts';
import { toDestination, toRecipeDestination } from '../sync/recipe-places.ts';
import { findRecipes, type TaggedRecipe } from './find-recipes.ts';
import { openBlobProbe } from './probe-blobs.ts';
import { openSparseWatch, type Sparse } from './watch-sparse.ts';

interface SurveyOptions extends CallOptions {
  readonly registry: RemoteRegistry;
  readonly destination: Destination;
  readonly policy: TrustPolicy;
  /** Names of recipes that the cookbook of the zone may have. */
  readonly names: Iterable<string>;
  /** Nominal cookbook of a recipe, for trust scopes. Default: the cookbook of the destination. */
  readonly cookbookOf?: ((name: string) => RepositoryReference | undefined) | undefined;
  /** Reads and hashes every blob, instead of asking for it. Default false. */
  readonly deep?: boolean | undefined;
  /** Recipes that a medium brought, and that the cookbook lacks because their push failed. Default: none. */
  readonly unfinished?: readonly UnfinishedRecipe[] | undefined;
  /** Called after each recipe. */
  readonly onRecipe?: ((recipe: SurveyedRecipe) => void) | undefined;
}

/** A verified recipe of a medium whose push failed. */
export interface UnfinishedRecipe {
  readonly record: RecipeRecord;
  readonly recipe: CookedRecipe;
  /** Opens a repository of the medium. */
  readonly source: (repository: string) => Source;
}

/** A recipe in the cookbook of a zone, or one that is on its way into it. */
export interface SurveyedRecipe extends TaggedRecipe {
  readonly documentDigest?: Digest;
  readonly state: ReceivedRecipe['state'];
  /** Content that the registry lacks, each digest once. A manifest that is absent counts as one file. */
  readonly missing?: { readonly files: number; readonly bytes: number };
  /** The digests of the content that the registry lacks; absent for a blocked recipe, and where a manifest is absent. */
  readonly lacks?: readonly Digest[];
  /** Manifest of another version or recipe, whose content has a tag that both name. */
  readonly displacedBy?: Digest;
  /** Why it is blocked. */
  readonly error?: SvcError;
}

/** The content that a recipe names under a tag. */
interface Pin {
  readonly recipe: TaggedRecipe;
  readonly place: RepositoryReference;
  readonly tag: string;
  readonly digest: Digest;
}

/** What the registry of a zone holds. */
export interface ZoneSurvey {
  /** By name and version. */
  readonly recipes: readonly SurveyedRecipe[];
  /** The repositories that have a blob, of those that need it. */
  readonly places: ReadonlyMap<Digest, readonly string[]>;
  readonly sparse: Sparse;
}

/** Recipes that are looked at at the same time. */
const recipesAtOnce = 4;

/** The size of a manifest that is absent, which nothing tells. */
const absentManifest = 0;

/** Content of one ingredient that its repository lacks. */
type Missing = readonly Pick<Descriptor, 'digest' | 'size'>[];

/**
 * Looks which recipes the registry of a zone has, and whether their content is there. Each recipe is verified from its
 * own bytes: signature, document, then the closure of its platforms.
 *
 * @throws errors of the client that concern the registry as a whole; one recipe that cannot be judged is blocked
 */
export async function surveyZone(options: SurveyOptions): Promise<ZoneSurvey> {
  const { registry, destination, signal, deep = false } = options;
  const call: CallOptions = { signal };
  const probe = openBlobProbe(deep);
  const sparse = openSparseWatch();
  const closures = new Once<string, Missing>();
  const walks = new Semaphore(recipesAtOnce);
  const open = (place: RepositoryReference): RemoteRepository =>
    registry.repository(place, { access: 'push', substitute: false });

  const walk = async (ingredient: CookedRecipe['ingredients'][number]): Promise<Missing> => {
    const { ref, digest, platforms } = ingredient;
    const place = toDestination(destination, ref);
    const key = `${place.repository}@${digest} ${platforms.map(formatPlatform).sort().join(',')}`;
    return closures.run(key, () =>
      walks.run(async () => {
        const repository = open(place);
        const reference = formatReference({ ...place, digest });
        try {
          const graph = await readGraph(repository, digest, { ...call, reference, platforms });
          sparse.add(repository, graph);
          return await probe.listMissing(repository, graph.blobs, call);
        } catch (error) {
          if (!isSvcError(error, 'SVC-REG-005')) throw error;
          return [{ digest, size: absentManifest }];
        }
      }),
    );
  };

  const pins: Pin[] = [];
  const judge = async (found: TaggedRecipe): Promise<SurveyedRecipe> => {
    const { name, repository } = found;
    const ownCookbook = { host: destination.registry, repository: destination.cookbook };
    const cookbook = formatReference(options.cookbookOf?.(name) ?? ownCookbook);
    const remote = open({ host: destination.registry, repository });
    let documentDigest: Digest | undefined;
    try {
      const record = { ...found, cookbook };
      const { document, layer } = await verifyCarried(record, new HeldContent(), {
        source: () => remote,
        policy: options.policy,
        allowUnsigned: false,
        signal,
      });
      documentDigest = layer.digest;
      const own = await probe.listMissing(remote, [layer], call);
      const content = await Promise.all(document.ingredients.map(walk));
      for (const { ref, version: tag, digest } of document.ingredients)
        pins.push({ recipe: found, place: toDestination(destination, ref), tag, digest });
      return toSurveyed(found, documentDigest, [...own, ...content.flat()]);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isSvcError(error) || isOfRegistry(error)) throw error;
      return { ...found, ...(documentDigest ? { documentDigest } : {}), state: 'blocked', error };
    }
  };

  const toSurveyed = (found: TaggedRecipe, documentDigest: Digest, lacking: Missing): SurveyedRecipe => {
    const missing = new Map(lacking.map((one) => [one.digest, one.size]));
    let bytes = 0;
    for (const size of missing.values()) bytes += size;
    return {
      ...found,
      documentDigest,
      state: missing.size === 0 ? 'present' : 'incomplete',
      ...(missing.size === 0 ? {} : { missing: { files: missing.size, bytes } }),
      ...([...missing.values()].includes(absentManifest) ? {} : { lacks: [...missing.keys()] }),
    };
  };

  /** The content of a graph of the medium that the registry lacks. */
  const compare = async (repository: RemoteRepository, graph: ManifestGraph): Promise<Missing> => {
    const lacking: Descriptor[] = [];
    await forEachBounded(graph.manifests, recipesAtOnce, async (one) => {
      if ((await repository.resolve(one.digest, call)) === undefined) lacking.push(one);
    });
    return [...lacking, ...(await probe.listMissing(repository, graph.blobs, call))];
  };

  const judgeUnfinished = async ({
    record,
    recipe,
    source,
  }: UnfinishedRecipe): Promise<SurveyedRecipe | undefined> => {
    const { name, version, digest } = record;
    try {
      const place = toRecipeDestination(destination, name);
      const { content, manifest } = await readManifest(
        source(record.repository),
        { mediaType: '', digest, size: 0 },
        `${name}@${version}`,
        call,
      );
      const layer = selectRecipeLayer(manifest);
      const own = await probe.listMissing(open(place), [layer], call);
      const parts = await Promise.all(
        recipe.ingredients.map(({ ref, digest: root, platforms }, i) =>
          walks.run(async () => {
            const at = toDestination(destination, ref);
            const reference = formatReference({ ...at, digest: root });
            const from = source(record.ingredients[i]?.repository ?? '');
            return compare(open(at), await readGraph(from, root, { ...call, reference, platforms }));
          }),
        ),
      );
      // its own manifest comes last, with its tag
      const lacking = [content.descriptor, ...own, ...parts.flat()];
      return toSurveyed({ name, version, repository: place.repository, digest }, layer.digest, lacking);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isSvcError(error) || isOfRegistry(error)) throw error;
      // the medium may be gone, and then nothing is known of it
      return undefined;
    }
  };

  const tagged = await findRecipes(options.names, options, call);
  // without a name nothing was asked, and every server answers 404
  if (tagged.length === 0) await registry.requireRegistry(destination.registry, call);
  const recipes: SurveyedRecipe[] = [];
  await forEachBounded(tagged, recipesAtOnce, async (found, i) => {
    recipes[i] = await judge(found);
    options.onRecipe?.(recipes[i]);
  });
  const displaced = await findDisplaced(pins, open, call);
  for (const [i, recipe] of recipes.entries()) {
    const displacedBy = displaced.get(recipe.digest);
    if (displacedBy !== undefined) recipes[i] = { ...recipe, displacedBy };
  }
  const known = new Set(recipes.map(({ digest }) => digest));
  for (const one of options.unfinished ?? []) {
    const judged = known.has(one.record.digest) ? undefined : await judgeUnfinished(one);
    if (judged !== undefined) recipes.push(judged);
  }
  const keyOf = ({ name, version }: SurveyedRecipe): string => `${name}:${version}`;
  recipes.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { recipes, places: probe.places, sparse: await sparse.judge(call) };
}

/**
 * Finds the recipes of which a tag has the content of another one. Only tags that recipes give to different content are asked for.
 *
 * @returns the other recipe by the displaced one: a version of the same recipe where there is one
 */
async function findDisplaced(
  pins: readonly Pin[],
  open: (place: RepositoryReference) => RemoteRepository,
  call: CallOptions,
): Promise<ReadonlyMap<Digest, Digest>> {
  const displaced = new Map<Digest, Digest>();
  const tags = Map.groupBy(pins, ({ place, tag }) => `${place.repository}:${tag}`);
  const shared = [...tags.values()].filter((all) => all.some(({ digest }) => digest !== all[0]!.digest));
  await forEachBounded(shared, recipesAtOnce, async (all) => {
    const { place, tag } = all[0]!;
    const served = await open(place).resolve(tag, call);
    const holders = all.filter(({ digest }) => digest === served?.digest);
    if (holders.length === 0) return;
    for (const { recipe, digest } of all) {
      if (digest === served?.digest) continue;
      const by = holders.find((one) => one.recipe.name === recipe.name) ?? holders[0]!;
      displaced.set(recipe.digest, by.recipe.digest);
    }
  });
  return displaced;
}

/** Whether an error concerns a registry as a whole: no recipe can then be judged. */
function isOfRegistry(error: SvcError): boolean {
  return (['SVC-REG-002', 'SVC-REG-003', 'SVC-NET-001', 'SVC-POL-001'] as const).some((code) =>
    isSvcError(error, code),
  );
}
