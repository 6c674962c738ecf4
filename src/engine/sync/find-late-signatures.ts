import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { Once } from '../../base/once.ts';
import type { Report } from '../../base/report.ts';
import { formatReference } from '../../oci/reference.ts';
import type { RemoteRegistry } from '../../remote/model.ts';
import type { Store } from '../../store/model.ts';
import { toSvcError } from '../../text/error.ts';
import { findNewSignatures, readKnown } from '../../trust/find-news.ts';
import { localFirstSigned, localSigned, toRelister } from '../copy/local-source.ts';
import { reportIncomplete } from '../copy/report-incomplete.ts';
import { type Resolution, type ResolvedIngredient, toContentKey } from './resolve-retriever.ts';
import { isRoundDue, type SignatureRound } from './signature-rounds.ts';

interface LateSignatures {
  /** Ingredients in the store of which a source has signatures that the store lacks. */
  readonly late: ReadonlySet<ResolvedIngredient>;
  /** The round, with the failed ingredients; absent when no source was queried and none was due. */
  readonly round?: SignatureRound;
}

interface FindLateOptions {
  readonly registry: RemoteRegistry;
  /** Absent when the store does not exist yet. */
  readonly store: Store | undefined;
  /** The last round recorded. */
  readonly round: SignatureRound | undefined;
  /** Current time in milliseconds since the epoch. */
  readonly now: number;
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
}

const asksAtOnce = 8;

/**
 * Queries the sources of stored ingredients for new signatures, of every manifest carried: once a day, and
 * for a recipe that changed. No signature of an ingredient is required: a source that cannot be queried is a
 * warning, and is queried again in the next run.
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
  const call = { signal };
  const left = new Set<string>();
  let isAsked = false;

  const isLate = async ({ repository, nominal, graph }: ResolvedIngredient): Promise<boolean> => {
    const remote = registry.repository(nominal);
    const local = localSigned(store, repository);
    const source = localFirstSigned(store, remote);
    for (const { digest } of graph?.manifests ?? []) {
      if (!index.isManifestIn(repository, digest)) continue;
      const known = await readKnown(local, digest, call);
      const onIncomplete = (signature: Digest) =>
        reportIncomplete(report, { source: formatReference(nominal), digest: signature });
      const news = { ...call, onIncomplete };
      if (await findNewSignatures(source, toRelister(remote), known, digest, news)) return true;
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
