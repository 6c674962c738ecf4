import { Semaphore } from '../base/concurrency.ts';
import type { Digest } from '../base/digest.ts';
import { isSvcError, type SvcError, svcError, toSvcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { formatPlatform, type Platform } from '../oci/platform.ts';
import type { CallOptions, Prober, SignedSource, Source } from '../oci/ports.ts';
import {
  formatReference,
  parseRepositoryReference,
  type RepositoryReference,
  signatureTag,
} from '../oci/reference.ts';
import type { CookedRecipe } from '../recipe/model.ts';
import type { RemoteRegistry, RemoteRepository } from '../remote/model.ts';
import type { RecipeRecord } from '../store/model.ts';
import { collectSignatures, type FoundSignatures } from '../trust/discover.ts';
import { judgeSignatures } from '../trust/judge.ts';
import type { TrustPolicy } from '../trust/model.ts';
import { toScopePath } from '../trust/scope.ts';
import { carrySignatures } from './carry-signatures.ts';
import { copyGraph } from './copy-graph.ts';
import { counted } from './counted.ts';
import { HeldContent, withHeld } from './held-content.ts';
import { Once } from './once.ts';
import { type Destination, toDestination, toRecipeDestination } from './prepare-sync.ts';
import { readManifest } from './read-manifest.ts';
import { holdSignatures } from './resolve-recipe.ts';
import { toAliasTag } from './select-tags.ts';
import { settleAll } from './settle-all.ts';
import { listAbsentPlatforms, toTopUp } from './top-up.ts';
import { type CarriedRecipe, verifyCarried } from './verify-carried.ts';

/** A local repository as promotion reads it. */
export type LocalSource = SignedSource & Partial<Prober>;

export interface PromotionOptions extends CallOptions {
  readonly registry: RemoteRegistry;
  readonly destination: Destination;
  readonly policy: TrustPolicy;
  /** A local repository by its name. Bytes are checked again whatever it says. */
  readonly source: (repository: string) => LocalSource;
  /** False refuses what a relaxed scope would admit unsigned. Default: as the policy says. */
  readonly allowUnsigned?: boolean;
  /** Where platforms that are not carried can be had; absent on a medium. */
  readonly upstream?: (nominal: RepositoryReference) => Source;
  /** Ingredients that cross at once. Default 3. */
  readonly parallelism?: number;
  /** Bounds the blobs under way. */
  readonly lanes?: Semaphore;
  readonly report: Report;
  readonly onBytes?: (count: number) => void;
}

/** What became of one artifact at the destination. */
export interface PromotedArtifact {
  /** The ingredient's name; absent for the recipe itself. */
  readonly ingredient?: string;
  readonly reference: string;
  readonly status: 'pushed' | 'up-to-date' | 'failed' | 'skipped';
  readonly pushedBytes: number;
  readonly error?: SvcError;
}

export interface PromotedRecipe {
  readonly recipe: PromotedArtifact;
  readonly ingredients: readonly PromotedArtifact[];
  /** Present when the recipe did not land. */
  readonly error?: SvcError;
}

export type PromotableRecipe = Pick<
  RecipeRecord,
  'name' | 'version' | 'cookbook' | 'repository' | 'digest' | 'ingredients'
>;

/** Pushes complete recipes into one destination; what several share crosses once. */
export interface Promotion {
  /** Never throws but for an aborted signal: the failure is the answer. */
  promote(recipe: PromotableRecipe): Promise<PromotedRecipe>;
}

interface Crossing {
  readonly status: 'pushed' | 'up-to-date';
  readonly bytes: number;
}

/**
 * Opens a promotion. Everything is judged again over the bytes that leave: the buffer that was judged is the buffer that
 * is pushed, and blobs are hashed on their way. Ingredients go before their recipe, the recipe only when all of them have
 * crossed, tags last.
 */
export function openPromotion(options: PromotionOptions): Promotion {
  const { registry, destination, policy, report, signal, onBytes } = options;
  const call: CallOptions = signal ? { signal } : {};
  const lanes = options.lanes ?? new Semaphore(4);
  const ingredientLanes = new Semaphore(options.parallelism ?? 3);
  const crossings = new Once<string, Crossing>();
  /** Repositories of the destination by blob that they are known to have. */
  const homes = new Map<Digest, string>();
  /** Blobs on their way. */
  const pushing = new Map<Digest, PromiseWithResolvers<void>>();
  /** What this promotion points tags at. */
  const pointed = new Map<string, Digest>();

  const open = (place: RepositoryReference): RemoteRepository =>
    registry.repository(place, { access: 'push', substitute: false });

  const copying = (source: Source, target: RemoteRepository, reference: string) => ({
    ...call,
    reference,
    lanes,
    foreignLayers: 'where-present' as const,
    ...(onBytes ? { onBytes } : {}),
    // what another ingredient is pushing just now is waited for and mounted: it crosses once
    mountFrom: async (digest: Digest) => {
      for (let crossing = pushing.get(digest); crossing; crossing = pushing.get(digest))
        await crossing.promise;
      const home = homes.get(digest);
      if (home !== undefined && home !== target.effective.repository) return home;
      pushing.set(digest, Promise.withResolvers<void>());
      return undefined;
    },
    onPut: ({ digest }: Descriptor) => {
      homes.set(digest, target.effective.repository);
    },
    // opened anew for each attempt, so that a broken upload is repeated
    moveBlob: async (blob: Descriptor, { onBytes: count }: { onBytes: (count: number) => void }) => {
      try {
        await target.pushBlob(
          blob,
          async () => counted(await source.fetchBlob(blob, call), blob, reference, count),
          call,
        );
        homes.set(blob.digest, target.effective.repository);
        return true;
      } finally {
        pushing.get(blob.digest)?.resolve();
        pushing.delete(blob.digest);
      }
    },
  });

  const carry = async (
    found: FoundSignatures,
    source: Source,
    target: RemoteRepository,
    subject: Digest,
    scopePath: string,
    reference: string,
  ) => {
    const { moved } = await carrySignatures(found, source, target, subject, {
      ...call,
      reference,
      lanes,
      ...(onBytes ? { onBytes } : {}),
      keepsClassic: async () => {
        const standing = await collectSignatures(target, subject, call);
        const tag = signatureTag(subject);
        const classic = standing.evidence.filter((one) => one.layout === 'classic' && one.tag === tag);
        const isValid =
          judgeSignatures(subject, classic, policy, scopePath, { allowUnsigned: false }).outcome ===
          'verified';
        if (isValid)
          report.log('info', 'A signature at the destination differs and still verifies: left as it is', {
            destination: `${target.effective.host}/${target.effective.repository}`,
            digest: subject,
          });
        return isValid;
      },
      onRepoint: (tag, from, to) =>
        report.log('warn', 'A signature tag at the destination is re-pointed', {
          destination: `${target.effective.host}/${target.effective.repository}:${tag}`,
          from,
          digest: to,
        }),
      putFallback: (referrers) => target.putReferrerFallback(subject, referrers, call),
    });
    return moved;
  };

  const crossIngredient = async (
    ingredient: CookedRecipe['ingredients'][number],
    repository: string,
    place: RepositoryReference,
    tag: string,
  ): Promise<Crossing> => {
    const reference = `${formatReference(ingredient.ref)}:${ingredient.version}`;
    const target = open(place);
    const local = options.source(repository);
    const held = new HeldContent();
    const source: Source & Partial<Prober> = {
      ...withHeld(local, held),
      ...(local.hasBlob ? { hasBlob: (blob, at) => local.hasBlob!(blob, at) } : {}),
    };
    const { content } = await readManifest(
      source,
      { mediaType: '', digest: ingredient.digest, size: 0 },
      reference,
      call,
    );
    const standing = await target.resolve(tag, call);
    if (standing && standing.digest !== ingredient.digest)
      report.log('warn', 'A tag at the destination is re-pointed', {
        destination: `${formatReference(place)}:${tag}`,
        from: standing.digest,
        digest: ingredient.digest,
      });
    const found = await collectSignatures(local, ingredient.digest, call);
    holdSignatures(held, found);
    let signatureBytes = 0;
    let signatureCount = 0;
    const copy = (from: Source, platforms: readonly Platform[]) =>
      copyGraph(from, target, content, {
        ...copying(from, target, reference),
        platforms,
        tag,
        beforeRoot: async () => {
          const moved = await carry(
            found,
            source,
            target,
            ingredient.digest,
            toScopePath(ingredient.ref),
            reference,
          );
          signatureBytes += moved.bytes;
          signatureCount += moved.count;
        },
      });
    let first: { bytes: number; count: number } = { bytes: 0, count: 0 };
    try {
      first = (await copy(source, ingredient.platforms)).moved;
    } catch (error) {
      if (!isSvcError(error, 'SVC-DST-002') || ingredient.platforms.length === 0) throw error;
      const missing = await listAbsentPlatforms(
        source,
        ingredient.digest,
        ingredient.platforms,
        reference,
        call,
      );
      const refusal = svcError(
        'SVC-DST-002',
        { reference: `${formatReference(place)}:${tag}`, missing },
        { cause: error },
      );
      if (!options.upstream) throw refusal;
      report.log('warn', 'The destination refuses a sparse index: all platforms are taken from the source', {
        destination: `${formatReference(place)}:${tag}`,
        missing,
      });
      try {
        first = (await copy(toTopUp(source, options.upstream(ingredient.ref)), [])).moved;
      } catch (cause) {
        if (isSvcError(cause, 'SVC-REG-005')) throw refusal;
        throw cause;
      }
    }
    const count = first.count + signatureCount;
    const isMoved = count > 0 || standing?.digest !== ingredient.digest;
    return { status: isMoved ? 'pushed' : 'up-to-date', bytes: first.bytes + signatureBytes };
  };

  const crossRecipe = async (
    record: PromotableRecipe,
    { layer, found }: CarriedRecipe,
    held: HeldContent,
    place: RepositoryReference,
  ): Promise<Crossing> => {
    const reference = `${formatReference(place)}:${record.version}`;
    const target = open(place);
    const standing = await target.resolve(record.version, call);
    if (standing && standing.digest !== record.digest) {
      const { manifest } = await readManifest(target, standing, reference, call);
      const isSame =
        manifest.kind === 'image' && manifest.layers.some(({ digest }) => digest === layer.digest);
      if (!isSame)
        throw svcError('SVC-POL-004', { reference, published: standing.digest, candidate: record.digest });
      report.log('info', 'The destination has the same document in another manifest: its tag stays', {
        destination: reference,
        from: standing.digest,
        digest: record.digest,
      });
      return { status: 'up-to-date', bytes: 0 };
    }
    const source = withHeld(options.source(record.repository), held);
    let signatures = { bytes: 0, count: 0 };
    const { moved } = await copyGraph(
      source,
      target,
      held.manifest(record.digest) ?? { mediaType: '', digest: record.digest, size: 0 },
      {
        ...copying(source, target, reference),
        tag: record.version,
        beforeRoot: async () => {
          const scopePath = toScopePath(parseRepositoryReference(record.cookbook));
          signatures = await carry(found, source, target, record.digest, scopePath, reference);
        },
      },
    );
    const isMoved = moved.count + signatures.count > 0 || !standing;
    return { status: isMoved ? 'pushed' : 'up-to-date', bytes: moved.bytes + signatures.bytes };
  };

  /** The tag at the destination: the first to point it in this promotion keeps it. */
  const selectTag = (place: RepositoryReference, version: string, digest: Digest): string => {
    const name = `${place.repository}:${version}`;
    const taken = pointed.get(name) ?? digest;
    pointed.set(name, taken);
    return taken === digest ? version : toAliasTag(version, digest);
  };

  return {
    async promote(record) {
      const log = report.child({ recipe: `${record.name}@${record.version}` });
      const named = `${destination.registry}/${destination.cookbook}/${record.name}:${record.version}`;
      const failed = (error: SvcError, ingredients: readonly PromotedArtifact[]): PromotedRecipe => ({
        recipe: { reference: named, status: 'failed', pushedBytes: 0, error },
        ingredients,
        error,
      });
      const ingredients: PromotedArtifact[] = [];
      try {
        const held = new HeldContent();
        const verified = await verifyCarried(record, held, options);
        const homesOf = new Map(record.ingredients.map(({ name, repository }) => [name, repository]));
        // a name that the destination cannot hold is found before anything of the recipe is pushed
        const recipePlace = toRecipeDestination(destination, record.name);
        const places = new Map(
          verified.document.ingredients.map((one) => [one.name, toDestination(destination, one.ref)]),
        );
        const crossing = verified.document.ingredients.map(async (ingredient): Promise<PromotedArtifact> => {
          const fallback = `${formatReference(ingredient.ref)}:${ingredient.version}`;
          try {
            const place = places.get(ingredient.name)!;
            const tag = selectTag(place, ingredient.version, ingredient.digest);
            const repository = homesOf.get(ingredient.name);
            if (repository === undefined) throw svcError('SVC-REG-005', { reference: fallback });
            const platforms = ingredient.platforms.map(formatPlatform).sort().join(',');
            const key = `${place.repository}:${tag}@${ingredient.digest} ${platforms}`;
            let isMine = false;
            const { status, bytes } = await crossings.run(key, () => {
              isMine = true;
              return ingredientLanes.run(() => crossIngredient(ingredient, repository, place, tag));
            });
            return {
              ingredient: ingredient.name,
              reference: `${formatReference(place)}:${tag}`,
              status: isMine ? status : 'up-to-date',
              pushedBytes: isMine ? bytes : 0,
            };
          } catch (error) {
            signal?.throwIfAborted();
            const coded = toSvcError(error);
            log.log('error', 'An ingredient did not reach the destination', {
              ingredient: ingredient.name,
              digest: ingredient.digest,
              error: coded,
            });
            return {
              ingredient: ingredient.name,
              reference: fallback,
              status: 'failed',
              pushedBytes: 0,
              error: coded,
            };
          }
        });
        ingredients.push(...(await settleAll(crossing)));
        const broken = ingredients.find(({ error }) => error)?.error;
        if (broken)
          return {
            recipe: { reference: named, status: 'skipped', pushedBytes: 0 },
            ingredients,
            error: broken,
          };
        const { status, bytes } = await crossRecipe(record, verified, held, recipePlace);
        if (status === 'pushed')
          log.log('info', 'Recipe promoted', { destination: named, digest: record.digest, bytes });
        return { recipe: { reference: named, status, pushedBytes: bytes }, ingredients };
      } catch (error) {
        signal?.throwIfAborted();
        const coded = toSvcError(error);
        log.log('error', 'A recipe did not reach the destination', { destination: named, error: coded });
        return failed(coded, ingredients);
      }
    },
  };
}
