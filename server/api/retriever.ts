import { svcError } from '../../src/base/error.ts';
import type { Schedule } from '../../src/task/schedule.ts';
import { showRetriever } from '../views/retriever.ts';
import type { ApiCall, ApiRoute } from './api-route.ts';
import { audited } from './audited.ts';
import { closed, object, ref } from './schema.ts';

/** @throws SVC-CFG-001 in mirror mode, which has no schedule */
function requireSchedule(call: ApiCall): Schedule {
  if (call.schedule === undefined) {
    throw svcError('SVC-CFG-001', { setting: 'mode', detail: 'is mirror, which has no interval' });
  }
  return call.schedule;
}

export const retrieverRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/retriever',
    floor: 'admin',
    summary: 'Source, relaxed trust scopes, effective interval, occupancy, background check of the store',
    success: { status: 200, description: 'The record', schema: ref('Retriever') },
    handler: (call) => ({ json: showRetriever(call) }),
  },
  {
    method: 'PUT',
    path: '/retriever/interval',
    floor: 'admin',
    summary: 'Overrides the interval; survives restarts',
    audit: 'config.interval',
    body: {
      schema: closed({
        interval: {
          type: 'string',
          minLength: 1,
          maxLength: 64,
          description: '0, or a duration of at least a minute',
        },
      }),
      required: true,
    },
    success: {
      status: 200,
      description: 'The interval now',
      schema: object({ interval: ref('Interval') }),
    },
    handler: async (call) => {
      const schedule = requireSchedule(call);
      const value = String(call.body.interval);
      const interval = await audited(
        call,
        'config.interval',
        'sync.interval',
        () => schedule.override(value),
        {
          before: schedule.interval.effective,
          after: value.slice(0, 64),
        },
      );
      return { json: { interval } };
    },
  },
  {
    method: 'DELETE',
    path: '/retriever/interval',
    floor: 'admin',
    summary: 'Returns to the configured interval',
    audit: 'config.interval',
    success: { status: 204, description: 'The override was removed' },
    handler: async (call) => {
      const schedule = requireSchedule(call);
      await audited(call, 'config.interval', 'sync.interval', () => schedule.clearOverride(), {
        before: schedule.interval.effective,
        after: schedule.interval.configured,
      });
      return { empty: true };
    },
  },
];
