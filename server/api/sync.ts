import { PrunePreview } from '../../src/contract/recipe.ts';
import { boolean, described, digest, object, string } from '../../src/contract/schema.ts';
import { SyncAnswer } from '../../src/contract/task.ts';
import type { Exchange } from '../exchange.ts';
import { preferredWait } from '../prefer.ts';
import { showPrunePreview } from '../views/plan.ts';
import { type ApiRoute, route } from './api-route.ts';
import { audited, toTaskDetails } from './audited.ts';
import { taskSteps } from './next-steps.ts';
import { contacting, queueing, reading } from './openapi/error-codes.ts';

/** Milliseconds for which a trigger waits for the sources unless its client prefers to wait longer. */
const triggerPatience = 100;
/**
 * The same where the answer decides: a preview that changed is shown anew on a page rather than failing the run, and without
 * a preview the default of mirror mode prunes nothing.
 */
const previewPatience = 2_000;
const longestPatience = 10_000;

function toPatience({ surface, req }: Exchange, prune: boolean | undefined): number {
  if (surface === 'ui') return previewPatience;
  const usual = prune === undefined ? previewPatience : triggerPatience;
  return Math.min(preferredWait(req.headers.prefer) ?? usual, longestPatience);
}

export const syncRoutes: readonly ApiRoute[] = [
  route({
    id: 'startSync',
    method: 'POST',
    path: '/sync',
    floor: 'operator',
    errors: [
      ...queueing,
      ...contacting,
      ...reading,
      'SVC-CFG-001',
      'SVC-FIL-005',
      'SVC-POL-004',
      'SVC-SIG-001',
      'SVC-SRV-007',
    ],
    summary: 'Triggers a synchronization',
    audit: 'sync.create',
    headers: [
      {
        name: 'Prefer',
        schema: string,
        description:
          'With `wait=<seconds>` (RFC 7240), the answer waits for the preview of the prune, 10 seconds at most; otherwise 2 seconds, and 100 ms with a `fingerprint`',
        example: 'wait=5',
      },
    ],
    body: {
      schema: object({
        'prune?': described(
          'Whether this run prunes; default: the setting of the instance, where mirror mode prunes nothing without a preview',
          boolean,
        ),
        'fingerprint?': digest,
      }),
      examples: {
        default: { summary: 'Synchronizes with the settings of the instance', value: {} },
        withoutPrune: { summary: 'Synchronizes and removes no tags', value: { prune: false } },
      },
    },
    success: {
      status: 201,
      description: 'The created task, and the tags its prune would remove unless the request sets prune',
      schema: SyncAnswer,
      next: taskSteps,
    },
    handler: async (call) => {
      const { prune, fingerprint } = call.body;
      const patience = toPatience(call.exchange, prune);
      // a page shows the list before, and would not show one that the trigger makes
      const isShown = fingerprint !== undefined || call.exchange.surface === 'ui';
      const prunePreview =
        prune === undefined && !isShown ? await call.operations.projectPrune(patience) : undefined;
      const task = await audited(
        call,
        'sync.create',
        call.operations.retriever().source,
        () =>
          call.operations.submitSync({
            actor: call.identity.actor,
            rank: call.holder.rank,
            origin: call.exchange.origin,
            requestId: call.exchange.correlationId,
            ...(prune === undefined ? {} : { prune }),
            fingerprint,
            projection: prunePreview,
            patience,
            // a form that was sent counts, whatever page its browser shows meanwhile
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
  }),
  route({
    id: 'previewPrune',
    method: 'GET',
    path: '/sync/prune-preview',
    floor: 'operator',
    errors: [...contacting, ...reading, 'SVC-CFG-001', 'SVC-FIL-005', 'SVC-POL-004', 'SVC-SIG-001'],
    summary: 'Previews a prune',
    success: { status: 200, description: 'The projected removal', schema: PrunePreview },
    handler: async (call) => ({ json: await showPrunePreview(call) }),
  }),
];
