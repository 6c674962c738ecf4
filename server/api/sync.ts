import * as api from '../../src/contract/operations/sync.ts';
import type { Exchange } from '../exchange.ts';
import { preferredWait } from '../prefer.ts';
import { showPrunePreview } from '../views/plan.ts';
import { describeRetriever } from '../views/retriever.ts';
import { type ApiRoute, route } from './api-route.ts';
import { audited, toRequester, toTaskDetails } from './audited.ts';

/** Milliseconds for which a trigger waits for the sources unless its client prefers to wait longer. */
const triggerPatience = 100;
/**
 * The same where the answer decides: a page shows a changed preview anew rather than failing the run. Without a preview,
 * the default of mirror mode prunes nothing.
 */
const previewPatience = 2_000;
const longestPatience = 10_000;

function toPatience({ surface, req }: Exchange, prune: boolean | undefined): number {
  if (surface === 'ui') return previewPatience;
  const usual = prune === undefined ? previewPatience : triggerPatience;
  return Math.min(preferredWait(req.headers.prefer) ?? usual, longestPatience);
}

export const syncRoutes: readonly ApiRoute[] = [
  route(
    api.startSync,
    async (call) => {
      const { prune, fingerprint } = call.body;
      const patience = toPatience(call.exchange, prune);
      // a page shows the list before, and would not show one that the trigger makes
      const isShown = fingerprint !== undefined || call.exchange.surface === 'ui';
      const { instance, operations } = call;
      const { source, prune: isDefault } = describeRetriever(call);
      const { context, store, shown } = instance;
      const prunePreview =
        prune === undefined && !isShown && isDefault
          ? await operations.projectPrune(context, store, shown, patience)
          : undefined;
      const task = await audited(
        call,
        'sync.create',
        source ?? 'retriever.source',
        () =>
          operations.submitSync(instance, {
            ...toRequester(call),
            prune,
            fingerprint,
            projection: prunePreview,
            patience,
            // a sent form counts, even when its browser shows another page meanwhile
            signal: call.exchange.surface === 'ui' ? undefined : call.signal,
          }),
        {},
        (created) => ({
          ...toTaskDetails(created),
          ...(created.prune === undefined ? {} : { prune: created.prune }),
        }),
      );
      return { json: { task, ...(prunePreview === undefined ? {} : { prunePreview }) } };
    },
    { audit: 'sync.create' },
  ),
  route(api.previewPrune, async (call) => ({ json: await showPrunePreview(call) })),
];
