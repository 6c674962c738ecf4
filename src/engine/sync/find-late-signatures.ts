import { forEachBounded } from '../../base/concurrency.ts';
import { toSvcError } from '../../base/error.ts';
import { Once } from '../../base/once.ts';
import type { Report } from '../../base/report.ts';
import type { RemoteRegistry } from '../../remote/model.ts';
import type { Store } from '../../store/model.ts';
import { findNewSignatures, readKnown } from '../../trust/find-news.ts';
import { localFirstSigned, localSigned, toRelister } from '../copy/local-source.ts';
import { type Resolution, type ResolvedIngredient, toContentKey } from './resolve-retriever.ts';
import { isRoundDue, type SignatureRound } from './signature-rounds.ts';

interface LateSignatures {
  /** Ingredients that are here and of which a source has signatures that are not. */
  readonly late: ReadonlySet<ResolvedIngredient>;
  /** The round with what did not answer; absent when nobody was asked. */
  readonly round?: SignatureRound;
}

interface FindLateOptions {
  readonly registry: RemoteRegistry;
  /** Absent when there is none yet. */
  readonly store: Store | undefined;
  /** The last round. */
  readonly round: SignatureRound | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
}

const asksAtOnce = 8;

/**
 * Asks the sources of ingredients that are here for signatures that came later than what they sign, of every manifest
 * that is carried: once a day, and of a recipe that changed. No ingredient's signature is required: a source that cannot
 * be asked is a warning, and asked again in the next run.
 *
 * @throws only when the signal is aborted
 */
export async function findLateSignatures(
  resolutions: readonly Resolution[],
  { registry, store, round, now, report, signal }: FindLateOptions,
): Promise<LateSignatures> {
  const late = new Set<ResolvedIngredient>();
  if (!store) return { late };
  const { index } = store;
  const isDue = isRoundDue(round, now);
  const waiting = new Set(round?.left);
  const recorded = new Set(
    index.recipes().map(({ repository, tag, digest }) => `${repository}:${tag}@${digest}`),
  );
  const call = signal ? { signal } : {};
  const left = new Set<string>();
  let isAsked = false;

  const isLate = async ({ repository, nominal, graph }: ResolvedIngredient): Promise<boolean> => {
    const remote = registry.repository(nominal);
    const local = localSigned(store, repository);
    const source = localFirstSigned(store, remote);
    for (const { digest } of graph?.manifests ?? []) {
      if (!index.isManifestIn(repository, digest)) continue;
      const known = await readKnown(local, digest, call);
      if (await findNewSignatures(source, toRelister(remote), known, digest, call)) return true;
    }
    return false;
  };

  const asks = new Once<string, boolean>();
  const candidates = resolutions.flatMap(({ recipe, ingredients }) => {
    if (recipe.outcome === 'failed') return [];
    const isKnown = recorded.has(`${recipe.repository}:${recipe.version}@${recipe.digest}`);
    return ingredients.filter(
      (one) =>
        one.graph &&
        index.isManifestIn(one.repository, one.ingredient.digest) &&
        (isDue || !isKnown || waiting.has(toContentKey(one))),
    );
  });
  await forEachBounded(candidates, asksAtOnce, async (ingredient) => {
    const key = toContentKey(ingredient);
    isAsked = true;
    try {
      if (await asks.run(key, () => isLate(ingredient))) late.add(ingredient);
    } catch (error) {
      signal?.throwIfAborted();
      report.log('warn', 'A source could not be queried for new signatures of an ingredient', {
        ingredient: ingredient.reference,
        error: toSvcError(error),
      });
      left.add(key);
    }
  });
  if (!isAsked && !isDue) return { late };
  return { late, round: { askedAt: isDue ? now : round!.askedAt, left: [...left] } };
}
