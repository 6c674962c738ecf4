import type { Digest } from '../../src/base/digest.ts';
import type { Holder } from '../../src/base/shares/shares.ts';
import type { Plan, PlanAnswer } from '../../src/contract/plan.ts';
import type { PrunePreview } from '../../src/contract/recipe.ts';
import { fingerprintPrune } from '../../src/engine/sync/prune.ts';
import { forecastLink } from '../../src/link/show-link.ts';
import { svcError } from '../../src/text/error.ts';
import type { ViewParts } from './parts.ts';

/** Maximum size of a Retriever document or recipe in a request, in bytes. */
export const largestDocument = 4_194_304;

export interface PlanQuery {
  /** A Retriever document to plan with instead of the configured one. */
  readonly document?: string | undefined;
  readonly skipDestination?: boolean | undefined;
  readonly holder: Holder;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

const lastPlans = new WeakMap<ViewParts['instance'], Plan>();

/** The last plan of the configured Retriever that found recipes; undefined before one. */
export function lastPlanOf({ instance }: Pick<ViewParts, 'instance'>): Plan | undefined {
  return lastPlans.get(instance);
}

/**
 * Whether the last plan, made after a run, names other recipes than that run wanted.
 *
 * @param since when the run ended, RFC 3339
 */
export function hasListChanged(
  { instance }: Pick<ViewParts, 'instance'>,
  wanted: readonly { readonly name: string }[],
  since: string,
): boolean {
  const plan = lastPlanOf({ instance });
  if (plan === undefined || Date.parse(plan.generatedAt) <= Date.parse(since)) return false;
  const namesOf = (list: readonly { readonly name: string }[]) =>
    JSON.stringify(list.map(({ name }) => name).sort());
  return namesOf(plan.recipes) !== namesOf(wanted);
}

/**
 * Plans a synchronization. Contacts registries; changes nothing.
 *
 * @throws SVC-VAL-002 for a document that is too large, SVC-SRV-006 when other plans take too long
 */
export async function showPlan(
  { instance, operations, link }: Pick<ViewParts, 'instance' | 'operations' | 'link'>,
  { document, skipDestination, holder, signal: gone }: PlanQuery,
): Promise<PlanAnswer> {
  if (document !== undefined && Buffer.byteLength(document) > largestDocument)
    throw svcError('SVC-VAL-002', { limit: largestDocument, file: 'document' });
  const { context, store, places } = instance;
  const answer = await places.plans.run(holder, gone, (signal) =>
    operations.planSync(context, {
      store,
      signal,
      document: document === undefined ? undefined : Buffer.from(document),
      skipDestination,
    }),
  );
  const { recipes } = answer.plan;
  // a plan of another document, or one that found no recipe, says nothing about the list
  if (document === undefined && recipes.length > 0) lastPlans.set(instance, answer.plan);
  const forecast = forecastLink(link.record, answer.plan);
  return forecast === undefined ? answer : { ...answer, link: forecast };
}

/** Fingerprint of the prune that a plan shows, for a synchronization that rests on it; undefined when it shows none. */
export function toPruneFingerprint({ prune }: Plan): Digest | undefined {
  return prune.evaluated ? fingerprintPrune(prune.items) : undefined;
}

/** Shows the content that a prune would remove. @throws the error of a Retriever that cannot be resolved */
export function showPrunePreview({
  instance: { context, store },
  operations,
}: Pick<ViewParts, 'instance' | 'operations'>): Promise<PrunePreview> {
  return operations.previewPrune(context, store);
}
