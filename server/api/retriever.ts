import * as api from '../../src/contract/operations/retriever.ts';
import type { Schedule } from '../../src/task/schedule.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { showRetriever } from '../views/retriever.ts';
import { type ApiCall, type ApiRoute, route } from './api-route.ts';
import { audited } from './audited.ts';

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
  route(api.getRetriever, (call) => ({ json: showRetriever(call) })),
  route(
    api.setSyncInterval,
    async (call) => {
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
    { audit: 'config.interval' },
  ),
  route(
    api.resetSyncInterval,
    async (call) => {
      const schedule = requireSchedule(call);
      await audited(call, 'config.interval', 'sync.interval', () => schedule.clearOverride(call.body), {
        before: schedule.interval.effective,
        after: schedule.interval.configured,
      });
      return { empty: true };
    },
    { audit: 'config.interval' },
  ),
];
