import { durationText } from '../../src/contract/patterns.ts';
import { Interval, Retriever } from '../../src/contract/recipe.ts';
import { described, digest, object } from '../../src/contract/schema.ts';
import type { Schedule } from '../../src/task/schedule.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { showRetriever } from '../views/retriever.ts';
import { type ApiCall, type ApiRoute, route } from './api-route.ts';
import { audited } from './audited.ts';
import { writing } from './openapi/error-codes.ts';
import { exampleFingerprint } from './openapi/example-documents.ts';

/** @throws SVC-CFG-001 in mirror mode, which has no schedule */
function requireSchedule(call: Pick<ApiCall, 'schedule'>): Schedule {
  if (call.schedule === undefined) {
    throw svcError('SVC-CFG-001', {
      setting: 'mode',
      detail: rule(['is mirror, which has no interval', fr`vaut mirror, qui n’a pas d’intervalle`]),
    });
  }
  return call.schedule;
}

export const retrieverRoutes: readonly ApiRoute[] = [
  route({
    id: 'getRetriever',
    method: 'GET',
    path: '/retriever',
    floor: 'admin',
    errors: [],
    summary:
      'Source, substitutions, relaxed trust scopes, effective interval, occupancy, background check of the store',
    success: { status: 200, description: 'The record', schema: Retriever },
    handler: (call) => ({ json: showRetriever(call) }),
  }),
  route({
    id: 'setSyncInterval',
    method: 'PUT',
    path: '/retriever/interval',
    floor: 'admin',
    errors: [...writing, 'SVC-CFG-001'],
    summary: 'Overrides the interval; survives restarts',
    audit: 'config.interval',
    body: {
      schema: object({
        interval: described('0, or a duration of at least a minute', durationText),
      }),
      required: true,
      examples: {
        hourly: { summary: 'Synchronizes each hour', value: { interval: '1h' } },
        manual: { summary: 'Stops the loop', value: { interval: '0' } },
      },
    },
    success: {
      status: 200,
      description: 'The interval now',
      schema: object({ interval: Interval }),
    },
    handler: async (call) => {
      const schedule = requireSchedule(call);
      const value = call.body.interval;
      const interval = await audited(
        call,
        'config.interval',
        'sync.interval',
        () => schedule.override(value, { fingerprint: call.shown }),
        {
          before: schedule.interval.effective,
          after: value.slice(0, 64),
        },
      );
      return { json: { interval } };
    },
  }),
  route({
    id: 'resetSyncInterval',
    method: 'DELETE',
    path: '/retriever/interval',
    floor: 'admin',
    errors: [...writing, 'SVC-CFG-001', 'SVC-SRV-007'],
    summary: 'Returns to the configured interval',
    audit: 'config.interval',
    body: {
      schema: object({ 'fingerprint?': digest }),
      examples: {
        now: { summary: 'Removes the override', value: {} },
        shown: { summary: 'Removes the override that was shown', value: { fingerprint: exampleFingerprint } },
      },
    },
    success: { status: 204, description: 'The override was removed' },
    handler: async (call) => {
      const schedule = requireSchedule(call);
      await audited(call, 'config.interval', 'sync.interval', () => schedule.clearOverride(call.body), {
        before: schedule.interval.effective,
        after: schedule.interval.configured,
      });
      return { empty: true };
    },
  }),
];
